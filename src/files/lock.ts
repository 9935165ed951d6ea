import { closeSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { YoreError } from '../record/index.ts';
import { errorCode, storageError } from './storage-error.ts';

const WAIT_MS = 5_000;
const PAUSE_MS = 5;
/** A lock from another machine, whose process cannot be asked, is taken over after this. */
const FOREIGN_STALE_MS = 60_000;

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

function acquire(path: string): void {
  const deadline = performance.now() + WAIT_MS;
  while (!tryCreate(path)) {
    if (isStale(path)) {
      takeAway(path);
      continue;
    }
    if (performance.now() > deadline) throw busy(path);
    pause(PAUSE_MS);
  }
}

function tryCreate(path: string): boolean {
  try {
    const descriptor = openSync(path, 'wx', 0o600);
    writeSync(descriptor, JSON.stringify({ pid: process.pid, host: hostname(), since: Date.now() }));
    closeSync(descriptor);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    if (errorCode(error) !== 'ENOENT') throw storageError('lock', path, error);
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    } catch (cause) {
      throw storageError('create', dirname(path), cause);
    }
    return false;
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
  if (!holder) return false;
  if (holder.host !== hostname()) return Date.now() - holder.since > FOREIGN_STALE_MS;
  return !isAlive(holder.pid);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/** Only one process can rename the same file, so two that see the same dead holder do not both proceed. */
function takeAway(path: string): void {
  const aside = `${path}.${process.pid}.stale`;
  try {
    renameSync(path, aside);
    rmSync(aside, { force: true });
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw storageError('unlock', path, error);
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
