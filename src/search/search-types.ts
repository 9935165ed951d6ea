import type { Diagnostic, Outcome, Role } from '../record/index.ts';
import type { RecordFilter } from '../store/filters.ts';

/** What to search for. All filters must match. */
export interface SearchQuery extends RecordFilter {
  /** Words, "quoted phrases", `prefix*`, or any substring. A blank text finds the newest records that pass a filter, if there is any. */
  readonly text: string;
  /** Maximum number of hits. Default 50. */
  readonly limit?: number;
  /**
   * The vector of a question, so that it is compared by meaning, too, or why there is none, which the result then says.
   * Default: words are compared.
   */
  readonly embedding?: QuestionVector | { readonly problem: string };
}

/** A question as an embedding model sees it. */
export interface QuestionVector {
  /** What the vectors of messages that it is compared with were made by. */
  readonly model: string;
  readonly vector: Float32Array;
}

/** The default for the limit of a {@link SearchQuery}. */
export const DEFAULT_LIMIT = 50;

/** An excerpt of a record's text with its matches. */
export interface Snippet {
  readonly text: string;
  /** The matches: UTF-16 offsets in `text`, in order, not overlapping. */
  readonly marks: readonly (readonly [start: number, end: number])[];
}

/**
 * How a record matches a query. `literal`: it contains the query as typed, ignoring case and accents. `words`: it has all
 * words of the query. `related`: it has some of them, or other forms of them.
 */
export type Match = 'literal' | 'words' | 'related';

/** A record that a search found. */
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
  /** From a transcript that is not the user's own. */
  readonly foreign?: true;
  /** The colleague whose record it is. */
  readonly author?: string;
  readonly snippet: Snippet;
  /** Why it was found, in a few words: `edited src/auth/jwt.ts`, `you said`, `output of npm test`. */
  readonly reason?: string;
  /** Higher is better. Comparable only within one result and one kind of match. */
  readonly score: number;
  readonly match: Match;
}

/** The hits of one session, best first. Those of a question have one hit for each request of the session. */
export interface SessionHits {
  readonly sessionId: string;
  readonly project: string;
  /** Time of the newest hit. */
  readonly timestamp: string;
  readonly hits: readonly SearchHit[];
}

/** The result of a search. */
export interface SearchResult {
  /** Best first. */
  readonly hits: readonly SearchHit[];
  /** The hits by session, the session with the best hit, or the one that answers a question best, first. */
  readonly sessions: readonly SessionHits[];
  /** Whether the query was answered as a question: by what is most likely about it, whether or not it has all words. */
  readonly isQuestion: boolean;
  /** `scan`: there was no usable index, so the logs were read instead. */
  readonly source: 'index' | 'scan';
  /** Words of the query that nothing found has in any form, folded; without common words. Empty without hits. */
  readonly missing: readonly string[];
  /** What was looked for: folded words with their other forms, without stop words; the typed text of an exact match first. */
  readonly terms: readonly string[];
  readonly warnings: readonly Diagnostic[];
}
