import type { Connection } from './connection.ts';
import { idRange } from './document-ids.ts';
import { allOf, type Expression, phrase } from './expression.ts';
import { filterTerms } from './facts.ts';
import type { SearchQuery } from './search-query.ts';

/** Of so many matches, the newest, FTS5 scores each; older ones are not looked at. */
const SCORED = 500;
/** Scoring reads all entries of every term. Above this many it is not worth it. */
const MOST_ENTRIES = 60_000;
/** Where FTS5 does not score, this many times as many documents are read and scored as are wanted. */
const SPARE = 3;
/** Matches are fetched by the page; searches that go on for long get larger ones. */
const FIRST_PAGE = 64;
const LARGEST_PAGE = 1_024;
/** What a match in each column is worth: text, parts, facts. */
const WEIGHTS = '1.0, 0.6, 0.0';

/** A document and where its record is. */
export interface DocumentPlace {
  readonly id: number;
  readonly file: number;
  readonly start: number;
  readonly length: number;
  readonly time: number;
}

/** Finds the documents that match an expression and the filters of a query. */
export class Candidates {
  readonly #connection: Connection;
  readonly #filters: readonly Expression[];
  readonly #first: number;
  readonly #last: number;

  /** `all` is the number of documents in the index. */
  constructor(connection: Connection, query: SearchQuery, all: number) {
    this.#connection = connection;
    this.#filters = filterTerms(query).map((terms) => ({
      text: terms.map((term) => phrase([term])).join(' OR '),
      documents: all,
      entries: all,
    }));
    const { first, last } = idRange(connection, timeOf(query.since), timeOf(query.until));
    this.#first = first;
    this.#last = last;
  }

  /** The matches, newest first, as far as they are asked for. Without an expression, all documents. */
  *newest(expression?: Expression): Generator<DocumentPlace> {
    const parts = [...(expression ? [expression] : []), ...this.#filters];
    const match = parts.length > 0 ? allOf(parts).text : undefined;
    let last = this.#last;
    for (let size = FIRST_PAGE; ; size = Math.min(size * 2, LARGEST_PAGE)) {
      const page =
        match === undefined ? this.#newestOfAll(last, size) : this.#newestMatches(match, last, size);
      yield* page;
      const oldest = page.at(-1);
      if (!oldest || page.length < size) return;
      last = oldest.id - 1;
    }
  }

  /**
   * The `count` best matches, or, where scoring them would take too long, the newest ones and some more to choose
   * from.
   */
  best(expression: Expression, count: number): readonly DocumentPlace[] {
    const wanted = allOf([expression, ...this.#filters]);
    if (wanted.documents <= count) return this.#newestMatches(wanted.text, this.#last, count);
    if (wanted.entries > MOST_ENTRIES) return this.#newestMatches(wanted.text, this.#last, count * SPARE);
    const scored = Math.max(SCORED, count * SPARE);
    const first = wanted.documents > scored ? this.#idOfNewest(wanted.text, scored) : this.#first;
    return this.#connection.all<DocumentPlace>(
      `SELECT document.* FROM (
         SELECT rowid AS match FROM fts WHERE fts MATCH ? AND rowid BETWEEN ? AND ? ORDER BY bm25(fts, ${WEIGHTS}) LIMIT ?
       ) CROSS JOIN document ON id = match`,
      wanted.text,
      first,
      this.#last,
      count,
    );
  }

  #newestMatches(match: string, last: number, count: number): readonly DocumentPlace[] {
    return this.#connection.all<DocumentPlace>(
      `SELECT document.* FROM (
         SELECT rowid AS match FROM fts WHERE fts MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid DESC LIMIT ?
       ) CROSS JOIN document ON id = match`,
      match,
      this.#first,
      last,
      count,
    );
  }

  #newestOfAll(last: number, count: number): readonly DocumentPlace[] {
    return this.#connection.all<DocumentPlace>(
      'SELECT * FROM document WHERE id BETWEEN ? AND ? ORDER BY id DESC LIMIT ?',
      this.#first,
      last,
      count,
    );
  }

  /** The id of the match that has `count` newer ones, or the smallest id. */
  #idOfNewest(match: string, count: number): number {
    const row = this.#connection.get<{ readonly id: number }>(
      'SELECT rowid AS id FROM fts WHERE fts MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid DESC LIMIT 1 OFFSET ?',
      match,
      this.#first,
      this.#last,
      count - 1,
    );
    return row?.id ?? this.#first;
  }
}

/** A date that cannot be read is left to the check of each document. */
function timeOf(date: string | undefined): number | undefined {
  const time = date === undefined ? Number.NaN : Date.parse(date);
  return Number.isNaN(time) ? undefined : time;
}
