import { MAX_TERM_LENGTH, splitLongWord, symbolProbes, TERM_OVERLAP } from '../../store/index-terms.ts';
import { characterKind, LETTER } from '../../text/characters.ts';
import { scanWords } from '../../text/words.ts';
import { allOf, anyOf, anyTerm, bounded, type Expression, phrase } from './expression.ts';
import type { ParsedQuery } from './parse-query.ts';
import { countedPhrase, phraseExpression } from './plan-words.ts';
import { PLANNER } from './planner-limits.ts';
import { type KnownTerm, sumDocumentCounts, type Vocabulary } from './vocabulary.ts';

/** Which documents to check for a text: the matches of an expression, or all when nothing narrows them down. */
export type SearchScope = Expression | 'everywhere';

/** The scope of a text whose first and last word are whole words. */
interface WholeWordScope {
  readonly scope: SearchScope;
  /** Whether it also covers texts in which the last word is longer. */
  readonly includesExtended: boolean;
  /** Whether it covers all documents with the words as a phrase, whatever separates them. */
  readonly includesPhrases: boolean;
}

/** Where the typed text can be if its first and last word are whole words there. Undefined: nowhere. */
export function planWholeWords(vocabulary: Vocabulary, { literal }: ParsedQuery): WholeWordScope | undefined {
  const { first, middle, last, canExtendRight } = literalWords(literal);
  if (first === undefined) return undefined;
  const before = [...splitLongWord(first), ...middle];
  const completions = last && canExtendRight ? fewCompletions(vocabulary, last) : undefined;
  const words =
    last && completions
      ? selectivePrefixPhrase(vocabulary, before, last, completions)
      : selectivePhrase(vocabulary, [...before, ...(last ? splitLongWord(last) : [])]);
  const scope = words && withSymbols(vocabulary, words, literal);
  const includesExtended = !canExtendRight || completions !== undefined;
  return scope && { scope, includesExtended, includesPhrases: scope === words };
}

/**
 * Where a text of several words can be, whatever longer words its first and last word are part of: where the words
 * between them are. Undefined when these are too frequent to narrow it down.
 */
export function planInnerWords(vocabulary: Vocabulary, { literal }: ParsedQuery): Expression | undefined {
  const inner = selectivePhrase(vocabulary, literalWords(literal).middle);
  return inner && inner.maxMatches <= PLANNER.maxInnerWord ? inner : undefined;
}

/**
 * Documents with two of the words inside of the typed text near one another: the rarest and the rarest near it. Faster than
 * {@link planInnerWords}, but a wider scope where the two are often together.
 */
export function planInnerPair(vocabulary: Vocabulary, { literal }: ParsedQuery): Expression | undefined {
  const { middle } = literalWords(literal);
  const words = middle.map((term, place) => ({ term, place, count: vocabulary.countDocuments(term) }));
  const [rarest, ...others] = [...words].sort((a, b) => a.count - b.count);
  if (rarest === undefined || rarest.count === 0) return undefined;
  const distanceOf = ({ place }: { readonly place: number }): number => Math.abs(place - rarest.place);
  const other = others.find((word) => word.term !== rarest.term && distanceOf(word) <= PLANNER.maxDistance);
  if (other === undefined) return phraseExpression(vocabulary, [rarest.term]);
  const between = distanceOf(other) - 1;
  return bounded(`NEAR(${phrase([rarest.term])} ${phrase([other.term])}, ${between})`, rarest.count, 2);
}

/**
 * Where the typed text can be if its first or last word is part of a longer one, or if it has no words: scopes to check
 * one after the other. Up to `maxWords` longer words are enumerated. With `isLeftOnly` the scopes in which the first of
 * several words is whole are left out.
 */
export function planPartialWords(
  vocabulary: Vocabulary,
  { literal }: ParsedQuery,
  maxWords: number,
  isLeftOnly = false,
): readonly SearchScope[] {
  return partialWordScopes(vocabulary, literal, maxWords, isLeftOnly).flatMap(
    (scope) => withSymbols(vocabulary, scope, literal) ?? [],
  );
}

/**
 * Documents with one certain word of the typed text, or a longer word that contains it: the word with the fewest
 * documents. All documents with the text, and all with its words, are among them. Undefined for a single word.
 */
