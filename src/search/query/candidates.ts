import type { SqlValue } from '../../sqlite/database.ts';
import type { ReadConnection } from '../../store/connection.ts';
import { areOfOneSecond, idRange } from '../../store/document-ids.ts';
import { projectFilterTerm, queryFilterTerms } from '../../store/filters.ts';
import type { SearchQuery } from '../search-types.ts';
import { allOf, type Expression, phrase } from './expression.ts';

/** The newest matches that FTS5 scores; older ones are ignored. */
const SCORED_MATCHES = 256;
/** Of fewer matches it is faster to read the newest, of more to score them takes longer than a search may. */
const MIN_SCORED = 2_000;
const MAX_SCORED = 1_000_000;
/** Matches are fetched in pages that grow while a search continues. */
const FIRST_PAGE = 64;
const PAGE_GROWTH = 4;
const MAX_PAGE = 1_024;
/** Weights of the columns said, did, output, parts and filters. */
const COLUMN_WEIGHTS = '2.0, 1.0, 0.3, 0.6, 0.0';

/** Documents of any session among which the neighbours of one are looked for. Sorting a whole session takes longer. */
const NEAREST = 100;

/** A document and where its record is in the logs. */
export interface DocumentLocation {
  readonly id: number;
  readonly file: number;
  readonly start: number;
  readonly length: number;
  readonly time: number;
  /** Number of the session that it belongs to. */
  readonly session: number;
}

/** What matches an expression between two ids. FTS5 ignores limits that are no integers, as all large numbers from JavaScript are. */
const MATCHES = 'fts MATCH ? AND rowid BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER)';

const COLUMNS = 'id, file, start, length, time, session';

interface ListOptions {
  readonly isSaid: boolean;
  readonly among?: Expression;
  readonly last?: number | undefined;
  readonly count: number;
}

/** Finds the documents that match an expression and the filters of a query. */
export class Candidates {
  readonly #connection: ReadConnection;
  readonly #filters: readonly Expression[];
  /** The files of the projects, if the query has any. */
  readonly #fileIds: ReadonlySet<number> | undefined;
  readonly #first: number;
  readonly #last: number;

  constructor(connection: ReadConnection, query: SearchQuery) {
    this.#connection = connection;
    this.#filters = queryFilterTerms(query).map(anyFilterTerm);
    this.#fileIds = query.projects && new Set(query.projects.flatMap((project) => filesOf(connection, project)));
    const { first, last } = idRange(connection, timeOf(query.since), timeOf(query.until));
    this.#first = first;
    this.#last = last;
  }

