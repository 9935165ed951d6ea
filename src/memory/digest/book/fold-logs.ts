import { statSync } from 'node:fs';
import { archiveFolder, type LogCursor, type LogName, listSegments, readSince } from '../../../log/index.ts';
import {
  type Attempt,
  type HistoryRecord,
  type Parsed,
  parseAttempt,
  parseHistoryRecord,
} from '../../../record/index.ts';
import { digestFailure, foldFailure } from '../failure-fold.ts';
import { foldMessage } from '../history-fold.ts';
import type { SessionState } from '../session-state.ts';
import { digestSuccess, foldSuccess } from '../success-fold.ts';
import { isNote } from '../tally/notes.ts';
import type { ProjectTally } from '../tally/project-tally.ts';
import type { SessionStore } from './session-store.ts';

/** The logs a book is made from. */
export const FOLDED_LOGS: readonly LogName[] = ['history', 'failures', 'successes'];

/** What records are folded into. */
export interface FoldTarget {
  readonly store: SessionStore;
  readonly tally: ProjectTally;
  readonly tombstones: Map<string, string>;
}

/** `again`: what is known does not fit the logs, so that they have to be read from the beginning. */
export type Folded =
  | { readonly again: true }
  | { readonly again: false; readonly records: number; readonly skipped: number };

/**
 * Takes in log lines. Lines that cannot be used are counted and skipped; records of forgotten sessions are passed
 * over.
 */
export function foldLines(
  entries: ReturnType<typeof readSince>['lines'],
  { store, tally, tombstones }: FoldTarget,
): Folded {
  let records = 0;
  let skipped = 0;
  for (const { log, line } of entries) {
    const record = parseRecord(log, line.text);
    if (!record) {
      skipped++;
      continue;
    }
    const { sessionId, timestamp } = record;
    if (isTombstone(record)) {
      const isNew = (tombstones.get(sessionId) ?? '') < timestamp;
      if (isNew && (store.has(sessionId) || tally.hasNotesOf(sessionId))) return { again: true };
      if (isNew) tombstones.set(sessionId, timestamp);
      continue;
    }
    const forgottenUntil = tombstones.get(sessionId);
    if (forgottenUntil !== undefined && timestamp <= forgottenUntil) continue;
    records++;
    // A note is for the whole project: it belongs to no session.
    if ('outcome' in record && isNote(record)) {
      tally.addNote(record);
      continue;
    }
    const state = store.open(sessionId);
    if (!state) return { again: true };
    foldRecord(log, record, state, tally);
  }
  return { again: false, records, skipped };
}

/** The tombstones of a history log. Looks into no other line. */
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

/** Reads the archive of failures: whole segments that were moved there, older than those that were not. */
export function readArchive(directory: string, cursor?: LogCursor): ReturnType<typeof readSince> {
  return readSince(archiveFolder(directory), ['failures'], cursor);
}

/** Whether all that is in the archive was read, there or before it was moved there. */
export function isArchiveRead(directory: string, logs: LogCursor, archive: LogCursor): boolean {
  const read = [...(logs.failures ?? []), ...(archive.failures ?? [])];
  return listSegments(archiveFolder(directory), 'failures').every(({ name, path }) => {
    const size = statSync(path, { throwIfNoEntry: false })?.size;
    return read.some((position) => position.name === name && position.offset === size);
  });
}

type LogRecord = HistoryRecord | Attempt;

function isTombstone(record: LogRecord): record is Extract<HistoryRecord, { kind: 'tombstone' }> {
  return record.kind === 'tombstone' && !('outcome' in record);
}

function parseRecord(log: LogName, text: string): LogRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const parsed: Parsed<LogRecord> = log === 'history' ? parseHistoryRecord(value) : parseAttempt(value);
  return parsed.ok ? parsed.record : undefined;
}

function foldRecord(log: LogName, record: LogRecord, state: SessionState, tally: ProjectTally): void {
  if ('role' in record) {
    const request = foldMessage(state.history, record);
    if (request) tally.addRequest(record.sessionId, request);
    return;
  }
  if (!('outcome' in record)) return;
  if (log === 'successes') {
    const did = digestSuccess(record);
    tally.addSuccess(record, did, state.successes);
    foldSuccess(state.successes, record, did);
    return;
  }
  const failed = digestFailure(record);
  tally.addFailure(record, failed);
  foldFailure(state.failures, record, failed);
}
