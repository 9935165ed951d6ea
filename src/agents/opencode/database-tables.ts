import { parseObject } from '../../record/object.ts';
import type { Database, Statement } from '../../sqlite/database.ts';
import { asFields, asName, asText, type Fields } from '../transcript/fields.ts';

/** A message as a row of its table. */
export interface MessageRow {
  /** Increases with every row that is added. */
  readonly row: number;
  readonly id: string;
  readonly sessionId: string;
  /** In epoch milliseconds. */
  readonly time: number;
  /** Only in version 2. */
  readonly type: string | undefined;
  /** Undefined when it is not a JSON object or too large. */
  readonly data: Fields | undefined;
}

/** The tables of messages: version 1 has parts in another table, version 2 has them in the message. */
export type MessageTableName = 'message' | 'session_message';

/** Larger values are not read. */
const MAX_VALUE_BYTES = 64 * 1024 * 1024;
const BATCH_SIZE = 20;

/** The tables of an opencode database, in any of its versions. Throws what SQLite throws. */
export class OpencodeTables {
  readonly names: readonly MessageTableName[];
  readonly #database: Database;
  readonly #columns = new Map<string, ReadonlySet<string>>();
  readonly #statements = new Map<string, Statement>();

  constructor(database: Database) {
    this.#database = database;
    this.names = (['message', 'session_message'] as const).filter((name) =>
      ['id', 'session_id', 'data'].every((column) => this.#columnsOf(name).has(column)),
    );
  }

  /** Rows that were added after the given one, in order; of one session if it is given. */
  *after(table: MessageTableName, row: number, sessionId?: string): Generator<MessageRow> {
    const ofSession = sessionId === undefined ? '' : 'and session_id = ?';
    const sql = `${this.#selectRow(table)} where rowid > ? ${ofSession} order by rowid limit ${BATCH_SIZE}`;
    for (let last = row; ; ) {
      // No statement stays open between batches, so that opencode can write.
      const rows = this.#prepare(sql).all(...[last, sessionId].filter((value) => value !== undefined));
      const found = rows.flatMap((value) => parseRow(value) ?? []);
      if (found.length === 0) return;
      yield* found;
      last = found.at(-1)?.row ?? last;
    }
  }

  byId(table: MessageTableName, id: string): MessageRow | undefined {
    return parseRow(this.#prepare(`${this.#selectRow(table)} where id = ?`).get(id));
  }

  /** The id of a row; undefined when there is none. */
  idAt(table: MessageTableName, row: number): string | undefined {
    return asName(asFields(this.#prepare(`select id from ${table} where rowid = ?`).get(row))?.id);
  }

  /** The last row that was created until a time; 0 when there is none. */
  lastUntil(table: MessageTableName, time: number): number {
    if (!this.#columnsOf(table).has('time_created')) return 0;
    const sql = `select max(rowid) as last from ${table} where time_created <= ?`;
    return Number(asFields(this.#prepare(sql).get(time))?.last ?? 0);
  }

  lastRow(table: MessageTableName): number {
    return Number(asFields(this.#prepare(`select max(rowid) as last from ${table}`).get())?.last ?? 0);
  }

  /** The parts of a message in order; undefined for a part that is not a JSON object. */
  partsOf(messageId: string): readonly (Fields | undefined)[] {
    if (!this.#columnsOf('part').has('message_id')) return [];
    const sql = `select id, ${limitSize('data')} as data from part where message_id = ? order by id`;
    return this.#prepare(sql)
      .all(messageId)
      .map((value) => parseObject(asText(asFields(value)?.data) ?? ''));
  }

  hasParts(messageId: string): boolean {
    if (!this.#columnsOf('part').has('message_id')) return false;
    return this.#prepare('select 1 as found from part where message_id = ? limit 1').get(messageId) !== undefined;
  }

  /** Whether a session has a reply after a row. */
  hasReplyAfter(sessionId: string, row: number): boolean {
    const sql = `select 1 as found from message where session_id = ? and rowid > ?
      and (data like '%"role":"assistant"%' or data like '%"role": "assistant"%') limit 1`;
    return this.#prepare(sql).get(sessionId, row) !== undefined;
  }

  /** When the last version 1 message of a session was created; 0 when there is none. */
  lastVersion1Time(sessionId: string): number {
    if (!this.names.includes('message') || !this.#columnsOf('message').has('time_created')) return 0;
    const sql = 'select max(time_created) as last from message where session_id = ?';
    return Number(asFields(this.#prepare(sql).get(sessionId))?.last ?? 0);
  }

  /** The row of a session; empty when there is none. */
  findSession(sessionId: string): Fields {
    for (const table of ['session_v2', 'session']) {
      if (!this.#columnsOf(table).has('id')) continue;
      const found = asFields(this.#prepare(`select * from ${table} where id = ?`).get(sessionId));
      if (found) return found;
    }
    return {};
  }

  #selectRow(table: MessageTableName): string {
    const columns = this.#columnsOf(table);
    const time = columns.has('time_created') ? 'time_created' : '0';
    const type = columns.has('type') ? 'type' : 'null';
    return `select rowid as row, id, session_id as sessionId, ${time} as time, ${type} as type,
      ${limitSize('data')} as data from ${table}`;
  }

  #columnsOf(table: string): ReadonlySet<string> {
    const known = this.#columns.get(table);
    if (known) return known;
    const found = this.#database.prepare(`select name from pragma_table_info('${table}')`).all();
    const names = new Set(found.flatMap((row) => asText(asFields(row)?.name) ?? []));
    this.#columns.set(table, names);
    return names;
  }

  #prepare(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

function limitSize(column: string): string {
  return `case when length(${column}) <= ${MAX_VALUE_BYTES} then ${column} end`;
}

function parseRow(value: unknown): MessageRow | undefined {
  const fields = asFields(value);
  const row = Number(fields?.row);
  if (!fields || !Number.isSafeInteger(row)) return undefined;
  const time = Number(fields.time);
  return {
    row,
    id: asName(fields.id) ?? `row-${row}`,
    sessionId: asName(fields.sessionId) ?? 'unknown',
    time: Number.isSafeInteger(time) ? time : 0,
    type: asName(fields.type),
    data: parseObject(asText(fields.data) ?? ''),
  };
}
