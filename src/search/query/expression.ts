import { type KnownTerm, sumDocumentCounts } from './vocabulary.ts';

/** An FTS5 query expression with an estimate of its cost. */
export interface Expression {
  readonly text: string;
  /** Upper bound of the matching documents. */
  readonly maxMatches: number;
  /** Matching documents if words occur independently of one another. */
  readonly expectedMatches: number;
  /** Index entries that FTS5 reads to score the matches. */
  readonly entryCount: number;
  /** Phrases that FTS5 looks up. */
  readonly phraseCount: number;
}

/** Consecutive terms. With `isPrefix` the last one is a prefix. */
export function phrase(terms: readonly string[], isPrefix = false): string {
  // Terms contain no quotes, which separate words.
  return `"${terms.join(' ')}"${isPrefix ? ' *' : ''}`;
}

/** Documents that match all expressions, out of `documentCount` documents. */
export function allOf(expressions: readonly Expression[], documentCount: number): Expression {
  const [first] = expressions;
  if (first && expressions.length === 1) return first;
  const chance = expressions.reduce(
    (product, { expectedMatches }) => product * Math.min(1, expectedMatches / Math.max(1, documentCount)),
    1,
  );
  return {
    text: expressions.map(({ text }) => `(${text})`).join(' AND '),
    maxMatches: Math.min(...expressions.map(({ maxMatches }) => maxMatches)),
    expectedMatches: chance * documentCount,
    entryCount: sum(expressions, 'entryCount'),
    phraseCount: sum(expressions, 'phraseCount'),
  };
}

/** Documents that match any of the expressions. */
export function anyOf(expressions: readonly Expression[]): Expression {
  const [first] = expressions;
  if (first && expressions.length === 1) return first;
  return {
    text: expressions.map(({ text }) => `(${text})`).join(' OR '),
    maxMatches: sum(expressions, 'maxMatches'),
    expectedMatches: sum(expressions, 'expectedMatches'),
    entryCount: sum(expressions, 'entryCount'),
    phraseCount: sum(expressions, 'phraseCount'),
  };
}

/** Documents that have any of the terms. */
export function anyTerm(terms: readonly KnownTerm[]): Expression {
  return bounded(terms.map(({ term }) => phrase([term])).join(' OR '), sumDocumentCounts(terms), terms.length);
}

/** An expression of which only an upper bound of the matches is known. */
export function bounded(text: string, maxMatches: number, phraseCount: number): Expression {
  return { text, maxMatches, expectedMatches: maxMatches, entryCount: maxMatches, phraseCount };
}

function sum(expressions: readonly Expression[], key: Exclude<keyof Expression, 'text'>): number {
  return expressions.reduce((sum, expression) => sum + expression[key], 0);
}
