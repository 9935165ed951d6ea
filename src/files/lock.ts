import { closeSync, existsSync, linkSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { YoreError } from '../record/error.ts';
import { randomHex } from '../record/id.ts';
import { parseObject } from '../record/object.ts';
import { CREATE, errorCode, makeFolder, openFile, readBytes, storageError } from './file-access.ts';

const MAX_WAIT_MS = 5_000;
/** Maximum wait while the lock changes hands, so that one of many processes does not give up before its turn. */
const MAX_QUEUE_MS = 30_000;
const RETRY_MS = 5;
/** The lock of another machine, whose process cannot be checked, is stale after this. */
const FOREIGN_STALE_MS = 60_000;
/** A lock without content after this was left by a process that died while creating it, where there are no hard links. */
const EMPTY_STALE_MS = 250;

/**
 * Runs `work` while holding the lock file `path`, across processes. Waits up to five seconds for each holder, then throws
 * BUSY. The lock of a dead process is taken over.
 */
export function withLock<T>(path: string, work: () => T): T {
  acquire(path);
  return runAndRelease(path, work);
}

/** Like {@link withLock} without waiting: undefined when the lock is held. */
export function tryWithLock<T>(path: string, work: () => T): T | undefined {
  return tryAcquire(path) ? runAndRelease(path, work) : undefined;
}

function runAndRelease<T>(path: string, work: () => T): T {
  try {
    return work();
  } finally {
    rmSync(path, { force: true });
  }
}

/** {@link tryWithLock} for asynchronous work. */
export async function tryWithLockAsync<T>(path: string, work: () => Promise<T>): Promise<T | undefined> {
  if (!tryAcquire(path)) return undefined;
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

/** Removes a lock that this process holds: for cleaning up after a thread that died with it. */
export function releaseOwnLock(path: string): void {
  const holder = readHolder(path);
  if (holder?.pid === process.pid && holder.host === hostname()) rmSync(path, { force: true });
}

function tryAcquire(path: string): boolean {
  if (tryCreate(path)) return true;
  if (!isStale(path)) return false;
  removeStale(path);
  return tryCreate(path);
}

function acquire(path: string): void {
  const latest = performance.now() + MAX_QUEUE_MS;
  let deadline = 0;
  let since: number | undefined;
  while (!tryCreate(path)) {
    if (isStale(path)) {
      removeStale(path);
      continue;
    }
    const holder = readHolder(path);
    if (deadline === 0 || (holder && holder.since !== since)) {
      since = holder?.since;
      deadline = Math.min(performance.now() + MAX_WAIT_MS, latest);
    }
    if (performance.now() > deadline) {
      const who = holder ? `Process ${holder.pid}` : 'Another process';
      throw new YoreError(
        'BUSY',
        `${who} holds ${path}. Wait until it is done, or remove the file if no yore process is running.`,
      );
    }
    sleepSync(RETRY_MS);
  }
}

function tryCreate(path: string, mayCreateFolder = true): boolean {
  if (existsSync(path)) return false;
  try {
    return createWithContent(path, JSON.stringify({ pid: process.pid, host: hostname(), since: Date.now() }));
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    if (errorCode(error) !== 'ENOENT' || !mayCreateFolder) throw storageError('lock', path, error);
    try {
      makeFolder(dirname(path));
    } catch (cause) {
      throw storageError('create', dirname(path), cause);
    }
    return tryCreate(path, false);
  }
}

/** File systems without hard links. */
const NO_LINKS: ReadonlySet<string | undefined> = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EXDEV',
  'EACCES',
]);

/**
 * Creates a file that nobody ever sees empty: it is written under another name and linked. Where there are no links, it
 * may be empty for a moment.
 */
function createWithContent(path: string, content: string): true {
  const temporary = `${path}.${process.pid}-${randomHex(8)}.tmp`;
  try {
    writeNewFile(temporary, content);
    linkSync(temporary, path);
    return true;
  } catch (error) {
    if (!NO_LINKS.has(errorCode(error)) || !existsSync(temporary)) throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
  writeNewFile(path, content);
  return true;
}

function writeNewFile(path: string, content: string): void {
  const descriptor = openFile(path, CREATE);
  try {
    writeFileSync(descriptor, content);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly since: number;
}

function readHolder(path: string): Holder | undefined {
  try {
    const { pid, host, since } = parseObject(readBytes(path).toString('utf8')) ?? {};
    const isValid = Number.isInteger(pid) && Number(pid) > 0 && typeof host === 'string' && Number.isFinite(since);
    return isValid ? ({ pid, host, since } as Holder) : undefined;
  } catch {
    return undefined; // gone, or not yet written
  }
}

function isStale(path: string): boolean {
  const holder = readHolder(path);
  if (!holder) {
    const found = statSync(path, { throwIfNoEntry: false });
    // The clock may have been ahead then.
    return found !== undefined && Math.abs(Date.now() - found.mtimeMs) > EMPTY_STALE_MS;
  }
  if (holder.host !== hostname()) return Math.abs(Date.now() - holder.since) > FOREIGN_STALE_MS;
  return !isProcessAlive(holder.pid);
}

/**
 * Removes a stale lock. Several processes may find the same one: only the process that creates the takeover file
 * checks again and removes it, so that nobody removes a lock that was acquired meanwhile.
 */
function removeStale(path: string): void {
  const guard = `${path}.takeover`;
  if (!tryCreate(guard)) {
    if (isStale(guard)) rmSync(guard, { force: true });
    else sleepSync(RETRY_MS);
    return;
  }
  try {
    if (isStale(path)) rmSync(path, { force: true });
  } catch (error) {
    throw storageError('lock', path, error);
  } finally {
    rmSync(guard, { force: true });
  }
}

/** Whether a process with this id runs on this machine. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

const sleepSignal = new Int32Array(new SharedArrayBuffer(4));

/** Blocks the thread. */
export function sleepSync(milliseconds: number): void {
  Atomics.wait(sleepSignal, 0, 0, milliseconds);
}
