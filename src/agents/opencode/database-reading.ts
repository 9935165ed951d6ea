import { isAbsolute } from 'node:path';
import { statIfExists, storageError } from '../../files/index.ts';
import { type Database, openForeignDatabase } from '../../sqlite/index.ts';
import {
  asCount,
  asFields,
  asList,
  asName,
  defined,
  type Fields,
  parseFields,
} from '../transcript/fields.ts';
import { problem, skip, type TranscriptEvent } from '../transcript/transcript-event.ts';
import type { ReadPosition, TranscriptReading, TranscriptSource } from '../transcript/transcript-source.ts';
import { type MessageRow, type MessageTableName, OpencodeTables } from './database-tables.ts';
import { isComplete, isSettled, messageEvents, sessionMessageEvents } from './message-events.ts';

const START: TablePosition = { row: 0, id: '', time: 0, open: [] };

/**
 * Reads the database of opencode, which may be writing to it. A message is told when it is complete; one that is not is
 * kept in mind, and those after it are read. A database that cannot be read now is a problem, and read next time.
 */
export class DatabaseReading implements TranscriptReading {
  readonly isResumed: boolean;
  readonly events: Iterable<TranscriptEvent>;
  readonly #source: TranscriptSource;
  readonly #introduced = new Set<string>();
  readonly #lastOfVersion1 = new Map<string, number>();
  #position: DatabasePosition;
  #share = 0;
  #linesRead = 0;

  constructor(source: TranscriptSource, position: ReadPosition | undefined) {
    this.#source = source;
    this.#position = asDatabasePosition(position);
    this.isResumed = Object.keys(this.#position.tables).length > 0;
    this.events = this.#read();
  }

  position(): ReadPosition {
    return { ...this.#position };
  }

  bytesRead(): number {
    return Math.floor(this.#source.size * this.#share);
  }

  linesRead(): number {
    return this.#linesRead;
  }

  *#read(): Generator<TranscriptEvent> {
    const { path } = this.#source;
    if (!statIfExists(path)?.isFile()) throw storageError('read', path, new Error('there is no such file'));
    let database: Database | undefined;
    try {
      database = openForeignDatabase(path);
      const tables = new OpencodeTables(database);
      if (tables.names.length === 0) yield problem('database without messages');
      for (const name of tables.names) yield* this.#readTable(tables, name);
      this.#share = 1;
    } catch (error) {
      yield problem(reasonOf(error));
    } finally {
      database?.close();
    }
  }

  *#readTable(tables: OpencodeTables, name: MessageTableName): Generator<TranscriptEvent> {
    const kept = this.#position.tables[name] ?? START;
    const first = placeOf(tables, name, kept);
    const last = Math.max(1, tables.lastRow(name));
    for (const id of kept.open) {
      const row = tables.byId(name, id);
      if (row && !isDone(tables, name, row)) continue;
      if (row) yield* this.#tell(tables, name, row);
      this.#close(name, id);
    }
    for (const row of tables.after(name, first)) {
      this.#linesRead++;
      if (isDone(tables, name, row)) yield* this.#tell(tables, name, row);
      else yield* this.#postpone(tables, name, row);
      this.#moveTo(name, row);
      this.#share = (row.row / last) * (name === 'message' ? 0.9 : 1);
    }
  }

  /** Tells a message, but for the events of it that were handed out before. */
  *#tell(tables: OpencodeTables, name: MessageTableName, row: MessageRow): Generator<TranscriptEvent> {
    const { begun } = this.#position;
    const isBegun = begun?.id === row.id;
    if (isBegun) this.#introduced.add(row.sessionId);
    else this.#position = { ...this.#position, begun: { id: row.id, given: 0 } };
    yield* this.#introduce(tables, row.sessionId);
    const known = isBegun ? begun.given : 0;
    let given = 0;
    for (const event of this.#eventsOf(tables, name, row)) {
      given++;
      if (given <= known) continue;
      this.#position = { ...this.#position, begun: { id: row.id, given } };
      yield event;
    }
  }

  *#introduce(tables: OpencodeTables, sessionId: string): Generator<TranscriptEvent> {
    if (this.#introduced.has(sessionId)) return;
    this.#introduced.add(sessionId);
    const session = tables.sessionOf(sessionId);
    const forkedFrom = asName(session.fork_session_id);
    const folder = asName(session.directory);
    yield {
      type: 'session',
      sessionId,
      ...defined({
        parentSessionId: asName(session.parent_id) ?? forkedFrom,
        isFork: forkedFrom === undefined ? undefined : true,
        cwd: folder !== undefined && isAbsolute(folder) ? folder : undefined,
        model: asName(asFields(parseFields(asName(session.model) ?? ''))?.id),
      }),
    };
  }

