import { kindOf, LETTER } from './characters.ts';
import { allOf, anyTerm, type Expression, MOST_TERMS } from './expression.ts';
import type { ParsedQuery } from './parse-query.ts';
import { phraseExpression } from './plan-words.ts';
import { symbolProbes } from './symbol-terms.ts';
import type { KnownTerm, Vocabulary } from './vocabulary.ts';
import { piecesOf, TERM_OVERLAP, wordsOf } from './words.ts';

/** So few documents can be read and checked at once; looking for a narrower expression would take longer. */
const FEW = 1_000;

/** What documents that contain the typed text as it is must have, where its first and last word are whole. */
export function closedLiteral(vocabulary: Vocabulary, { literal }: ParsedQuery): Expression | undefined {
  const terms = wordsOf(literal).flatMap(({ text }) => piecesOf(text));
  const words = terms.length > 0 ? phraseExpression(vocabulary, terms) : undefined;
  if (terms.length > 0 && !words) return undefined;
  return narrowed(vocabulary, words, literal);
}

/** Adds the symbols of the literal to an expression that matches many. */
function narrowed(
  vocabulary: Vocabulary,
  expression: Expression | undefined,
  literal: string,
): Expression | undefined {
  let result = expression;
  for (const probe of symbolProbes(literal)) {
    if (result && result.documents <= FEW) return result;
    const terms = vocabulary.containingSymbols(probe);
    if (terms.length === 0) return { text: '""', documents: 0, entries: 0 };
    if (terms.length > MOST_TERMS) continue;
    const symbols = anyTerm(terms);
    result = result ? allOf([result, symbols]) : symbols;
  }
  return result;
}

/** How documents that contain the typed text can be found when its first or last word may be part of a longer one. */
export type OpenLiteral =
  /** Nothing contains it. */
  | { readonly kind: 'nowhere' }
  /** Only these can contain it, each expression one after the other. */
  | { readonly kind: 'among'; readonly expressions: readonly Expression[] }
  /** Nothing is known about where it is. */
  | { readonly kind: 'anywhere' };

/** Plans how to find all documents with the typed text, whatever it begins and ends with. */
export function openLiteral(vocabulary: Vocabulary, { literal }: ParsedQuery): OpenLiteral {
  const words = wordsOf(literal);
  const isOpenLeft = isLetterAt(literal, 0);
  const isOpenRight = isLetterAt(literal, literal.length - 1);
  const [first] = words;
  const last = words.at(-1);
  if (!first || !last) return among(narrowed(vocabulary, undefined, literal));
  if (words.length === 1) {
    const found = termsAround(vocabulary, first.text, isOpenLeft, isOpenRight);
    if (found.length === 0) return { kind: 'nowhere' };
    return { kind: 'among', expressions: chunksOf(vocabulary, found, literal) };
  }
  return openPhrase(vocabulary, literal, {
    closed: words
      .slice(isOpenLeft ? 1 : 0, isOpenRight ? -1 : undefined)
      .flatMap(({ text }) => piecesOf(text)),
    left: isOpenLeft ? first.text.slice(-TERM_OVERLAP) : undefined,
    right: isOpenRight ? last.text.slice(0, TERM_OVERLAP) : undefined,
  });
}

interface OpenPhrase {
  /** Words that are whole. */
  readonly closed: readonly string[];
  /** The end of a word. */
  readonly left: string | undefined;
  /** The beginning of a word. */
  readonly right: string | undefined;
}

/** Takes the constraints that cost little first, and further ones only while many documents are left. */
function openPhrase(
  vocabulary: Vocabulary,
  literal: string,
  { closed, left, right }: OpenPhrase,
): OpenLiteral {
  let result: Expression | undefined;
  const isBroad = () => !result || result.documents > FEW;
  const narrowBy = (expression: Expression) => {
    result = result ? allOf([result, expression]) : expression;
  };
  if (closed.length > 0) {
    const middle = phraseExpression(vocabulary, closed);
    if (!middle) return { kind: 'nowhere' };
    narrowBy(middle);
  }
  if (right !== undefined && isBroad()) {
    const found = vocabulary.beginningWith(right, MOST_TERMS);
    if (found?.length === 0) return { kind: 'nowhere' };
    if (found) narrowBy(anyTerm(found));
  }
  if (left !== undefined && isBroad()) {
    const found = vocabulary.containing(left).filter(({ term }) => term.endsWith(left));
    if (found.length === 0) return { kind: 'nowhere' };
    if (found.length <= MOST_TERMS) narrowBy(anyTerm(found));
  }
  return among(isBroad() ? narrowed(vocabulary, result, literal) : result);
}

function among(expression: Expression | undefined): OpenLiteral {
  if (!expression) return { kind: 'anywhere' };
  return expression.documents === 0 ? { kind: 'nowhere' } : { kind: 'among', expressions: [expression] };
}

/** Terms of which a word of the literal is a part. */
function termsAround(
  vocabulary: Vocabulary,
  word: string,
  isOpenLeft: boolean,
  isOpenRight: boolean,
): readonly KnownTerm[] {
  // Any piece of a long word is whole in one term, up to this length; what is found is compared anyway.
  const probe = isOpenLeft && !isOpenRight ? word.slice(-TERM_OVERLAP) : word.slice(0, TERM_OVERLAP);
  const found = vocabulary.containing(probe);
  if (!isOpenLeft) return found.filter(({ term }) => term.startsWith(probe));
  if (!isOpenRight) return found.filter(({ term }) => term.endsWith(probe));
  return found;
}

/** Expressions for many terms, the most frequent first. */
function chunksOf(
  vocabulary: Vocabulary,
  terms: readonly KnownTerm[],
  literal: string,
): readonly Expression[] {
  const sorted = [...terms].sort((a, b) => b.documents - a.documents);
  const chunks: Expression[] = [];
  for (let at = 0; at < sorted.length; at += MOST_TERMS) {
    const chunk = narrowed(vocabulary, anyTerm(sorted.slice(at, at + MOST_TERMS)), literal);
    if (chunk) chunks.push(chunk);
  }
  return chunks;
}

function isLetterAt(text: string, at: number): boolean {
  return kindOf(text.charCodeAt(at)) === LETTER;
}