export function planAnchor(vocabulary: Vocabulary, { literal }: ParsedQuery): Expression | undefined {
  const { first, middle, last, canExtendLeft, canExtendRight } = literalWords(literal);
  if (first === undefined || last === undefined) return undefined;
  const whole = [
    ...(canExtendLeft ? [] : splitLongWord(first)),
    ...middle,
    ...(canExtendRight ? [] : splitLongWord(last)),
  ];
  const end = canExtendRight ? anyWithPrefix(vocabulary, last, PLANNER.fewWords) : undefined;
  const anchors = whole.map((term) => anyTerm([{ term, documentCount: vocabulary.countDocuments(term) }]));
  const fewest = fewestDocuments([...anchors, ...(end ? [end] : [])]);
  const limit = (fewest?.maxMatches ?? vocabulary.documentCount) / PLANNER.anchorFactor;
  if (!canExtendLeft || vocabulary.countDocuments(first) > limit) return fewest;
  const extended = findTermsWithSuffix(vocabulary, first, PLANNER.fewWords);
  return fewestDocuments([...(fewest ? [fewest] : []), ...(extended ? [anyTerm(extended)] : [])]);
}

/** Whether the first word of the typed text may be the end of very many words. */
export function hasManySuffixes(vocabulary: Vocabulary, { literal }: ParsedQuery): boolean {
  const { first, canExtendLeft } = literalWords(literal);
  return canExtendLeft && first !== undefined && findTermsWithSuffix(vocabulary, first, PLANNER.fewWords) === undefined;
}

/** The completions of a word, if it has none but itself or FTS5 finds them quickly. */
function fewCompletions(vocabulary: Vocabulary, word: string): readonly KnownTerm[] | undefined {
  if (word.length > MAX_TERM_LENGTH) return undefined;
  const completions = vocabulary.withPrefix(word, PLANNER.fewWords);
  if (!completions) return undefined;
  const areFew = sumDocumentCounts(completions) <= PLANNER.maxCompletionDocuments;
  return areFew || without(completions, word).length === 0 ? completions : undefined;
}

function partialWordScopes(
  vocabulary: Vocabulary,
  literal: string,
  maxWords: number,
  isLeftOnly: boolean,
): readonly SearchScope[] {
  const { first, middle, last, canExtendLeft, canExtendRight } = literalWords(literal);
  if (first === undefined) return ['everywhere'];
  if (last === undefined) return longerWords(vocabulary, first, canExtendLeft, canExtendRight);
  if (middle.some((term) => vocabulary.countDocuments(term) === 0)) return [];
  const text = { first, middle, last, canExtendRight, maxWords };
  return [
    ...(canExtendRight && !isLeftOnly ? extendRight(vocabulary, text) : []),
    ...(canExtendLeft ? extendLeft(vocabulary, text) : []),
  ];
}

/** Longer words that contain a word. Of words that are split into pieces, any short substring is whole in one piece. */
function longerWords(
  vocabulary: Vocabulary,
  word: string,
  canExtendLeft: boolean,
  canExtendRight: boolean,
): readonly SearchScope[] {
  const head = word.slice(0, TERM_OVERLAP);
  if (canExtendLeft && canExtendRight) return anyInChunks(without(vocabulary.withSubstring(head), word));
  if (canExtendLeft) return longerWordsWithSuffix(vocabulary, word);
  if (!canExtendRight) return [];
  const found = vocabulary.withPrefix(head, PLANNER.manyWords);
  return found ? anyInChunks(without(found, word)) : [unresolvedPrefix(head)];
}

function longerWordsWithSuffix(vocabulary: Vocabulary, word: string): readonly SearchScope[] {
  const found = findTermsWithSuffix(vocabulary, word, PLANNER.manyWords);
  return found ? anyInChunks(without(found, word)) : ['everywhere'];
}

/** A text of several words. */
interface TypedPhrase {
  readonly first: string;
  /** Terms of the words between the first and the last. */
  readonly middle: readonly string[];
  readonly last: string;
  readonly canExtendRight: boolean;
  readonly maxWords: number;
}

