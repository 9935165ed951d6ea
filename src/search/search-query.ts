import type { Outcome, Role } from '../record/index.ts';

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
