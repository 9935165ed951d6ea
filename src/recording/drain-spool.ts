import { join } from 'node:path';
import { sleepSync, tryWithLock } from '../files/index.ts';
import { YoreError } from '../record/index.ts';
import type { PendingCall } from './pending-call.ts';
import { Recorder, type RecorderOptions } from './recorder.ts';
import { Spool } from './spool.ts';

const PAUSE_MS = 5;

/**
 * Writes down what hooks have left to be analysed, each call once, whoever else does the same. False when another process
 * is still at it after `waitMs` (default 0). Throws YoreError.
 */
export function drainSpool(options: RecorderOptions, waitMs = 0): boolean {
  const spool = new Spool(options.directory);
  const lock = join(options.directory, 'spool.lock');
  const end = Date.now() + waitMs;
  while (!spool.isEmpty()) {
    const isDone = tryWithLock(lock, () => {
      takeIn(spool, options);
      return true;
    });
    if (isDone === true) return true;
    if (Date.now() >= end) return false;
    sleepSync(PAUSE_MS);
  }
  return true;
}

function takeIn(spool: Spool, options: RecorderOptions): void {
  const recorder = new Recorder(options);
  try {
    // What was taken and not dropped was left by a process that died over it: some of it may be written down.
    if (spool.hasTaken()) {
      for (const call of spool.taken()) write(recorder, call, true);
      spool.drop();
    }
    if (spool.take()) {
      for (const call of spool.taken()) write(recorder, call, call.isAgain === true);
      spool.drop();
    }
    recorder.guard.keep((options.now ?? Date.now)());
  } finally {
    recorder.close();
  }
}

/** What is damaged is left out; where nothing can be written, all of it waits for better times. */
function write(recorder: Recorder, call: PendingCall, isAgain: boolean): void {
  try {
    recorder.recordPending(call, isAgain);
  } catch (error) {
    if (error instanceof YoreError) throw error;
  }
}
