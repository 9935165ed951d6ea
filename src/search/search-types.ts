import type { Outcome, Role, Warning } from '../record/index.ts';

/** What is searched for. Filters that are given must all hold. */
export interface SearchQuery {
  /** Words, "quoted phrases", `prefix*`, or any piece of text. Blank: nothing is found. */
  readonly text: string;
  /** Most hits. Default 50. */
  readonly limit?: number;
  readonly role?: Role;
  /** Ids of projects. Default: all. */
  readonly projects?: readonly string[];
  readonly agent?: string;
  readonly branch?: string;
  readonly sessionId?: string;
  /** ISO 8601; records from then on. */
  readonly since?: string;
  /** ISO 8601; records up to then. */
  readonly until?: string;
  readonly outcome?: Outcome;
}

/** Hits of a query that names no limit. */
export const DEFAULT_LIMIT = 50;

/** A piece of a record's text, with what matched. */
export interface Snippet {
  readonly text: string;
  /** Where the matches are: UTF-16 offsets in `text`, in order, not overlapping. */
  readonly marks: readonly (readonly [start: number, end: number])[];
}

/**
 * How a record answers a query. `literal`: it contains the query as it was typed, but for case and accents.
 * `words`: it has all of its words. `related`: it has some of them, or other forms of them.
 */
export type Match = 'literal' | 'words' | 'related';

/** A record that was found. */
export interface SearchHit {
  readonly kind: 'message' | 'attempt';
  readonly id: string;
  readonly project: string;
  readonly sessionId: string;
  readonly timestamp: string;
  readonly role?: Role;
  readonly outcome?: Outcome;
  readonly agent?: string;
  readonly branch?: string;
  readonly snippet: Snippet;
  /** Higher is better; comparable only within one result and one kind of match. */
  readonly score: number;
  readonly match: Match;
}

/** The hits of one session, best first. */
export interface SessionHits {
  readonly sessionId: string;
  readonly project: string;
  /** Of the newest hit. */
  readonly timestamp: string;
  readonly hits: readonly SearchHit[];
}

/** What a search found. */
export interface SearchResult {
  /** Best first. */
  readonly hits: readonly SearchHit[];
  /** The same hits by session, the session with the best hit first. */
  readonly sessions: readonly SessionHits[];
  /** `scan`: there was no usable index, the logs were read instead. */
  readonly source: 'index' | 'scan';
  readonly warnings: readonly Warning[];
}
