import type { SqlValue } from '../../sqlite/database.ts';
import type { Connection } from '../index/connection.ts';
import { idRange } from '../index/index-batch.ts';
import type { SearchQuery } from '../search-types.ts';
import { allOf, type Expression, phrase } from './expression.ts';
import { filterTerms } from './filters.ts';

/** Of so many matches, the newest, FTS5 scores each; older ones are not looked at. */
const SCORED = 256;
/** What FTS5 needs, in microseconds: for each entry that it reads to score, for each match, for each score. */
const ENTRY_COST = 0.03;
const MATCH_COST = 0.1;
const SCORE_COST = 1;
/** Scoring is left out where scoring every match would be quick: reading the texts takes longer than that. */
const QUICK = 2_500;
/** The part of scoring every match that scoring some may take, and the most it may take in any case. */
const WORTH_PART = 0.5;
const MOST_COST = 3_000;
/** Matches are fetched by the page; searches that go on for long get larger ones. */
const FIRST_PAGE = 64;
const PAGE_GROWTH = 4;
/** Fewer matches than this come at once. */
const SHORT_PAGES = 128;
const LARGEST_PAGE = 1_024;
/** An expression with more phrases takes longer to set up than a large page to fetch. */
const QUICKLY_SET_UP = 16;
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

interface Matches {
  /** How many were asked for. When there are fewer, these are all. */
  readonly count: number;
  readonly places: readonly DocumentPlace[];
}

/** Finds the documents that match an expression and the filters of a query. */
export class Candidates {
  readonly #connection: Connection;
  readonly #filters: readonly Expression[];
  readonly #first: number;
  readonly #last: number;
  readonly #all: number;
  readonly #known = new Map<string, Matches>();

  /** `all` is the number of documents in the index. */
  constructor(connection: Connection, query: SearchQuery, all: number) {
    this.#connection = connection;
    this.#all = all;
    this.#filters = filterTerms(query).map((terms) => ({
      text: terms.map((term) => phrase([term])).join(' OR '),
      documents: all,
      matches: all,
      entries: all,
      phrases: terms.length,
    }));
    const { first, last } = idRange(connection, timeOf(query.since), timeOf(query.until));
    this.#first = first;
    this.#last = last;
  }

  /** The matches, newest first, as far as they are asked for. Without an expression, all documents. */
  *newest(expression?: Expression): Generator<DocumentPlace> {
    const parts = [...(expression ? [expression] : []), ...this.#filters];
    const match = parts.length > 0 ? allOf(parts, this.#all).text : undefined;
    let first = this.#first;
    const growth = (expression?.phrases ?? 0) > QUICKLY_SET_UP ? LARGEST_PAGE : PAGE_GROWTH;
    const isShort = expression !== undefined && expression.documents < SHORT_PAGES;
    for (let size = isShort ? SHORT_PAGES : FIRST_PAGE; ; size = Math.min(size * growth, LARGEST_PAGE)) {
      const page =
        match === undefined ? this.#newestOfAll(first, size) : this.#newestMatches(match, first, size);
      yield* page;
      const oldest = page.at(-1);
      if (!oldest || page.length < size) return;
      first = oldest.id + 1;
    }
  }

  /** The newest `count` matches. */
  take(expression: Expression, count: number): readonly DocumentPlace[] {
    return this.#newestMatches(allOf([expression, ...this.#filters], this.#all).text, this.#first, count);
  }

  /**
   * The `count` best of the newest matches, or, where scoring them is not worth it, the newest ones and some more to
   * choose from.
   */
  best(expression: Expression, count: number): readonly DocumentPlace[] {
    const wanted = allOf([expression, ...this.#filters], this.#all);
    const scored = Math.max(SCORED, count * 2);
    const { isWorth, spare } = costOf(wanted, scored);
    if (!isWorth) return this.#newestMatches(wanted.text, this.#first, count * spare);
    return this.#best(wanted.text, this.#idOfNewest(wanted.text, scored), count);
  }

  /** The `count` best of all matches. */
  bestOfAll(expression: Expression, count: number): readonly DocumentPlace[] {
    return this.#best(allOf([expression, ...this.#filters], this.#all).text, this.#last, count);
  }

  #best(match: string, last: number, count: number): readonly DocumentPlace[] {
    return this.#places(
      `SELECT id, file, start, length, time FROM (
         SELECT rowid AS match FROM fts WHERE fts MATCH ? AND rowid BETWEEN ? AND ? ORDER BY bm25(fts, ${WEIGHTS}) LIMIT ?
       ) CROSS JOIN document ON id = match`,
      match,
      this.#first,
      last,
      count,
    );
  }

  /** The same matches are often asked for twice in one search. */
  #newestMatches(match: string, first: number, count: number): readonly DocumentPlace[] {
    const key = `${first} ${match}`;
    const before = this.#known.get(key);
    if (before && (before.count >= count || before.places.length < before.count)) {
      return before.places.slice(0, count);
    }
    const places = this.#findNewest(match, first, count);
    this.#known.set(key, { count, places });
    return places;
  }

  #findNewest(match: string, first: number, count: number): readonly DocumentPlace[] {
    return this.#places(
      `SELECT id, file, start, length, time FROM (
         SELECT rowid AS match FROM fts WHERE fts MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid LIMIT ?
       ) CROSS JOIN document ON id = match`,
      match,
      first,
      this.#last,
      count,
    );
  }

  #newestOfAll(first: number, count: number): readonly DocumentPlace[] {
    return this.#places(
      'SELECT id, file, start, length, time FROM document WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?',
      first,
      this.#last,
      count,
    );
  }

  #places(sql: string, ...values: SqlValue[]): readonly DocumentPlace[] {
    return this.#connection
      .numbers(sql, ...values)
      .map(([id = 0, file = 0, start = 0, length = 0, time = 0]) => ({ id, file, start, length, time }));
  }

  /** The id of the oldest of the newest `count` matches, or the largest id when there are fewer. */
  #idOfNewest(match: string, count: number): number {
    const row = this.#connection.get<{ readonly id: number }>(
      'SELECT rowid AS id FROM fts WHERE fts MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid LIMIT 1 OFFSET ?',
      match,
      this.#first,
      this.#last,
      count - 1,
    );
    return row?.id ?? this.#last;
  }
}

/**
 * Whether scoring the newest `scored` matches is worth it, and if not, how many times as many documents as wanted
 * may be read instead: more when a search that scores every match would take long, too.
 */
function costOf(
  { documents, entries, matches }: Expression,
  scored: number,
): { readonly isWorth: boolean; readonly spare: number } {
  const counting = entries * ENTRY_COST;
  const all = counting + documents * MATCH_COST + matches * SCORE_COST;
  const part = Math.min(1, scored / Math.max(1, matches));
  const some = counting + part * (documents * MATCH_COST + matches * SCORE_COST);
  return {
    isWorth: all > QUICK && some <= Math.min(all * WORTH_PART, MOST_COST),
    spare: all < QUICK ? 1 : all < 2 * QUICK ? 2 : 3,
  };
}

/** A date that cannot be read is left to the check of each document. */
function timeOf(date: string | undefined): number | undefined {
  const time = date === undefined ? Number.NaN : Date.parse(date);
  return Number.isNaN(time) ? undefined : time;
}
