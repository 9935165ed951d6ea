import { statIfExists, storageError } from '../../files/index.ts';
import { messageOf } from '../../record/error.ts';
import { omitUndefined, parseObject } from '../../record/object.ts';
import { type Database, openForeignDatabase } from '../../sqlite/database.ts';
import { asAbsolutePath, asCount, asFields, asList, asName, type Fields } from '../transcript/fields.ts';
import {
  problem,
  type ReadPosition,
  skip,
  type TranscriptEvent,
  type TranscriptReading,
  type TranscriptSource,
} from '../transcript/transcript.ts';
import { type MessageRow, type MessageTableName, OpencodeTables } from './database-tables.ts';
import {
  isComplete,
  isSessionMessageComplete,
  messageEvents,
  parseTitle,
  sessionMessageEvents,
} from './message-events.ts';

const START: TablePosition = { row: 0, id: '', time: 0, open: [] };

/**
 * Reads the database of opencode while opencode may be writing to it. A message is returned when it is complete; one that
 * is not is remembered, and those after it are read. A database that cannot be read now is reported as a problem and read
 * next time.
 */
export class DatabaseReading implements TranscriptReading {
  readonly isResumed: boolean;
  readonly events: Iterable<TranscriptEvent>;
  bytesRead = 0;
  linesRead = 0;
  readonly #source: TranscriptSource;
  readonly #reportedSessions = new Set<string>();
  readonly #lastVersion1Times = new Map<string, number>();
  #position: DatabasePosition;

  constructor(source: TranscriptSource, position: ReadPosition | undefined) {
    this.#source = source;
    this.#position = parsePosition(position);
    this.isResumed = Object.keys(this.#position.tables).length > 0;
    this.events = this.#read();
  }

  position(): ReadPosition {
    return { ...this.#position };
  }

  *#read(): Generator<TranscriptEvent> {
    const { path } = this.#source;
    if (!statIfExists(path)?.isFile()) throw storageError('read', path, new Error('the file does not exist'));
    let database: Database | undefined;
    try {
      database = openForeignDatabase(path);
      const tables = new OpencodeTables(database);
      if (tables.names.length === 0) yield problem('database without messages');
      for (const name of tables.names) yield* this.#readTable(tables, name);
      this.bytesRead = this.#source.size;
    } catch (error) {
      yield problem(describeError(error));
    } finally {
      database?.close();
    }
  }

  *#readTable(tables: OpencodeTables, name: MessageTableName): Generator<TranscriptEvent> {
    const stored = this.#position.tables[name] ?? START;
    const first = findRow(tables, name, stored);
    const last = Math.max(1, tables.lastRow(name));
    for (const id of stored.open) {
      const row = tables.byId(name, id);
      if (row && !isFinished(tables, name, row)) continue;
      if (row) yield* this.#return(tables, name, row);
      this.#close(name, id);
    }
    for (const row of tables.after(name, first, this.#source.sessionId)) {
      this.linesRead++;
      if (isFinished(tables, name, row)) yield* this.#return(tables, name, row);
      else yield* this.#postpone(tables, name, row);
      this.#moveTo(name, row);
      this.bytesRead = Math.floor(this.#source.size * (row.row / last) * (name === 'message' ? 0.9 : 1));
    }
  }

  /** Returns the events of a message, except those that were returned before. */
  *#return(tables: OpencodeTables, name: MessageTableName, row: MessageRow): Generator<TranscriptEvent> {
    const { begun } = this.#position;
    const isBegun = begun?.id === row.id;
    if (isBegun) this.#reportedSessions.add(row.sessionId);
    else this.#position = { ...this.#position, begun: { id: row.id, given: 0 } };
    yield* this.#reportSession(tables, row.sessionId);
    const known = isBegun ? begun.given : 0;
    let given = 0;
    for (const event of this.#eventsOf(tables, name, row)) {
      given++;
      if (given <= known) continue;
      this.#position = { ...this.#position, begun: { id: row.id, given } };
      yield event;
    }
  }

  *#reportSession(tables: OpencodeTables, sessionId: string): Generator<TranscriptEvent> {
    if (this.#reportedSessions.has(sessionId)) return;
    this.#reportedSessions.add(sessionId);
    const session = tables.findSession(sessionId);
    const forkedFrom = asName(session.fork_session_id);
    yield {
      type: 'session',
      sessionId,
      ...omitUndefined({
        parentSessionId: asName(session.parent_id) ?? forkedFrom,
        isFork: forkedFrom === undefined ? undefined : true,
        cwd: asAbsolutePath(session.directory),
        model: asName(parseObject(asName(session.model) ?? '')?.id),
        title: parseTitle(session.title),
      }),
    };
  }

  *#eventsOf(tables: OpencodeTables, name: MessageTableName, row: MessageRow): Generator<TranscriptEvent> {
    if (!row.data) return yield problem('not a JSON object');
    if (name === 'session_message') {
      if (row.time <= this.#lastVersion1Time(tables, row.sessionId)) yield skip('copy of a version 1 message');
      else yield* sessionMessageEvents(row.type ?? row.data.type, row.id, row.data, row.sessionId);
      return;
    }
    const parts = tables.partsOf(row.id);
    this.linesRead += parts.length;
    const understood = parts.filter((part) => part !== undefined);
    for (let bad = understood.length; bad < parts.length; bad++) yield problem('not a JSON object');
    yield* messageEvents({ ...row.data, id: row.id }, understood, row.sessionId);
  }

  *#postpone(tables: OpencodeTables, name: MessageTableName, row: MessageRow): Generator<TranscriptEvent> {
    const { open } = this.#position.tables[name] ?? START;
    const oldest = open.length >= MAX_OPEN ? open[0] : undefined;
    const found = oldest === undefined ? undefined : tables.byId(name, oldest);
    if (found) yield* this.#return(tables, name, found);
    if (oldest !== undefined) this.#close(name, oldest);
    const stored = this.#position.tables[name] ?? START;
    this.#move(name, { ...stored, open: [...stored.open, row.id] });
  }