  /** The matches, newest first, fetched lazily. Without an expression, all documents. */
  *newest(expression?: Expression, from: number = this.#first): Generator<DocumentLocation> {
    const parts = [...(expression ? [expression] : []), ...this.#filters];
    const match = parts.length > 0 ? allOf(parts).text : undefined;
    let first = from;
    for (let size = FIRST_PAGE; ; size = Math.min(size * PAGE_GROWTH, MAX_PAGE)) {
      const page = match === undefined ? this.#newestOfAll(first, size) : this.#newestMatches(match, first, size);
      yield* page;
      const oldest = page.at(-1);
      if (!oldest || page.length < size) return;
      first = oldest.id + 1;
    }
  }

  /** The best `count` of the newest matches; where scoring is not worth its cost, the newest. */
  best(expression: Expression, count: number): readonly DocumentLocation[] {
    const { text, maxMatches } = allOf([expression, ...this.#filters]);
    if (maxMatches < MIN_SCORED || maxMatches > MAX_SCORED) return this.#newestMatches(text, this.#first, count);
    return this.#bestMatches(text, this.#idOfNth(text, Math.max(SCORED_MATCHES, count * 2)), count);
  }

  /**
   * The ids of the newest `count` matches, in ascending order. With `isSaid` only where the match was said or done, with
   * `among` only those that match it, too. `last` is the largest id. Scoring a match takes ten times as long as listing it.
   */
  list(expression: Expression, { isSaid, among, last = this.#last, count }: ListOptions): readonly number[] {
    const match = [isSaid ? inSaid(expression) : expression, ...(among ? [among] : []), ...this.#filters];
    const { text } = allOf(match);
    // One row with a list takes half the time of a row for each document.
    const [[ids] = [null]] = this.#connection.arrays<readonly [string | null]>(
      `SELECT group_concat(id) FROM (
         SELECT rowid AS id FROM fts WHERE ${MATCHES} ORDER BY rowid LIMIT ?
       )`,
      text,
      this.#first,
      Math.min(last, this.#last),
      count,
    );
    return ids === null ? [] : (JSON.parse(`[${ids}]`) as readonly number[]);
  }

  /** Whether a document of a file is in the time and the projects of the query, by its id. Other filters are not checked. */
  mayMatch(id: number, file: number): boolean {
    return id >= this.#first && id <= this.#last && (this.#fileIds === undefined || this.#fileIds.has(file));
  }

  /** Where documents are. */
  locate(ids: readonly number[]): readonly DocumentLocation[] {
    return this.#locations(
      `SELECT document.${COLUMNS} FROM json_each(?) AS wanted CROSS JOIN document ON document.id = wanted.value`,
      JSON.stringify(ids),
    );
  }

  /** The lengths and the sessions of documents, in their order: a third of what {@link locate} costs. */
  measure(ids: readonly number[]): { readonly lengths: readonly number[]; readonly sessions: readonly number[] } {
    const [row] = this.#connection.arrays<readonly [string, string]>(
      `SELECT json_group_array(coalesce(length, 0)), json_group_array(coalesce(session, 0))
       FROM json_each(?) AS wanted LEFT JOIN document ON document.id = wanted.value`,
      JSON.stringify(ids),
    );
    const [lengths = [], sessions = []] = row?.map((list) => JSON.parse(list) as readonly number[]) ?? [];
    return { lengths, sessions };
  }

  /** The newest `count` documents between two times. */
  newestBetween(since: number, until: number, count: number): readonly DocumentLocation[] {
    const { first } = idRange(this.#connection, since, until);
    const found: DocumentLocation[] = [];
    for (const location of this.newest(undefined, Math.max(first, this.#first))) {
      if (location.time < since || found.length >= count) break;
      found.push(location);
    }
    return found;
  }

  /** Whether a document is between two times, by its id, which may be off by a little. */
  isBetween(since: number, until: number): (id: number) => boolean {
    const { first, last } = idRange(this.#connection, since, until);
    return (id) => id >= first && id <= last;
  }

  /**
   * The sessions with the oldest `count` documents of a project in which a match was said or done, oldest first. Only the
   * first `wanted` of them are certain to be complete and in order.
   */
  firstSessions(
    expression: Expression,
    project: string,
    { wanted, count }: { readonly wanted: number; readonly count: number },
  ): readonly string[] {
    const { text } = allOf([inSaid(expression), anyFilterTerm([projectFilterTerm(project)]), ...this.#filters]);
    const sql = `SELECT rowid FROM fts WHERE ${MATCHES} ORDER BY rowid DESC LIMIT ?`;
    const ids = this.#connection.numbers(sql, text, this.#first, this.#last, count).map(([id = 0]) => id);
    // Often each document is of another session, and looking up few of them is enough.
    let end = wanted;
    while (end < ids.length && areOfOneSecond(ids[end - 1] ?? 0, ids[end] ?? 0)) end++;
    const sessions = this.#sessionsOf(ids.slice(0, end));
    if (sessions.length >= wanted) return sessions;
    return [...new Set([...sessions, ...this.#sessionsOf(ids.slice(end))])];
  }

  /**
   * Messages of the same session, by their distance in time: -2 and -1 are before the document, 1 and 2 after it. Calls in
   * between count, but are left out, and so is what is far away among the documents of other sessions.
   */
  neighbours(id: number): readonly (readonly [distance: number, location: DocumentLocation])[] {
    const among = (nearest: string): string =>
      `SELECT ${COLUMNS} FROM (SELECT ${COLUMNS} FROM document WHERE ${nearest} LIMIT ${NEAREST})
       WHERE session = (SELECT session FROM document WHERE id = ?1) LIMIT 2`;
    const before = this.#locations(among('id > ?1 ORDER BY id'), id);
    const after = this.#locations(among('id < ?1 ORDER BY id DESC'), id);
    const all = [
      ...before.map((location, index) => [-1 - index, location] as const),
      ...after.map((location, index) => [1 + index, location] as const),
    ];
    const files = this.#connection.cached('message files', () => messageFiles(this.#connection));
    return all.filter(([, { file }]) => files.has(file));
  }

  /** The names of the sessions of some documents, oldest first. */
  #sessionsOf(ids: readonly number[]): readonly string[] {
    if (ids.length === 0) return [];
    const rows = this.#connection.all<{ readonly name: string }>(
      `SELECT name FROM json_each(?) AS wanted CROSS JOIN document ON document.id = wanted.value
         CROSS JOIN session ON session.id = document.session
       GROUP BY document.session ORDER BY min(document.time), name`,
      JSON.stringify(ids),
    );
    return rows.map(({ name }) => name);
  }

  #bestMatches(match: string, last: number, count: number): readonly DocumentLocation[] {
    return this.#locations(
      `SELECT ${COLUMNS} FROM (
         SELECT rowid AS match FROM fts WHERE ${MATCHES} ORDER BY bm25(fts, ${COLUMN_WEIGHTS}) LIMIT ?
       ) CROSS JOIN document ON id = match`,
      match,
      this.#first,
      last,
      count,
    );
  }

  #newestMatches(match: string, first: number, count: number): readonly DocumentLocation[] {
    return this.#locations(
      `SELECT ${COLUMNS} FROM (
         SELECT rowid AS match FROM fts WHERE ${MATCHES} ORDER BY rowid LIMIT ?
       ) CROSS JOIN document ON id = match`,
      match,
      first,
      this.#last,
      count,
    );
  }

  #newestOfAll(first: number, count: number): readonly DocumentLocation[] {
    return this.#locations(
      `SELECT ${COLUMNS} FROM document WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?`,
      first,
      this.#last,
      count,
    );
  }

  #locations(sql: string, ...values: SqlValue[]): readonly DocumentLocation[] {
    return this.#connection
      .numbers(sql, ...values)
      .map(([id = 0, file = 0, start = 0, length = 0, time = 0, session = 0]) => ({
        id,
        file,
        start,
        length,
        time,
        session,
      }));
  }

  /** The id of the `count`th newest match, or the largest possible id when there are fewer. */
  #idOfNth(match: string, count: number): number {
    const row = this.#connection.get<{ readonly id: number }>(
      `SELECT rowid AS id FROM fts WHERE ${MATCHES} ORDER BY rowid LIMIT 1 OFFSET ?`,
      match,
      this.#first,
      this.#last,
      count - 1,
    );
    return row?.id ?? this.#last;
  }
}

function filesOf(connection: ReadConnection, project: string): readonly number[] {
  const sql = 'SELECT file.id FROM file JOIN project ON project.id = file.project WHERE project.name = ?';
  return connection.all<{ readonly id: number }>(sql, project).map(({ id }) => id);
}

/** The files with messages; the others have calls. */
function messageFiles(connection: ReadConnection): ReadonlySet<number> {
  const rows = connection.all<{ readonly id: number }>("SELECT id FROM file WHERE log = 'history'");
  return new Set(rows.map(({ id }) => id));
}

/** Only in what was said or done. */
function inSaid(expression: Expression): Expression {
  return { ...expression, text: `{said did parts} : (${expression.text})` };
}

/** Documents with any of the terms of a filter, however many these are. */
function anyFilterTerm(terms: readonly string[]): Expression {
  return { text: terms.map((term) => phrase([term])).join(' OR '), maxMatches: Number.POSITIVE_INFINITY };
}

/** Undefined for an invalid date, which no document passes when it is checked. */
function timeOf(date: string | undefined): number | undefined {
  const time = date === undefined ? Number.NaN : Date.parse(date);
  return Number.isNaN(time) ? undefined : time;
}
