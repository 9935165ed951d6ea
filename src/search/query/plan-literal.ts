import { characterKind, LETTER } from '../../text/characters.ts';
import { scanWords } from '../../text/words.ts';
import { LONGEST_TERM, piecesOf, symbolProbes, TERM_OVERLAP } from '../index/index-terms.ts';
import { allOf, anyOf, anyTerm, type Expression, MOST_TERMS, phrase } from './expression.ts';
import type { ParsedQuery } from './parse-query.ts';
import { beginningPhrase, phraseExpression } from './plan-words.ts';
import { type KnownTerm, totalDocuments, type Vocabulary } from './vocabulary.ts';

/** Where to look for a text: among the matches of an expression, or, when nothing is known, in all documents. */
export type Place = Expression | 'everywhere';

/** More documents than this are narrowed down by their symbols. */
const FEW = 1_000;
/** So few documents are checked without looking for anything narrower, and so many probable ones. */
const HARDLY_ANY = 20;
const FEW_MATCHES = 200;
/** Words that begin in some way. Where there are more, FTS5 finds them itself. */
const MOST_BEGINNINGS = 5_000;
/** Words that begin like another one are found together with it where they are few, in few documents. */
const FEW_BEGINNINGS = 64;
const SELDOM_BEGINNING = 8_000;
/** Terms in a row by which a text is found; its other words are seen when it is checked. */
const TELLING_TERMS = 3;
/** A term that is no more frequent than this tells enough with one neighbour, and one this rare by itself. */
const SELDOM = 3_000;
const RARE = 16;

/** Where the typed text can be if its first and last word are whole there. */
interface ClosedPlace {
  readonly place: Place;
  /** Whether it can be only here also if its last word goes on. */
  readonly includesLonger: boolean;
  /** Whether all documents with its words in a row are here, whatever stands between them. */
  readonly includesRows: boolean;
}

/** Where the typed text can be if its first and last word are whole there. Undefined: nowhere. */
export function closedLiteral(vocabulary: Vocabulary, { literal }: ParsedQuery): ClosedPlace | undefined {
  const { first, middle, last, isOpenRight } = literalWords(literal);
  if (first === undefined) return undefined;
  const before = [...piecesOf(first), ...middle];
  const beginnings = last && isOpenRight ? fewBeginnings(vocabulary, last) : undefined;
  const row =
    last && beginnings
      ? tellingRow(vocabulary, before, last, beginnings)
      : tellingPhrase(vocabulary, [...before, ...(last ? piecesOf(last) : [])]);
  const place = row && withSymbols(vocabulary, row, literal);
  const includesLonger = !isOpenRight || beginnings !== undefined;
  return place && { place, includesLonger, includesRows: place === row };
}

/** Terms that begin like a word, when there are no others or when FTS5 finds all of them quickly. */
function fewBeginnings(vocabulary: Vocabulary, word: string): readonly KnownTerm[] | undefined {
  if (word.length > LONGEST_TERM) return undefined;
  const beginnings = vocabulary.beginningWith(word, FEW_BEGINNINGS);
  if (!beginnings) return undefined;
  const isFew = totalDocuments(beginnings) <= SELDOM_BEGINNING;
  return isFew || without(beginnings, word).length === 0 ? beginnings : undefined;
}

/**
 * Where the typed text can be if its first or last word is part of a longer one, or if it has no words: one place
 * after the other. Of the words that such a word can be part of, up to `mostWords` are told apart. With `isLeftOnly`
 * the places where the first of several words is whole are left out.
 */
export function openLiteral(
  vocabulary: Vocabulary,
  { literal }: ParsedQuery,
  mostWords: number,
  isLeftOnly = false,
): readonly Place[] {
  return openWords(vocabulary, literal, mostWords, isLeftOnly).flatMap(
    (place) => withSymbols(vocabulary, place, literal) ?? [],
  );
}

function openWords(
  vocabulary: Vocabulary,
  literal: string,
  mostWords: number,
  isLeftOnly: boolean,
): readonly Place[] {
  const { first, middle, last, isOpenLeft, isOpenRight } = literalWords(literal);
  if (first === undefined) return ['everywhere'];
  if (last === undefined) return longerWords(vocabulary, first, isOpenLeft, isOpenRight);
  if (middle.some((term) => vocabulary.documents(term) === 0)) return [];
  const text = { first, middle, last, isOpenRight, mostWords };
  return [
    ...(isOpenRight && !isLeftOnly ? openRight(vocabulary, text) : []),
    ...(isOpenLeft ? openLeft(vocabulary, text) : []),
  ];
}

/** Longer words with a word in them. Of words that are cut into pieces, any short part is whole in one piece. */
function longerWords(
  vocabulary: Vocabulary,
  word: string,
  isOpenLeft: boolean,
  isOpenRight: boolean,
): readonly Place[] {
  const head = word.slice(0, TERM_OVERLAP);
  if (isOpenLeft && isOpenRight) return anyInChunks(without(vocabulary.containing(head), word));
  if (isOpenLeft) return longerEndings(vocabulary, word);
  if (!isOpenRight) return [];
  const found = vocabulary.beginningWith(head, MOST_BEGINNINGS);
  return found ? anyInChunks(without(found, word)) : [prefixOf(head)];
}