/** Scopes in which the first word is whole and the last one is longer. */
function extendRight(vocabulary: Vocabulary, { first, middle, last, maxWords }: TypedPhrase): readonly SearchScope[] {
  const before = [...splitLongWord(first), ...middle];
  const whole = selectivePhrase(vocabulary, before);
  if (!whole) return [];
  if (isCheapToCheck(whole)) return [whole];
  const completions = vocabulary.withPrefix(last.slice(0, TERM_OVERLAP), maxWords);
  if (!completions) return [whole];
  return phrasesInChunks(vocabulary, without(completions, last), (term) => [
    ...before.slice(1 - PLANNER.selectiveTerms),
    term,
  ]);
}

/** Scopes in which the first word is the end of a longer one, and the last one is whole or longer. */
function extendLeft(
  vocabulary: Vocabulary,
  { first, middle, last, canExtendRight, maxWords }: TypedPhrase,
): readonly SearchScope[] {
  const after = canExtendRight ? middle : [...middle, ...splitLongWord(last)];
  const rest = selectivePhrase(vocabulary, after);
  if (rest && isCheapToCheck(rest)) return [rest];
  const end = after.length === 0 ? anyWithPrefix(vocabulary, last, maxWords) : undefined;
  if (end && end.maxMatches <= PLANNER.tinyScope) return end.maxMatches > 0 ? [end] : [];
  const extended = findTermsWithSuffix(vocabulary, first, maxWords);
  const longer = extended && without(extended, first);
  if (longer && sumDocumentCounts(longer) <= PLANNER.tinyScope) return anyInChunks(longer);
  if (!longer) return [rest ?? end ?? 'everywhere'];
  const scopes = phrasesInChunks(vocabulary, longer, (term) => [term, ...after.slice(0, PLANNER.selectiveTerms - 1)]);
  return end ? scopes.map((scope) => allOf([scope, end], vocabulary.documentCount)) : scopes;
}

/** Whether checking the documents takes no longer than finding a narrower expression. */
function isCheapToCheck({ maxMatches, expectedMatches }: Expression): boolean {
  return maxMatches <= PLANNER.tinyScope || (expectedMatches < maxMatches && expectedMatches <= PLANNER.fewMatches);
}

/** The rarest of some consecutive terms with its neighbours. Undefined when one of them is in no document. */
function selectivePhrase(vocabulary: Vocabulary, terms: readonly string[]): Expression | undefined {
  const counts = terms.map((term) => vocabulary.countDocuments(term));
  if (counts.includes(0)) return undefined;
  const { start, end } = selectiveRange(counts, vocabulary.documentCount);
  return phraseExpression(vocabulary, terms.slice(start, end));
}

/** The same where the last word may also be one of its completions. */
function selectivePrefixPhrase(
  vocabulary: Vocabulary,
  before: readonly string[],
  last: string,
  completions: readonly KnownTerm[],
): Expression | undefined {
  const counts = [...before.map((term) => vocabulary.countDocuments(term)), sumDocumentCounts(completions)];
  if (counts.includes(0)) return undefined;
  const { start, end } = selectiveRange(counts, vocabulary.documentCount);
  const terms = [...before, last].slice(start, end);
  const isPrefix = end > before.length && without(completions, last).length > 0;
  if (!isPrefix) return phraseExpression(vocabulary, terms);
  return terms.length > 1 ? countedPhrase(terms, counts.slice(start, end), true) : anyTerm(completions);
}

/** The range of one to three consecutive terms with the rarest that is read fastest, given the documents of each. */
function selectiveRange(
  counts: readonly number[],
  documentCount: number,
): { readonly start: number; readonly end: number } {
  const least = Math.min(...counts);
  const rarest = counts.indexOf(least);
  const neighbour = Math.min(counts[rarest - 1] ?? documentCount, counts[rarest + 1] ?? documentCount);
  const isPairSelective = (least * neighbour) / documentCount <= PLANNER.maxPairs;
  const length = least <= PLANNER.rare ? 1 : isPairSelective ? PLANNER.selectiveTerms - 1 : PLANNER.selectiveTerms;
  const first = Math.max(0, rarest - length + 1);
  const last = Math.max(first, Math.min(rarest, counts.length - length));
  const costOf = (start: number): number => counts.slice(start, start + length).reduce((sum, count) => sum + count, 0);
  let start = first;
  for (let at = first + 1; at <= last; at++) if (costOf(at) < costOf(start)) start = at;
  return { start, end: start + length };
}

