import { join } from 'node:path';
import { sleepSync, tryWithLock } from '../files/lock.ts';
import { YoreError } from '../record/error.ts';
import { Recorder, type RecorderOptions } from './recorder.ts';
import { Spool } from './spool.ts';
import type { SpooledCall } from './spooled-call.ts';

/** Interval between attempts to get the lock. */
const RETRY_MS = 5;
/** How long hooks wait for another process that drains the spool. */
const DEFAULT_WAIT_MS = 100;

/**
 * Analyses the spooled calls of a project and appends them to its logs, each of them once, whatever other processes do.
 * False when another process is still draining after `waitMs`. Throws YoreError; the calls then stay in the spool.
 */
export function drainSpool(options: RecorderOptions, waitMs = 0): boolean {
  const spool = new Spool(options.directory);
  const lock = join(options.directory, 'spool.lock');
  const deadline = Date.now() + waitMs;
  while (!spool.isEmpty()) {
    const isDone = tryWithLock(lock, () => {
      drain(spool, options);
      return true;
    });
    if (isDone === true) return true;
    if (Date.now() >= deadline) return false;
    sleepSync(RETRY_MS);
  }
  return true;
}

/** Like {@link drainSpool}, for hooks: reports errors instead of throwing them, and returns false. */
export function tryDrainSpool(
  options: RecorderOptions,
  onProblem: (problem: unknown) => void,
  waitMs: number = DEFAULT_WAIT_MS,
): boolean {
  try {
    return drainSpool(options, waitMs);
  } catch (error) {
    onProblem(error);
    return false;
  }
}

function drain(spool: Spool, options: RecorderOptions): void {
  const recorder = new Recorder(options);
  try {
    if (spool.hasTaken()) {
      // Another process crashed before it dropped these. Some of them may be in the logs.
      for (const call of spool.taken()) record(recorder, call, true);
      spool.drop();
    }
    if (spool.take()) {
      for (const call of spool.taken()) record(recorder, call, call.mayBeDuplicate === true);
      spool.drop();
    }
    recorder.guard.store.saveChanges((options.now ?? Date.now)());
  } finally {
    recorder.close();
  }
}

/** A damaged call is skipped. A storage error ends the drain, so that all calls stay in the spool. */
function record(recorder: Recorder, call: SpooledCall, isRetry: boolean): void {
  try {
    recorder.recordSpooled(call, isRetry);
  } catch (error) {
    if (error instanceof YoreError) throw error;
  }
}