  *#eventsOf(tables: OpencodeTables, name: MessageTableName, row: MessageRow): Generator<TranscriptEvent> {
    if (!row.data) {
      yield problem('not a JSON object');
      return;
    }
    if (name === 'session_message') {
      if (row.time <= this.#version1Until(tables, row.sessionId))
        yield skip('also in the table of version 1');
      else yield* sessionMessageEvents(row.type ?? row.data.type, row.id, row.data, row.sessionId);
      return;
    }
    const parts = tables.partsOf(row.id);
    this.#linesRead += parts.length;
    const understood = parts.filter((part) => part !== undefined);
    for (let bad = understood.length; bad < parts.length; bad++) yield problem('not a JSON object');
    yield* messageEvents({ ...row.data, id: row.id }, understood, row.sessionId);
  }

  *#postpone(tables: OpencodeTables, name: MessageTableName, row: MessageRow): Generator<TranscriptEvent> {
    const { open } = this.#position.tables[name] ?? START;
    const oldest = open.length >= MOST_OPEN ? open[0] : undefined;
    const found = oldest === undefined ? undefined : tables.byId(name, oldest);
    if (found) yield* this.#tell(tables, name, found);
    if (oldest !== undefined) this.#close(name, oldest);
    const kept = this.#position.tables[name] ?? START;
    this.#move(name, { ...kept, open: [...kept.open, row.id] });
  }

  #version1Until(tables: OpencodeTables, sessionId: string): number {
    const known = this.#lastOfVersion1.get(sessionId);
    if (known !== undefined) return known;
    const until = tables.lastOfVersion1(sessionId);
    this.#lastOfVersion1.set(sessionId, until);
    return until;
  }

  #moveTo(name: MessageTableName, row: MessageRow): void {
    const { open } = this.#position.tables[name] ?? START;
    this.#move(name, { row: row.row, id: row.id, time: row.time, open });
  }

  #close(name: MessageTableName, id: string): void {
    const kept = this.#position.tables[name] ?? START;
    this.#move(name, { ...kept, open: kept.open.filter((open) => open !== id) });
  }

  #move(name: MessageTableName, position: TablePosition): void {
    this.#position = { tables: { ...this.#position.tables, [name]: position } };
  }
}

/** Where to go on: rows are numbered anew when the database is compacted, and may have been deleted. */
function placeOf(tables: OpencodeTables, name: MessageTableName, kept: TablePosition): number {
  if (kept.row === 0 || tables.idAt(name, kept.row) === kept.id) return kept.row;
  return tables.byId(name, kept.id)?.row ?? tables.lastUntil(name, kept.time);
}

/** A reply that was cut off is complete once the next one began; a request once it has a part. */
function isDone(tables: OpencodeTables, name: MessageTableName, row: MessageRow): boolean {
  if (!row.data) return true;
  if (name === 'session_message') return isSettled(row.type ?? row.data.type, row.data);
  const hasAll = row.data.role === 'user' ? tables.hasParts(row.id) : isComplete(row.data);
  return hasAll || tables.hasReplyAfter(row.sessionId, row.row);
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  if (/locked|busy/i.test(message)) return 'database is locked';
  return /not a database|malformed|corrupt/i.test(message)
    ? 'database is damaged'
    : 'database cannot be read';
}

/** How far a table was read. */
interface TablePosition {
  /** The last row that was looked at, what was in it, and its time: rows may be numbered anew. */
  readonly row: number;
  readonly id: string;
  readonly time: number;
  /** Ids of messages up to there that were not complete. */
  readonly open: readonly string[];
}

/** How far a database was read. */
interface DatabasePosition {
  readonly tables: Readonly<Partial<Record<MessageTableName, TablePosition>>>;
  /** A message that was begun to be told: its session was, and some of its events. */
  readonly begun?: { readonly id: string; readonly given: number };
}

/** Messages that are not complete and kept in mind; more of them are told as they are, the oldest first. */
const MOST_OPEN = 40;

/** A position that was kept; the beginning where it makes no sense. */
function asDatabasePosition(position: ReadPosition | undefined): DatabasePosition {
  const tables = asFields(position?.tables);
  const message = asTablePosition(asFields(tables?.message));
  const sessionMessage = asTablePosition(asFields(tables?.session_message));
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

function asTablePosition(position: Fields | undefined): TablePosition | undefined {
  const row = asCount(position?.row);
  const id = asName(position?.id);
  if (row === undefined || id === undefined) return undefined;
  const open = asList(position?.open).flatMap((item) => asName(item) ?? []);
  return { row, id, time: asCount(position?.time) ?? 0, open: open.slice(0, MOST_OPEN) };
}
