import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readIfExists } from '../files/file-access.ts';
import type { ResultSummary } from '../memory/call/call-result.ts';
import type { CallFields } from '../memory/call/describe-call.ts';
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
export function spoolPaths(directory: string): Readonly<Record<'added' | 'taken' | 'newer', string>> {
  return {
    /** Where hooks add calls. */
    added: join(directory, 'spool.jsonl'),
    /** What a drain has taken and not dropped yet. */
    taken: join(directory, 'spool.taken'),
    /** Lines of a newer version of yore, which drains them. */
    newer: join(directory, 'spool.newer'),
  };
}

/** All calls in the spool of a project, oldest first, including those that are being drained. */
export function readSpool(directory: string): readonly SpooledCall[] {
  const { taken, added } = spoolPaths(directory);
  return [taken, added].flatMap(readCalls);
}

/** The calls in one file of a spool. Damaged lines and those of other versions are left out. */
export function readCalls(path: string): readonly SpooledCall[] {
  return readSpoolLines(path).flatMap((line) => parseSpooledCall(line) ?? []);
}

/** The lines of one file of a spool that only a newer version of yore can read. */
export function readNewerLines(path: string): readonly string[] {
  return readSpoolLines(path).filter((line) => {
    const version = parseObject(line)?.v;
    return typeof version === 'number' && version > RECORD_VERSION;
  });
}

function readSpoolLines(path: string): readonly string[] {
  // A failed read takes much longer than this check.
  return existsSync(path) ? (readIfExists(path) ?? '').split('\n') : [];
}

const ENDINGS: readonly unknown[] = ['ok', 'failed', 'rejected', 'denied', 'interrupted', 'cancelled', 'unclear'];

/** Undefined when the line is damaged or of another version. */
function parseSpooledCall(line: string): SpooledCall | undefined {
  const value = parseObject(line);
  if (value === undefined) return undefined;
  const { v, id, timestamp, sessionId, tool, ending } = value;
  const isComplete = [id, timestamp, sessionId, tool].every((text) => typeof text === 'string');
  const isKnown = v === RECORD_VERSION && isComplete && ENDINGS.includes(ending);
  return isKnown && !Number.isNaN(Date.parse(String(timestamp))) ? (value as unknown as SpooledCall) : undefined;
}