function longerEndings(vocabulary: Vocabulary, word: string): readonly Place[] {
  const found = endingsOf(vocabulary, word, MOST_BEGINNINGS);
  return found ? anyInChunks(without(found, word)) : ['everywhere'];
}

/** A text of several words. */
interface OpenPhrase {
  readonly first: string;
  /** Terms of the words between the first and the last. */
  readonly middle: readonly string[];
  readonly last: string;
  /** Whether the last word may go on. */
  readonly isOpenRight: boolean;
  readonly mostWords: number;
}

/** The first word is whole and the last one goes on. */
function openRight(vocabulary: Vocabulary, { first, middle, last, mostWords }: OpenPhrase): readonly Place[] {
  const before = [...piecesOf(first), ...middle];
  const whole = tellingPhrase(vocabulary, before);
  if (!whole) return [];
  if (isCheckedEasily(whole)) return [whole];
  const beginnings = vocabulary.beginningWith(last.slice(0, TERM_OVERLAP), mostWords);
  if (!beginnings) return [whole];
  return phrasesInChunks(vocabulary, without(beginnings, last), (term) => [
    ...before.slice(1 - TELLING_TERMS),
    term,
  ]);
}

/** The first word is the end of a longer one, and the last one is whole or goes on. */
function openLeft(
  vocabulary: Vocabulary,
  { first, middle, last, isOpenRight, mostWords }: OpenPhrase,
): readonly Place[] {
  const after = isOpenRight ? middle : [...middle, ...piecesOf(last)];
  const rest = tellingPhrase(vocabulary, after);
  if (rest && isCheckedEasily(rest)) return [rest];
  const end = after.length === 0 ? anyBeginning(vocabulary, last, mostWords) : undefined;
  if (end && end.documents <= HARDLY_ANY) return end.documents > 0 ? [end] : [];
  const endings = endingsOf(vocabulary, first, mostWords);
  const longer = endings && without(endings, first);
  if (longer && totalDocuments(longer) <= HARDLY_ANY) return anyInChunks(longer);
  if (!longer) return [rest ?? end ?? 'everywhere'];
  const places = phrasesInChunks(vocabulary, longer, (term) => [term, ...after.slice(0, TELLING_TERMS - 1)]);
  return end ? places.map((place) => allOf([place, end], vocabulary.all)) : places;
}

/** Whether checking the documents takes no longer than looking for a narrower expression. */
function isCheckedEasily({ documents, matches }: Expression): boolean {
  return documents <= HARDLY_ANY || (matches < documents && matches <= FEW_MATCHES);
}

/** The rarest of some terms in a row, with its neighbours. Undefined when there are none, or one of them is nowhere. */
function tellingPhrase(vocabulary: Vocabulary, terms: readonly string[]): Expression | undefined {
  const counts = terms.map((term) => vocabulary.documents(term));
  if (counts.includes(0)) return undefined;
  const { start, end } = tellingPart(counts);
  return phraseExpression(vocabulary, terms.slice(start, end));
}

/** The same for a row whose last word may go on, to become one of some terms. */
function tellingRow(
  vocabulary: Vocabulary,
  before: readonly string[],
  last: string,
  beginnings: readonly KnownTerm[],
): Expression | undefined {
  const counts = [...before.map((term) => vocabulary.documents(term)), totalDocuments(beginnings)];
  if (counts.includes(0)) return undefined;
  const { start, end } = tellingPart(counts);
  const terms = [...before, last].slice(start, end);
  const mayGoOn = end > before.length && without(beginnings, last).length > 0;
  if (!mayGoOn) return phraseExpression(vocabulary, terms);
  return terms.length > 1 ? beginningPhrase(terms, counts.slice(start, end)) : anyTerm(beginnings);
}

/** Where the rarest terms of a row are, one to three of them, by how many documents have each. */
function tellingPart(counts: readonly number[]): { readonly start: number; readonly end: number } {
  const least = Math.min(...counts);
  const length = least <= RARE ? 1 : least <= SELDOM ? TELLING_TERMS - 1 : TELLING_TERMS;
  const rarest = counts.indexOf(least);
  const start = Math.max(0, Math.min(length > 2 ? rarest - 1 : rarest, counts.length - length));
  return { start, end: start + length };
}

/** Adds the symbols of the typed text where that narrows down many documents. Undefined: nowhere. */
function withSymbols(vocabulary: Vocabulary, place: Place, literal: string): Place | undefined {
  let result = place;
  for (const probe of symbolProbes(literal)) {
    if (result !== 'everywhere' && result.documents <= FEW) break;
    const terms = vocabulary.containingSymbols(probe);
    if (terms.length === 0) return undefined;
    if (terms.length > MOST_TERMS) continue;
    result = result === 'everywhere' ? anyTerm(terms) : allOf([result, anyTerm(terms)], vocabulary.all);
  }
  return result;
}

