import type { Find } from './span.ts';

/** A format that can be told by its look. */
export interface PatternRule {
  /** Names the rule in the mask. */
  readonly id: string;
  /** Lower-case literals of at least three characters; one of them is in every match. */
  readonly keywords: readonly string[];
  /** Sticky, made when a keyword is met. Tried where the keyword begins, or where the token around it begins (see `back`). */
  readonly pattern: () => RegExp;
  /** The group that is the secret; the whole match when left out. The pattern then has the flag `d`. */
  readonly group?: number;
  /** How many token characters may stand before the keyword; without it, no letter or digit may. */
  readonly back?: number;
  /** Least entropy of the secret, in bits per character. */
  readonly entropy?: number;
  /** Only what looks generated is a secret: the format alone is too common. */
  readonly random?: boolean;
  /** A secret that matches is none. */
  readonly allow?: () => RegExp;
}

/** A format that takes more than an expression. */
interface FindRule {
  readonly id: string;
  readonly keywords: readonly string[];
  readonly find: Find;
}

export type Rule = PatternRule | FindRule;
