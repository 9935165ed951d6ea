import { formatAttemptPreview, formatPreview } from '../../history/index.ts';
import { OUTCOMES, type Outcome, type Role } from '../../record/index.ts';
import { isAttempt, SEARCHED_LOGS, type Searchable, type SearchedLog } from '../searchable.ts';
import type { Connection } from './connection.ts';

/** What the index knows of a session. The names are those of the table. */
export interface SessionRow {
  readonly id: number;
  readonly project: number;
  readonly name: string;
  messages: number;
  failures: number;
  successes: number;
  /** The first message, or the first attempt when there is no message. */
  firstIsMessage: number | null;
  firstDocument: number | null;
  firstTime: number | null;
  timestamp: string | null;
  preview: string | null;
  role: string | null;
  firstAgent: string | null;
  firstBranch: string | null;
  /** The last message, checkpoint or attempt. */
  lastDocument: number | null;
  lastTime: number | null;
  lastActivity: string | null;
  lastAgent: string | null;
  lastBranch: string | null;
  /** Of which roles and outcomes it has records, as bits. */
  kinds: number;
}

/** A record with its place in the logs. */
interface PlacedRecord {
  readonly document: number;
  readonly time: number;
  readonly log: SearchedLog;
  /** Of the segment in its log. */
  readonly position: number;
  readonly start: number;
  readonly record: Searchable;
}

/** A session of which nothing is known yet. */
export function emptySession(id: number, project: number, name: string): SessionRow {
  return {
    id,
    project,
    name,
    messages: 0,
    failures: 0,
    successes: 0,
    firstIsMessage: null,
    firstDocument: null,
    firstTime: null,
    timestamp: null,
    preview: null,
    role: null,
    firstAgent: null,
    firstBranch: null,
    lastDocument: null,
    lastTime: null,
    lastActivity: null,
    lastAgent: null,
    lastBranch: null,
    kinds: 0,
  };
}

/**
 * Adds a record to its session. Records may come in any order: where times are equal, the order in which they were
 * written decides, so that an index made at once equals one that grew.
 */
export function addToSession(connection: Connection, row: SessionRow, placed: PlacedRecord): void {
  const { record } = placed;
  const isMessage = !isAttempt(record);
  const isCheckpoint = isMessage && record.kind === 'checkpoint';
  row.kinds |= characterKind(record);
  if (isMessage && !isCheckpoint) row.messages++;
  if (isAttempt(record) && record.outcome === 'failure') row.failures++;
  if (isAttempt(record) && record.outcome === 'success') row.successes++;
  if (!isCheckpoint && becomesFirst(connection, row, placed, isMessage)) {
    row.firstIsMessage = isMessage ? 1 : 0;
    row.firstDocument = placed.document;
    row.firstTime = placed.time;
    row.timestamp = record.timestamp;
    row.preview = isMessage ? formatPreview(record.content) : formatAttemptPreview(record);
    row.role = isMessage ? record.role : null;
    row.firstAgent = record.agent ?? null;
    row.firstBranch = record.branch ?? null;
  }
  if (row.lastTime === null || order(connection, placed, row.lastTime, row.lastDocument) > 0) {
    row.lastDocument = placed.document;
    row.lastTime = placed.time;
    row.lastActivity = record.timestamp;
    row.lastAgent = record.agent ?? null;
    row.lastBranch = record.branch ?? null;
  }
}

function becomesFirst(
  connection: Connection,
  row: SessionRow,
  placed: PlacedRecord,
  isMessage: boolean,
): boolean {
  if (row.firstTime === null) return true;
  if (isMessage !== (row.firstIsMessage === 1)) return isMessage;
  return order(connection, placed, row.firstTime, row.firstDocument) < 0;
}

/** Negative when `placed` comes before the other document, positive when after it. */
function order(connection: Connection, placed: PlacedRecord, time: number, document: number | null): number {
  if (placed.time !== time) return placed.time - time;
  const other = connection.get<{
    readonly log: SearchedLog;
    readonly position: number;
    readonly start: number;
  }>(
    'SELECT log, position, start FROM document JOIN file ON file.id = document.file WHERE document.id = ?',
    document,
  );
  if (!other) return 1;
  return (
    SEARCHED_LOGS.indexOf(placed.log) - SEARCHED_LOGS.indexOf(other.log) ||
    placed.position - other.position ||
    placed.start - other.start
  );
}

/** Writes a session, or removes it when it has no record left. */
export function saveSession(connection: Connection, row: SessionRow): void {
  if (row.lastDocument === null) {
    connection.run('DELETE FROM session WHERE id = ?', row.id);
    return;
  }
  connection.run(
    'INSERT OR REPLACE INTO session VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    row.id,
    row.project,
    row.name,
    row.messages,
    row.failures,
    row.successes,
    row.firstIsMessage,
    row.firstDocument,
    row.firstTime,
    row.timestamp,
    row.preview,
    row.role,
    row.firstAgent,
    row.firstBranch,
    row.lastDocument,
    row.lastTime,
    row.lastActivity,
    row.lastAgent,
    row.lastBranch,
    row.kinds,
  );
}

const ROLES: readonly Role[] = ['user', 'assistant'];

/** The bit that stands for messages of a role. */
export function roleKind(role: Role): number {
  return bit(ROLES.indexOf(role));
}

/** The bit that stands for attempts that ended so. */
export function outcomeKind(outcome: Outcome): number {
  return bit(ROLES.length + OUTCOMES.indexOf(outcome));
}

/** The bit that stands for what a record is; none for a checkpoint, which nobody said. */
export function characterKind(record: Searchable): number {
  if (isAttempt(record)) return outcomeKind(record.outcome);
  return record.kind === 'checkpoint' ? 0 : roleKind(record.role);
}

function bit(place: number): number {
  return place < 0 ? 0 : 1 << place;
}