function anyInChunks(terms: readonly KnownTerm[]): readonly Expression[] {
  return chunksOf(terms).map(anyTerm);
}

function phrasesInChunks(
  vocabulary: Vocabulary,
  terms: readonly KnownTerm[],
  phraseWith: (term: string) => readonly string[],
): readonly Expression[] {
  return chunksOf(terms).flatMap((chunk) => {
    const phrases = chunk.flatMap(({ term }) => phraseExpression(vocabulary, phraseWith(term)) ?? []);
    return phrases.length > 0 ? [anyOf(phrases)] : [];
  });
}

/** Terms in portions that fit into one expression, the most frequent first. */
function chunksOf(terms: readonly KnownTerm[]): readonly (readonly KnownTerm[])[] {
  const sorted = [...terms].sort((a, b) => b.documents - a.documents);
  const chunks: (readonly KnownTerm[])[] = [];
  for (let at = 0; at < sorted.length; at += MOST_TERMS) chunks.push(sorted.slice(at, at + MOST_TERMS));
  return chunks;
}

function without(terms: readonly KnownTerm[], word: string): readonly KnownTerm[] {
  return terms.filter(({ term }) => term !== word);
}

function prefixOf(word: string): Expression {
  const many = Number.MAX_SAFE_INTEGER;
  return { text: phrase([word], true), documents: many, matches: many, entries: many, phrases: MOST_TERMS };
}

/** The words of a typed text, by what they can be part of in a text that contains it. */
interface LiteralWords {
  /** Undefined when there are no words. */
  readonly first: string | undefined;
  /** Terms of the words between the first and the last. */
  readonly middle: readonly string[];
  /** Undefined when there is only one word. */
  readonly last: string | undefined;
  /** Whether the first word can be the end of a longer one. */
  readonly isOpenLeft: boolean;
  /** Whether the last word, or the only one, can go on. */
  readonly isOpenRight: boolean;
}

/** The words of a folded text. */
function literalWords(literal: string): LiteralWords {
  const words = scanWords(literal).map(({ text }) => text);
  return {
    first: words[0],
    middle: words.slice(1, -1).flatMap(piecesOf),
    last: words.length > 1 ? words.at(-1) : undefined,
    isOpenLeft: isLetterAt(literal, 0),
    isOpenRight: isLetterAt(literal, literal.length - 1),
  };
}

/** Terms that end like a word, itself included; undefined when there are more than `most`. */
function endingsOf(vocabulary: Vocabulary, word: string, most: number): readonly KnownTerm[] | undefined {
  const end = word.slice(-TERM_OVERLAP);
  return Array.from(end).length > 1 ? vocabulary.endingWith(end, most) : undefined;
}

/** Documents with a word that begins like this; undefined when more than `most` words do. */
function anyBeginning(vocabulary: Vocabulary, word: string, most: number): Expression | undefined {
  const found = vocabulary.beginningWith(word.slice(0, TERM_OVERLAP), Math.min(most, MOST_TERMS));
  return found && anyTerm(found);
}

function isLetterAt(text: string, at: number): boolean {
  return characterKind(text.charCodeAt(at)) === LETTER;
}

/** Words that a word can be part of: no more are told apart here. */
const FEW_WORDS = 64;
/** The first word must be so many times rarer than the others to look for the words that end with it. */
const WORTH_LOOKING = 4;

/**
 * Documents that have a certain word of the typed text, or a longer one that it can be part of: all that contain the
 * text, and all that have its words. Of such words, the one with the fewest documents. Undefined when there is none,
 * as in a text of one word.
 */
export function literalAnchor(vocabulary: Vocabulary, { literal }: ParsedQuery): Expression | undefined {
  const { first, middle, last, isOpenLeft, isOpenRight } = literalWords(literal);
  if (first === undefined || last === undefined) return undefined;
  const whole = [...(isOpenLeft ? [] : piecesOf(first)), ...middle, ...(isOpenRight ? [] : piecesOf(last))];
  const end = isOpenRight ? anyBeginning(vocabulary, last, FEW_WORDS) : undefined;
  const anchors = whole.map((term) => anyTerm([{ term, documents: vocabulary.documents(term) }]));
  const fewest = fewestOf([...anchors, ...(end ? [end] : [])]);
  const most = (fewest?.documents ?? vocabulary.all) / WORTH_LOOKING;
  if (!isOpenLeft || vocabulary.documents(first) > most) return fewest;
  const endings = endingsOf(vocabulary, first, FEW_WORDS);
  return fewestOf([...(fewest ? [fewest] : []), ...(endings ? [anyTerm(endings)] : [])]);
}

/** Whether the first word of the typed text can be the end of very many words. */
export function hasManyEndings(vocabulary: Vocabulary, { literal }: ParsedQuery): boolean {
  const { first, isOpenLeft } = literalWords(literal);
  return isOpenLeft && first !== undefined && endingsOf(vocabulary, first, FEW_WORDS) === undefined;
}

function fewestOf(expressions: readonly Expression[]): Expression | undefined {
  return [...expressions].sort((a, b) => a.documents - b.documents)[0];
}