/** Narrows a large scope to documents with the symbols of the text. Undefined: nowhere. */
function withSymbols(vocabulary: Vocabulary, scope: SearchScope, literal: string): SearchScope | undefined {
  let result = scope;
  for (const probe of symbolProbes(literal)) {
    if (result !== 'everywhere' && result.maxMatches <= PLANNER.narrowedBySymbols) break;
    const terms = vocabulary.withSymbols(probe);
    if (terms.length === 0) return undefined;
    if (terms.length > PLANNER.maxTerms) continue;
    result = result === 'everywhere' ? anyTerm(terms) : allOf([result, anyTerm(terms)], vocabulary.documentCount);
  }
  return result;
}

function anyInChunks(terms: readonly KnownTerm[]): readonly Expression[] {
  return splitIntoChunks(terms).map(anyTerm);
}

function phrasesInChunks(
  vocabulary: Vocabulary,
  terms: readonly KnownTerm[],
  phraseWith: (term: string) => readonly string[],
): readonly Expression[] {
  return splitIntoChunks(terms).flatMap((chunk) => {
    const phrases = chunk.flatMap(({ term }) => phraseExpression(vocabulary, phraseWith(term)) ?? []);
    return phrases.length > 0 ? [anyOf(phrases)] : [];
  });
}

/** Terms in chunks that fit into one expression, the most frequent first. */
function splitIntoChunks(terms: readonly KnownTerm[]): readonly (readonly KnownTerm[])[] {
  const sorted = [...terms].sort((a, b) => b.documentCount - a.documentCount);
  const chunks: (readonly KnownTerm[])[] = [];
  for (let at = 0; at < sorted.length; at += PLANNER.maxTerms) chunks.push(sorted.slice(at, at + PLANNER.maxTerms));
  return chunks;
}

function without(terms: readonly KnownTerm[], word: string): readonly KnownTerm[] {
  return terms.filter(({ term }) => term !== word);
}

function unresolvedPrefix(word: string): Expression {
  return bounded(phrase([word], true), Number.MAX_SAFE_INTEGER, PLANNER.maxTerms);
}

/** The words of a typed text. In a text that contains it, the first and the last may be parts of longer words. */
interface LiteralWords {
  /** Undefined when there are no words. */
  readonly first: string | undefined;
  /** Terms of the words between the first and the last. */
  readonly middle: readonly string[];
  /** Undefined when there is only one word. */
  readonly last: string | undefined;
  /** Whether the first word may be the end of a longer one. */
  readonly canExtendLeft: boolean;
  /** Whether the last word, or the only one, may be the beginning of a longer one. */
  readonly canExtendRight: boolean;
}

function literalWords(literal: string): LiteralWords {
  const words = scanWords(literal).map(({ text }) => text);
  return {
    first: words[0],
    middle: words.slice(1, -1).flatMap(splitLongWord),
    last: words.length > 1 ? words.at(-1) : undefined,
    canExtendLeft: isLetterAt(literal, 0),
    canExtendRight: isLetterAt(literal, literal.length - 1),
  };
}

/** Terms that end with a word, including itself; undefined when there are more than `limit`. */
function findTermsWithSuffix(vocabulary: Vocabulary, word: string, limit: number): readonly KnownTerm[] | undefined {
  const suffix = word.slice(-TERM_OVERLAP);
  return Array.from(suffix).length > 1 ? vocabulary.withSuffix(suffix, limit) : undefined;
}

/** Documents with a word that starts with this one; undefined when more than `limit` words do. */
function anyWithPrefix(vocabulary: Vocabulary, word: string, limit: number): Expression | undefined {
  const found = vocabulary.withPrefix(word.slice(0, TERM_OVERLAP), Math.min(limit, PLANNER.maxTerms));
  return found && anyTerm(found);
}

function isLetterAt(text: string, at: number): boolean {
  return characterKind(text.charCodeAt(at)) === LETTER;
}

function fewestDocuments(expressions: readonly Expression[]): Expression | undefined {
  return [...expressions].sort((a, b) => a.maxMatches - b.maxMatches)[0];
}
