import { splitLongWord, splitTerms, symbolProbes, TERM_OVERLAP } from '../../store/index-terms.ts';
import { characterKind, LETTER } from '../../text/characters.ts';
import { scanWords } from '../../text/words.ts';
import { allOf, anyTerm, type Expression, phrase } from './expression.ts';
import type { ParsedQuery } from './parse-query.ts';
import { phraseExpression } from './plan-words.ts';
import { PLANNER } from './planner-limits.ts';
import { type KnownTerm, sumDocumentCounts, type Vocabulary } from './vocabulary.ts';

/** Which documents to check for a text: the matches of an expression, or all when nothing narrows them down. */
export type SearchScope = Expression | 'everywhere';

/** Where the typed text can be if its words are whole words there, but for the last, if that has few completions. Undefined: nowhere. */
export function planWholeWords(vocabulary: Vocabulary, { literal }: ParsedQuery): SearchScope | undefined {
  const terms = splitTerms(literal);
  const words = planCompleted(vocabulary, literal, terms) ?? phraseExpression(vocabulary, terms);
  return words && withSymbols(vocabulary, words, literal);
}

/** Several words, the last of which may be longer. Undefined if it has no completions, or so many that they are slow to find. */
function planCompleted(vocabulary: Vocabulary, literal: string, terms: readonly string[]): Expression | undefined {
  const last = terms.at(-1) ?? '';
  const before = phraseExpression(vocabulary, terms.slice(0, -1));
  if (before === undefined || terms.length > PLANNER.maxPhraseTerms || !isLetterAt(literal, literal.length - 1))
    return undefined;
  const count = sumDocumentCounts(vocabulary.withPrefix(last, PLANNER.maxTerms) ?? []);
  if (count === 0 || count > PLANNER.maxCompletionDocuments) return undefined;
  return { text: phrase(terms, true), maxMatches: Math.min(before.maxMatches, count) };
}

/**
 * Where the typed text can be if its first word is the end of a longer one, or its last word the beginning of one, or if
 * it has no words: scopes to check one after the other.
 */
export function planPartialWords(vocabulary: Vocabulary, { literal }: ParsedQuery): readonly SearchScope[] {
  return partialWordScopes(vocabulary, literal).flatMap((scope) => withSymbols(vocabulary, scope, literal) ?? []);
}

function partialWordScopes(vocabulary: Vocabulary, literal: string): readonly SearchScope[] {
  const words = scanWords(literal).map(({ text }) => text);
  const [first] = words;
  const last = words.at(-1);
  if (first === undefined || last === undefined) return ['everywhere'];
  const canExtendLeft = isLetterAt(literal, 0);
  const canExtendRight = isLetterAt(literal, literal.length - 1);
  if (words.length === 1) return longerWords(vocabulary, first, canExtendLeft, canExtendRight);
  if (!canExtendLeft && !canExtendRight) return [];

  const whole = words.slice(canExtendLeft ? 1 : 0, canExtendRight ? -1 : undefined).flatMap(splitLongWord);
  const inner = phraseExpression(vocabulary, whole);
  if (whole.length > 0 && inner === undefined) return [];
  const ends = [
    canExtendLeft ? withSuffix(vocabulary, first, PLANNER.maxTerms) : undefined,
    canExtendRight ? vocabulary.withPrefix(last.slice(0, TERM_OVERLAP), PLANNER.maxTerms) : undefined,
  ].filter((terms) => terms !== undefined);
  if (ends.some((terms) => terms.length === 0)) return [];
  const parts = [...(inner ? [inner] : []), ...ends.map(anyTerm)];
  return [parts.length > 0 ? allOf(parts) : 'everywhere'];
}

/** Longer words that contain a word. Of words that are split into pieces, any short substring is whole in one piece. */
function longerWords(
  vocabulary: Vocabulary,
  word: string,
  canExtendLeft: boolean,
  canExtendRight: boolean,
): readonly SearchScope[] {
  const start = word.slice(0, TERM_OVERLAP);
  const found = canExtendLeft
    ? canExtendRight
      ? vocabulary.withSubstring(start)
      : withSuffix(vocabulary, word, PLANNER.manyWords)
    : canExtendRight
      ? vocabulary.withPrefix(start, PLANNER.manyWords)
      : [];
  return found ? inChunks(found.filter(({ term }) => term !== word)).map(anyTerm) : ['everywhere'];
}

/** Terms that end with a word, including itself; undefined when there are more than `limit`, or too many to look for. */
function withSuffix(vocabulary: Vocabulary, word: string, limit: number): readonly KnownTerm[] | undefined {
  const suffix = word.slice(-TERM_OVERLAP);
  return Array.from(suffix).length > 1 ? vocabulary.withSuffix(suffix, limit) : undefined;
}

/** Narrows a large scope to documents with the symbols of the text. Undefined: nowhere. */
function withSymbols(vocabulary: Vocabulary, scope: SearchScope, literal: string): SearchScope | undefined {
  let result = scope;
  for (const probe of symbolProbes(literal)) {
    if (result !== 'everywhere' && result.maxMatches <= PLANNER.narrowedBySymbols) break;
    const terms = vocabulary.withSymbols(probe);
    if (terms.length === 0) return undefined;
    if (terms.length > PLANNER.maxTerms) continue;
    result = result === 'everywhere' ? anyTerm(terms) : allOf([result, anyTerm(terms)]);
  }
  return result;
}

/** Terms in chunks that fit into one expression, the most frequent first. */
function inChunks(terms: readonly KnownTerm[]): readonly (readonly KnownTerm[])[] {
  const sorted = [...terms].sort((a, b) => b.documentCount - a.documentCount);
  const chunks: (readonly KnownTerm[])[] = [];
  for (let at = 0; at < sorted.length; at += PLANNER.maxTerms) chunks.push(sorted.slice(at, at + PLANNER.maxTerms));
  return chunks;
}

function isLetterAt(text: string, at: number): boolean {
  return characterKind(text.charCodeAt(at)) === LETTER;
}
