import { type KnownTerm, sumDocumentCounts } from './vocabulary.ts';

/** An FTS5 query expression. */
export interface Expression {
  readonly text: string;
  /** Upper bound of the matching documents. */
  readonly maxMatches: number;
}

/** Consecutive terms. With `isPrefix` the last one is a prefix. */
export function phrase(terms: readonly string[], isPrefix = false): string {
  // Terms contain no quotes, which separate words.
  return `"${terms.join(' ')}"${isPrefix ? ' *' : ''}`;
}

/** Documents that match all expressions. */
export function allOf(expressions: readonly Expression[]): Expression {
  return join(expressions, ' AND ', Math.min(...expressions.map(({ maxMatches }) => maxMatches)));
}

/** Documents that match any of the expressions. */
export function anyOf(expressions: readonly Expression[]): Expression {
  return join(
    expressions,
    ' OR ',
    expressions.reduce((sum, { maxMatches }) => sum + maxMatches, 0),
  );
}

function join(expressions: readonly Expression[], operator: string, maxMatches: number): Expression {
  const [first] = expressions;
  if (first && expressions.length === 1) return first;
  return { text: expressions.map(({ text }) => `(${text})`).join(operator), maxMatches };
}

/** Documents that have any of the terms. */
export function anyTerm(terms: readonly KnownTerm[]): Expression {
  return { text: terms.map(({ term }) => phrase([term])).join(' OR '), maxMatches: sumDocumentCounts(terms) };
}
