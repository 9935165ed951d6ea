import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { YoreError } from '../record/index.ts';
import { errorCode, storageError } from './storage-error.ts';

const WAIT_MS = 5_000;
const PAUSE_MS = 5;
/** A lock from another machine, whose process cannot be asked, is taken over after this. */
const FOREIGN_STALE_MS = 60_000;
/** Creating a lock takes far less than this; one that is still unfinished was left by a process that died. */
const UNFINISHED_STALE_MS = 2_000;

/**
 * Runs `work` while holding the lock file `path`, one process at a time. Waits up to five seconds, then throws
 * BUSY. The lock of a process that died is taken over.
 */
export function withLock<T>(path: string, work: () => T): T {
  acquire(path);
  try {
    return work();
  } finally {
    rmSync(path, { force: true });
  }
}

/** The same without waiting: undefined when another process holds the lock. */
export function withFreeLock<T>(path: string, work: () => T): T | undefined {
  if (!takeFree(path)) return undefined;
  try {
    return work();
  } finally {
    rmSync(path, { force: true });
  }
}

/** The same for work that gives way to other work in between. */
export async function withFreeLockHeld<T>(path: string, work: () => Promise<T>): Promise<T | undefined> {
  if (!takeFree(path)) return undefined;
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

/** Removes a lock of this process: for when whoever held it, another thread, is gone. */
export function releaseOwnLock(path: string): void {
  const holder = holderOf(path);
  if (holder?.pid === process.pid && holder.host === hostname()) rmSync(path, { force: true });
}

function takeFree(path: string): boolean {
  if (tryCreate(path)) return true;
  if (!isStale(path)) return false;
  takeAway(path);
  return tryCreate(path);
}

function acquire(path: string): void {
  const deadline = performance.now() + WAIT_MS;
  while (!tryCreate(path)) {
    if (isStale(path)) takeAway(path);
    else if (performance.now() > deadline) throw busy(path);
    else pause(PAUSE_MS);
  }
}

function tryCreate(path: string, mayLackFolder = true): boolean {
  try {
    const descriptor = openSync(path, 'wx', 0o600);
    writeSync(descriptor, JSON.stringify({ pid: process.pid, host: hostname(), since: Date.now() }));
    closeSync(descriptor);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    if (errorCode(error) !== 'ENOENT' || !mayLackFolder) throw storageError('lock', path, error);
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    } catch (cause) {
      throw storageError('create', dirname(path), cause);
    }
    return tryCreate(path, false);
  }
}

interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly since: number;
}

function holderOf(path: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Holder;
  } catch {
    return undefined; // gone, or not yet written
  }
}

function isStale(path: string): boolean {
  const holder = holderOf(path);
  if (!holder) return ageOf(path) > UNFINISHED_STALE_MS;
  if (holder.host !== hostname()) return Date.now() - holder.since > FOREIGN_STALE_MS;
  return !isAlive(holder.pid);
}

function ageOf(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false });
  return found ? Date.now() - found.mtimeMs : 0;
}

/**
 * Removes the lock of a dead holder. Two processes may see the same dead one: only whoever creates the guard
 * looks again and removes it, so that nobody removes the lock that the other has taken meanwhile.
 */
function takeAway(path: string): void {
  const guard = `${path}.takeover`;
  if (!tryCreate(guard)) {
    if (isStale(guard)) rmSync(guard, { force: true });
    else pause(PAUSE_MS);
    return;
  }
  try {
    if (isStale(path)) rmSync(path, { force: true });
  } finally {
    rmSync(guard, { force: true });
  }
}

/** Whether a process of this machine runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

function busy(path: string): YoreError {
  const holder = holderOf(path);
  const who = holder ? `process ${holder.pid}` : 'another process';
  return new YoreError(
    'BUSY',
    `${who} holds ${path}. Wait until it is done, or remove the file if nothing runs.`,
  );
}

const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** Waits without giving way to other work of this process. */
export function pause(milliseconds: number): void {
  Atomics.wait(sleeper, 0, 0, milliseconds);
}
