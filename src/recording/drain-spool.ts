import { join } from 'node:path';
import { statIfExists } from '../files/file-access.ts';
import { sleepSync, tryWithLock } from '../files/lock.ts';
import { syncLog } from '../log/append.ts';
import { readLogLines } from '../log/read.ts';
import { ATTEMPT_LOGS, listSegments, openSegmentPath } from '../log/segments.ts';
import { YoreError } from '../record/error.ts';
import { Recorder, type RecorderOptions } from './recorder.ts';
import { Spool, type SpoolProgress } from './spool.ts';
import type { SpooledCall } from './spooled-call.ts';

/** Interval between attempts to get the lock. */
const RETRY_MS = 5;
/** How long hooks wait for another process that drains the spool. */
const DEFAULT_WAIT_MS = 100;

/** How a spool is drained. */
export interface DrainOptions {
  /** How long to wait for another process that drains the spool, in milliseconds. Default: not at all. */
  readonly waitMs?: number;
  /** Whether the time is up. What is left then is drained the next time. Default: never. */
  readonly isOver?: () => boolean;
}

/**
 * Analyses the spooled calls of a project and appends them to its logs, each of them once, whatever other processes do.
 * False when another process is still draining after `waitMs`, or when there was not enough time. Throws YoreError; the
 * calls then stay in the spool.
 */
export function drainSpool(options: RecorderOptions, { waitMs = 0, isOver = never }: DrainOptions = {}): boolean {
  const spool = new Spool(options.directory);
  const lock = join(options.directory, 'spool.lock');
  const deadline = Date.now() + waitMs;
  while (!spool.isEmpty()) {
    const isDone = tryWithLock(lock, () => drain(spool, options, isOver));
    if (isDone !== undefined) return isDone;
    if (Date.now() >= deadline) return false;
    sleepSync(RETRY_MS);
  }
  return true;
}

/**
 * Like {@link drainSpool}, for hooks: takes half of the time that is left, since what was drained has to be saved, and
 * reports errors instead of throwing them.
 */
export function tryDrainSpool(
  options: RecorderOptions,
  {
    onProblem,
    timeLeft,
    waitMs = DEFAULT_WAIT_MS,
  }: { readonly onProblem: (problem: unknown) => void; readonly timeLeft: () => number; readonly waitMs?: number },
): boolean {
  try {
    const reservedMs = timeLeft() / 2;
    return drainSpool(options, { waitMs, isOver: () => timeLeft() < reservedMs });
  } catch (error) {
    onProblem(error);
    return false;
  }
}

function never(): boolean {
  return false;
}

/** Returns false when there was not enough time. */
function drain(spool: Spool, options: RecorderOptions, isOver: () => boolean): boolean {
  const recorder = new Recorder(options);
  for (const call of spool.kept()) record(recorder, call, undefined);
  spool.keepNewer([]);
  return (
    (!spool.hasTaken() || drainTaken(spool, recorder, options.directory, { isRetry: true, isOver })) &&
    (!take(spool, options.directory) || drainTaken(spool, recorder, options.directory, { isRetry: false, isOver }))
  );
}

function take(spool: Spool, directory: string): boolean {
  spool.writeProgress({ offset: 0, logs: readLogSizes(directory) });
  if (spool.take()) return true;
  spool.drop();
  return false;
}

/**
 * Drains what was taken, slice by slice, at least one. `isRetry`: another process did not get to the end of it, and has
 * perhaps appended some calls of the slice that it was at.
 */
function drainTaken(
  spool: Spool,
  recorder: Recorder,
  directory: string,
  { isRetry, isOver }: { readonly isRetry: boolean; readonly isOver: () => boolean },
): boolean {
  const begun = isRetry ? spool.readProgress() : undefined;
  let recorded = isRetry ? readRecordIds(directory, begun?.logs ?? {}) : undefined;
  for (let offset = begun?.offset ?? 0; ; ) {
    const { calls, newer, end, isLast } = spool.slice(offset);
    for (const call of calls) record(recorder, call, recorded);
    spool.keepNewer(newer);
    if (isLast) break;
    offset = end;
    recorded = undefined;
    spool.writeProgress({ offset, logs: readLogSizes(directory) });
    if (isOver()) return false;
  }
  syncLogs(directory, spool.takenAt());
  spool.drop();
  return true;
}

/** After a power failure, a call is in the logs or still in the spool. */
function syncLogs(directory: string, since: number): void {
  for (const log of ATTEMPT_LOGS) {
    const segments = listSegments(directory, log).filter(({ path }) => (statIfExists(path)?.mtimeMs ?? 0) >= since);
    for (const { path } of segments) syncLog(path);
  }
}

/** A damaged call is skipped. A storage error ends the drain, so that all calls stay in the spool. */
function record(recorder: Recorder, call: SpooledCall, recorded: ReadonlySet<string> | undefined): void {
  try {
    recorder.recordSpooled(call, recorded);
  } catch (error) {
    if (error instanceof YoreError) throw error;
  }
}

function readLogSizes(directory: string): SpoolProgress['logs'] {
  const sizes = ATTEMPT_LOGS.flatMap((log) => {
    const found = statIfExists(openSegmentPath(directory, log));
    return found === undefined ? [] : [[log, [found.ino, found.size]] as const];
  });
  return Object.fromEntries(sizes);
}

/** The id of a record in a line of a log. */
const RECORD_ID = /"id":"([^"]{1,60})"/;

/** The ids of records that were appended since the logs had these sizes; of all records of a log that was rewritten since. */
function readRecordIds(directory: string, sizes: SpoolProgress['logs']): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const log of ATTEMPT_LOGS) {
    const [inode, size = 0] = sizes[log] ?? [];
    const segments = listSegments(directory, log).map(({ path }) => ({ path, ino: statIfExists(path)?.ino }));
    const begun = segments.findIndex(({ ino }) => ino === inode);
    for (const [index, { path }] of segments.entries()) {
      if (index < begun) continue;
      for (const { text } of readLogLines(path, { from: index === begun ? size : 0 })) {
        const id = RECORD_ID.exec(text)?.[1];
        if (id !== undefined) ids.add(id);
      }
    }
  }
  return ids;
}
