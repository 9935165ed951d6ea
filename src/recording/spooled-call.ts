import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ResultSummary } from '../facts/call/call-result.ts';
import type { CallFields } from '../facts/call/describe-call.ts';
import { readIfExists } from '../files/file-access.ts';
import { readBackwards } from '../log/read.ts';
import { parseObject } from '../record/object.ts';
import { RECORD_VERSION } from '../record/record.ts';

/**
 * A call in the spool: redacted and truncated, with everything its record needs. It already has the id of that record,
 * so that a crashed drain can be repeated without recording a call twice.
 */
export interface SpooledCall extends CallFields, ResultSummary {
  readonly v: number;
  readonly id: string;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly sessionId: string;
  readonly callId?: string;
  /** The line may have been added before; see `Spool.add`. */
  readonly mayBeDuplicate?: true;
}

/** The files of a spool, beside the logs in `directory`. */
export function spoolPaths(directory: string): Readonly<Record<'added' | 'taken' | 'progress' | 'newer', string>> {
  return {
    /** Where hooks add calls. */
    added: join(directory, 'spool.jsonl'),
    /** What a drain has taken and not dropped yet. */
    taken: join(directory, 'spool.taken'),
    /** How far the drain has come. */
    progress: join(directory, 'spool.progress'),
    /** Lines of a newer version of yore, which drains them. */
    newer: join(directory, 'spool.newer'),
  };
}

/** Whether a spool holds no calls, not even some that are being drained. */
export function isSpoolEmpty({ added, taken }: ReturnType<typeof spoolPaths>): boolean {
  return !existsSync(added) && !existsSync(taken);
}

/** Bytes of each file that {@link readSpool} reads: an agent waits for it. */
const MAX_READ_BYTES = 1024 * 1024;

/** The latest calls in the spool of a project, oldest first, including those that are being drained. */
export function readSpool(directory: string): readonly SpooledCall[] {
  const { taken, added } = spoolPaths(directory);
  return [taken, added].flatMap((path) =>
    // A failed read takes much longer than this check.
    existsSync(path)
      ? [...readBackwards(path, MAX_READ_BYTES)].reverse().flatMap((line) => parseSpooledCall(line) ?? [])
      : [],
  );
}

/** The lines of one file of a spool. */
export function readSpoolLines(path: string): readonly string[] {
  return existsSync(path) ? (readIfExists(path) ?? '').split('\n') : [];
}

/** Whether only a newer version of yore can read a line. */
export function isNewerLine(line: string): boolean {
  const version = parseObject(line)?.v;
  return typeof version === 'number' && version > RECORD_VERSION;
}

const ENDINGS: readonly unknown[] = ['ok', 'failed', 'rejected', 'denied', 'interrupted', 'cancelled', 'unclear'];

/** A line of a spool; undefined when it is damaged or of another version. */
export function parseSpooledCall(line: string): SpooledCall | undefined {
  const value = parseObject(line);
  if (value === undefined) return undefined;
  const { v, id, timestamp, sessionId, tool, ending } = value;
  const isComplete = [id, timestamp, sessionId, tool].every((text) => typeof text === 'string');
  const isKnown = v === RECORD_VERSION && isComplete && ENDINGS.includes(ending);
  return isKnown && !Number.isNaN(Date.parse(String(timestamp))) ? (value as unknown as SpooledCall) : undefined;
}
