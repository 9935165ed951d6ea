import { type LogCursor, readSince } from '../../../log/follow.ts';
import { archiveFolder, type LogName } from '../../../log/segments.ts';
import { parseObject } from '../../../record/object.ts';
import { type Parsed, parseAttempt, parseHistoryRecord } from '../../../record/parse.ts';
import type { Attempt, HistoryRecord } from '../../../record/record.ts';
import { aggregateFailure, describeFailure } from '../aggregate/failures.ts';
import { aggregateMessage } from '../aggregate/messages.ts';
import type { SessionState } from '../aggregate/session.ts';
import { aggregateSuccess, describeSuccess } from '../aggregate/successes.ts';
import type { SessionWriter } from './session-writer.ts';

/** The logs that digests are made from. */
export const DIGESTED_LOGS: readonly LogName[] = ['history', 'failures', 'successes'];

/** The aggregates that records are added to. */
export interface AggregateTarget {
  readonly writer: SessionWriter;
  readonly tombstones: Map<string, string>;
}

/** `mustRestart`: the snapshot does not fit the logs, which have to be read again from the beginning. */
export type AggregateResult =
  | { readonly mustRestart: true }
  | { readonly mustRestart: false; readonly records: number; readonly skipped: number };

/** Lines between two reports of progress. */
const REPORTED_LINES = 500;

/**
 * Adds log lines to the aggregates. Unreadable lines are skipped and counted, records of deleted sessions ignored. `onRead`
 * is called now and then with the number of bytes read.
 */
export function aggregateLines(
  entries: ReturnType<typeof readSince>['lines'],
  { writer, tombstones }: AggregateTarget,
  onRead?: (bytes: number) => void,
): AggregateResult {
  let records = 0;
  let skipped = 0;
  let lines = 0;
  let bytes = 0;
  for (const { log, line } of entries) {
    bytes += line.end - line.offset;
    if (++lines % REPORTED_LINES === 0) onRead?.(bytes);
    const record = parseRecord(log, line.text);
    if (!record) {
      skipped++;
      continue;
    }
    const { sessionId, timestamp } = record;
    if (isTombstone(record)) {
      const isNew = (tombstones.get(sessionId) ?? '') < timestamp;
      if (isNew && writer.has(sessionId)) return { mustRestart: true };
      if (isNew) tombstones.set(sessionId, timestamp);
      continue;
    }
    // Nothing is learned from what a stranger may have written.
    if (record.foreign) continue;
    const forgottenUntil = tombstones.get(sessionId);
    if (forgottenUntil !== undefined && timestamp <= forgottenUntil) continue;
    records++;
    // A note belongs to the project, not to a session.
    if ('outcome' in record && record.pattern !== undefined) continue;
    const state = writer.open(sessionId);
    if (!state) return { mustRestart: true };
    aggregateRecord(log, record, state);
  }
  return { mustRestart: false, records, skipped };
}

/** Reads the tombstones of the history log. */
export function readTombstones(directory: string): Map<string, string> {
  const tombstones = new Map<string, string>();
  for (const { log, line } of readSince(directory, ['history']).lines) {
    if (!line.text.includes('"tombstone"')) continue;
    const record = parseRecord(log, line.text);
    if (!record || !isTombstone(record)) continue;
    const { sessionId, timestamp } = record;
    if ((tombstones.get(sessionId) ?? '') < timestamp) tombstones.set(sessionId, timestamp);
  }
  return tombstones;
}

/** Reads the archived segments of the log of failures. */
export function readArchive(directory: string, cursor?: LogCursor): ReturnType<typeof readSince> {
  return readSince(archiveFolder(directory), ['failures'], cursor);
}

type LogRecord = HistoryRecord | Attempt;

function isTombstone(record: LogRecord): record is Extract<HistoryRecord, { kind: 'tombstone' }> {
  return record.kind === 'tombstone' && !('outcome' in record);
}

function parseRecord(log: LogName, text: string): LogRecord | undefined {
  const value = parseObject(text);
  const parsed: Parsed<LogRecord> = log === 'history' ? parseHistoryRecord(value) : parseAttempt(value);
  return parsed.ok ? parsed.record : undefined;
}

function aggregateRecord(log: LogName, record: LogRecord, state: SessionState): void {
  if ('role' in record) {
    aggregateMessage(state.history, record);
    return;
  }
  if (!('outcome' in record)) return;
  if (log === 'successes') {
    const text = describeSuccess(record);
    aggregateSuccess(state.successes, record, text);
    return;
  }
  const text = describeFailure(record);
  aggregateFailure(state.failures, record, text);
}