  #lastVersion1Time(tables: OpencodeTables, sessionId: string): number {
    const known = this.#lastVersion1Times.get(sessionId);
    if (known !== undefined) return known;
    const until = tables.lastVersion1Time(sessionId);
    this.#lastVersion1Times.set(sessionId, until);
    return until;
  }

  #moveTo(name: MessageTableName, row: MessageRow): void {
    const { open } = this.#position.tables[name] ?? START;
    this.#move(name, { row: row.row, id: row.id, time: row.time, open });
  }

  #close(name: MessageTableName, id: string): void {
    const stored = this.#position.tables[name] ?? START;
    this.#move(name, { ...stored, open: stored.open.filter((open) => open !== id) });
  }

  #move(name: MessageTableName, position: TablePosition): void {
    this.#position = { tables: { ...this.#position.tables, [name]: position } };
  }
}

/** The row to continue after: rows get new numbers when the database is vacuumed, and may have been deleted. */
function findRow(tables: OpencodeTables, name: MessageTableName, stored: TablePosition): number {
  if (stored.row === 0 || tables.idAt(name, stored.row) === stored.id) return stored.row;
  return tables.byId(name, stored.id)?.row ?? tables.lastUntil(name, stored.time);
}

/** An interrupted reply counts as finished once the next one has begun, a request once it has a part. */
function isFinished(tables: OpencodeTables, name: MessageTableName, row: MessageRow): boolean {
  if (!row.data) return true;
  if (name === 'session_message') return isSessionMessageComplete(row.type ?? row.data.type, row.data);
  const hasAll = row.data.role === 'user' ? tables.hasParts(row.id) : isComplete(row.data);
  return hasAll || tables.hasReplyAfter(row.sessionId, row.row);
}

function describeError(error: unknown): string {
  const message = messageOf(error);
  if (/locked|busy/i.test(message)) return 'database is locked';
  return /not a database|malformed|corrupt/i.test(message) ? 'database is damaged' : 'database cannot be read';
}

/** How far a table has been read. */
interface TablePosition {
  /** The last row that was read, with its id and time, because rows may get new numbers. */
  readonly row: number;
  readonly id: string;
  readonly time: number;
  /** Ids of messages up to there that were incomplete. */
  readonly open: readonly string[];
}

/** How far a database has been read. */
interface DatabasePosition {
  readonly tables: Readonly<Partial<Record<MessageTableName, TablePosition>>>;
  /** A message whose session and first events have been returned. */
  readonly begun?: { readonly id: string; readonly given: number };
}

/** How many incomplete messages are remembered; beyond that the oldest is returned as it is. */
const MAX_OPEN = 40;

/** Parses a stored position; malformed parts start from the beginning. */
function parsePosition(position: ReadPosition | undefined): DatabasePosition {
  const tables = asFields(position?.tables);
  const message = parseTablePosition(asFields(tables?.message));
  const sessionMessage = parseTablePosition(asFields(tables?.session_message));
  const begun = asFields(position?.begun);
  const id = asName(begun?.id);
  const given = asCount(begun?.given);
  return {
    tables: {
      ...(message ? { message } : {}),
      ...(sessionMessage ? { session_message: sessionMessage } : {}),
    },
    ...(id !== undefined && given !== undefined ? { begun: { id, given } } : {}),
  };
}

function parseTablePosition(position: Fields | undefined): TablePosition | undefined {
  const row = asCount(position?.row);
  const id = asName(position?.id);
  if (row === undefined || id === undefined) return undefined;
  const open = asList(position?.open).flatMap((item) => asName(item) ?? []);
  return { row, id, time: asCount(position?.time) ?? 0, open: open.slice(0, MAX_OPEN) };
}
