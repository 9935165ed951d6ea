import { type KnownTerm, totalDocuments } from './vocabulary.ts';

/** Expressions with more terms are slow to set up. */
export const MAX_TERMS = 500;

/** An FTS5 query expression with an estimate of its cost. */
export interface Expression {
  readonly text: string;
  /** Upper bound of the matching documents. */
  readonly documents: number;
  /** Matching documents if words occur independently of one another. */
  readonly matches: number;
  /** Index entries that FTS5 reads to score the matches. */
  readonly entries: number;
  /** Phrases that FTS5 looks up. */
  readonly phrases: number;
}

/** Consecutive terms. With `isPrefix` the last one is a prefix. */
export function phrase(terms: readonly string[], isPrefix = false): string {
  // Terms contain no quotes, which separate words.
  return `"${terms.join(' ')}"${isPrefix ? ' *' : ''}`;
}

/** Documents that match all expressions, out of `all` documents. */
export function allOf(expressions: readonly Expression[], all: number): Expression {
  const [first] = expressions;
  if (first && expressions.length === 1) return first;
  const chance = expressions.reduce((product, { matches }) => product * Math.min(1, matches / Math.max(1, all)), 1);
  return {
    text: expressions.map(({ text }) => `(${text})`).join(' AND '),
    documents: Math.min(...expressions.map(({ documents }) => documents)),
    matches: chance * all,
    entries: sum(expressions, 'entries'),
    phrases: sum(expressions, 'phrases'),
  };
}

/** Documents that match any of the expressions. */
export function anyOf(expressions: readonly Expression[]): Expression {
  const [first] = expressions;
  if (first && expressions.length === 1) return first;
  return {
    text: expressions.map(({ text }) => `(${text})`).join(' OR '),
    documents: sum(expressions, 'documents'),
    matches: sum(expressions, 'matches'),
    entries: sum(expressions, 'entries'),
    phrases: sum(expressions, 'phrases'),
  };
}

/** Documents that have any of the terms. */
export function anyTerm(terms: readonly KnownTerm[]): Expression {
  const documents = totalDocuments(terms);
  return {
    text: terms.map(({ term }) => phrase([term])).join(' OR '),
    documents,
    matches: documents,
    entries: documents,
    phrases: terms.length,
  };
}

function sum(expressions: readonly Expression[], key: 'documents' | 'matches' | 'entries' | 'phrases'): number {
  return expressions.reduce((sum, expression) => sum + expression[key], 0);
}
