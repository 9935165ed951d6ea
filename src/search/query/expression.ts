import { type KnownTerm, totalDocuments } from './vocabulary.ts';

/** More terms than this in one expression take long to set up. */
export const MOST_TERMS = 500;

/** An expression in the language of FTS5, with what is known about its cost. */
export interface Expression {
  readonly text: string;
  /** Documents that match, at most. */
  readonly documents: number;
  /** Documents that match, if words occur independently of each other. */
  readonly matches: number;
  /** Entries of the index that FTS5 reads to score the matches. */
  readonly entries: number;
  /** Phrases that FTS5 looks up. */
  readonly phrases: number;
}

/** Terms that stand one after the other. With `isPrefix` the last one may go on. */
export function phrase(terms: readonly string[], isPrefix = false): string {
  // Terms hold no quotes: what is not a letter separates them.
  return `"${terms.join(' ')}"${isPrefix ? ' *' : ''}`;
}

/** What matches all of them, of `all` documents. */
export function allOf(expressions: readonly Expression[], all: number): Expression {
  const [first] = expressions;
  if (first && expressions.length === 1) return first;
  const chance = expressions.reduce(
    (product, { matches }) => product * Math.min(1, matches / Math.max(1, all)),
    1,
  );
  return {
    text: expressions.map(({ text }) => `(${text})`).join(' AND '),
    documents: Math.min(...expressions.map(({ documents }) => documents)),
    matches: chance * all,
    entries: sumOf(expressions, 'entries'),
    phrases: sumOf(expressions, 'phrases'),
  };
}

/** What matches one of them, at least. */
export function anyOf(expressions: readonly Expression[]): Expression {
  const [first] = expressions;
  if (first && expressions.length === 1) return first;
  return {
    text: expressions.map(({ text }) => `(${text})`).join(' OR '),
    documents: sumOf(expressions, 'documents'),
    matches: sumOf(expressions, 'matches'),
    entries: sumOf(expressions, 'entries'),
    phrases: sumOf(expressions, 'phrases'),
  };
}

/** What has one of some terms, at least. */
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

function sumOf(
  expressions: readonly Expression[],
  key: 'documents' | 'matches' | 'entries' | 'phrases',
): number {
  return expressions.reduce((sum, expression) => sum + expression[key], 0);
}
