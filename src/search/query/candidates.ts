import type { SqlValue } from '../../sqlite/database.ts';
import { queryFilterTerms } from '../filters.ts';
import type { Connection } from '../index/connection.ts';
import { idRange } from '../index/document-ids.ts';
import type { SearchQuery } from '../search-types.ts';
import { allOf, bounded, type Expression, phrase } from './expression.ts';

/** The newest matches that FTS5 scores; older ones are ignored. */
const SCORED_MATCHES = 256;
/** Cost of FTS5 in microseconds: per index entry read for scoring, per match, per score. */
const ENTRY_COST = 0.03;
const MATCH_COST = 0.1;
const SCORE_COST = 1;
/** When scoring all matches would cost less, reading the texts costs more, and scoring is skipped. */
const CHEAP_SCORING = 2_500;
/** Limits on the cost of scoring some matches: a share of scoring all of them, and an absolute cost. */
const MAX_COST_SHARE = 0.5;
const MAX_COST = 3_000;
/** Matches are fetched in pages that grow while a search continues. */
const FIRST_PAGE = 64;
const PAGE_GROWTH = 4;
/** Fewer matches than this are fetched at once. */
const SINGLE_PAGE = 128;
const MAX_PAGE = 1_024;
/** Setting up an expression with more phrases takes longer than fetching a large page. */
const MAX_CHEAP_PHRASES = 16;
/** Weights of the columns text, parts and filters. */
const COLUMN_WEIGHTS = '1.0, 0.6, 0.0';

/** A document and where its record is in the logs. */
export interface DocumentLocation {
  readonly id: number;
  readonly file: number;
  readonly start: number;
  readonly length: number;
  readonly time: number;
}

interface CachedMatches {
  /** How many were requested. Fewer locations mean that these are all. */
  readonly count: number;
  readonly locations: readonly DocumentLocation[];
}

/** Finds the documents that match an expression and the filters of a query. */
export class Candidates {
  readonly #connection: Connection;
  readonly #filters: readonly Expression[];
  readonly #first: number;
  readonly #last: number;
  readonly #documentCount: number;
  readonly #cache = new Map<string, CachedMatches>();

  /** `documentCount` is the number of documents in the index. */
  constructor(connection: Connection, query: SearchQuery, documentCount: number) {
    this.#connection = connection;
    this.#documentCount = documentCount;
    this.#filters = queryFilterTerms(query).map((terms) =>
      bounded(terms.map((term) => phrase([term])).join(' OR '), documentCount, terms.length),
    );
    const { first, last } = idRange(connection, timeOf(query.since), timeOf(query.until));
    this.#first = first;
    this.#last = last;
  }

  /** The matches, newest first, fetched lazily. Without an expression, all documents. */
  *newest(expression?: Expression): Generator<DocumentLocation> {
    const parts = [...(expression ? [expression] : []), ...this.#filters];
    const match = parts.length > 0 ? allOf(parts, this.#documentCount).text : undefined;
    let first = this.#first;
    const growth = (expression?.phraseCount ?? 0) > MAX_CHEAP_PHRASES ? MAX_PAGE : PAGE_GROWTH;
    const isSinglePage = expression !== undefined && expression.maxMatches < SINGLE_PAGE;
    for (let size = isSinglePage ? SINGLE_PAGE : FIRST_PAGE; ; size = Math.min(size * growth, MAX_PAGE)) {
      const page = match === undefined ? this.#newestOfAll(first, size) : this.#newestMatches(match, first, size);
      yield* page;
      const oldest = page.at(-1);
      if (!oldest || page.length < size) return;
      first = oldest.id + 1;
    }
  }

  /** The newest `count` matches. */
  take(expression: Expression, count: number): readonly DocumentLocation[] {
    return this.#newestMatches(allOf([expression, ...this.#filters], this.#documentCount).text, this.#first, count);
  }

  /**
   * The best `count` of the newest matches. Where scoring is not worth its cost, the newest matches, possibly more than
   * `count`.
   */
  best(expression: Expression, count: number): readonly DocumentLocation[] {
    const wanted = allOf([expression, ...this.#filters], this.#documentCount);
    const scored = Math.max(SCORED_MATCHES, count * 2);
    const { isWorthScoring, spareFactor } = estimateCost(wanted, scored);
    if (!isWorthScoring) return this.#newestMatches(wanted.text, this.#first, count * spareFactor);
    return this.#bestMatches(wanted.text, this.#idOfNth(wanted.text, scored), count);
  }

  /** The best `count` of all matches. */
  bestOfAll(expression: Expression, count: number): readonly DocumentLocation[] {
    return this.#bestMatches(allOf([expression, ...this.#filters], this.#documentCount).text, this.#last, count);
  }

  #bestMatches(match: string, last: number, count: number): readonly DocumentLocation[] {
    return this.#locations(
      `SELECT id, file, start, length, time FROM (
         SELECT rowid AS match FROM fts WHERE fts MATCH ? AND rowid BETWEEN ? AND ? ORDER BY bm25(fts, ${COLUMN_WEIGHTS}) LIMIT ?
       ) CROSS JOIN document ON id = match`,
      match,
      this.#first,
      last,
      count,
    );
  }

  /** Cached, because one search often needs the same matches twice. */
  #newestMatches(match: string, first: number, count: number): readonly DocumentLocation[] {
    const key = `${first} ${match}`;
    const cached = this.#cache.get(key);
    if (cached && (cached.count >= count || cached.locations.length < cached.count)) {
      return cached.locations.slice(0, count);
    }
    const locations = this.#locations(
      `SELECT id, file, start, length, time FROM (
         SELECT rowid AS match FROM fts WHERE fts MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid LIMIT ?
       ) CROSS JOIN document ON id = match`,
      match,
      first,
      this.#last,
      count,
    );
    this.#cache.set(key, { count, locations });
    return locations;
  }

  #newestOfAll(first: number, count: number): readonly DocumentLocation[] {
    return this.#locations(
      'SELECT id, file, start, length, time FROM document WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?',
      first,
      this.#last,
      count,
    );
  }

  #locations(sql: string, ...values: SqlValue[]): readonly DocumentLocation[] {
    return this.#connection
      .numbers(sql, ...values)
      .map(([id = 0, file = 0, start = 0, length = 0, time = 0]) => ({ id, file, start, length, time }));
  }

  /** The id of the `count`th newest match, or the largest possible id when there are fewer. */
  #idOfNth(match: string, count: number): number {
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
 * Whether scoring the newest `scored` matches is worth its cost, and if not, by which factor more documents than wanted
 * may be read instead: more when scoring all matches would be slow.
 */
function estimateCost(
  { maxMatches, expectedMatches, entryCount }: Expression,
  scored: number,
): { readonly isWorthScoring: boolean; readonly spareFactor: number } {
  const readingCost = entryCount * ENTRY_COST;
  const scoringCost = maxMatches * MATCH_COST + expectedMatches * SCORE_COST;
  const fullCost = readingCost + scoringCost;
  const partialCost = readingCost + Math.min(1, scored / Math.max(1, expectedMatches)) * scoringCost;
  return {
    isWorthScoring: fullCost > CHEAP_SCORING && partialCost <= Math.min(fullCost * MAX_COST_SHARE, MAX_COST),
    spareFactor: fullCost < CHEAP_SCORING ? 1 : fullCost < 2 * CHEAP_SCORING ? 2 : 3,
  };
}

/** Undefined for an invalid date, which no document passes when it is checked. */
function timeOf(date: string | undefined): number | undefined {
  const time = date === undefined ? Number.NaN : Date.parse(date);
  return Number.isNaN(time) ? undefined : time;
}
