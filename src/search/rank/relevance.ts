import { characterKind, LETTER } from '../../text/characters.ts';

/** A folded text to look for in documents. */
export interface WeightedTerm {
  readonly text: string;
  /** What an occurrence is worth: rare terms are worth more. */
  readonly weight: number;
}

/** Length of an average text in characters. */
const AVERAGE_LENGTH = 600;
/** The parameters k1 and b of BM25: how fast repeated occurrences lose value, and how much long texts do. */
const SATURATION = 1.2;
const LENGTH_PENALTY = 0.4;
/** Worth of an occurrence inside a longer word. */
const INSIDE_WORD = 0.4;
const MAX_OCCURRENCES = 20;
/** The maximum boost for recent documents, and the age at which half of it is left. */
const RECENCY_BOOST = 0.05;
const RECENCY_HALF_MS = 7 * 86_400_000;

/** How relevant a folded text is (BM25). 0 when it has none of the terms. */
export function relevance(folded: string, terms: readonly WeightedTerm[]): number {
  let score = 0;
  for (const { text, weight } of terms) {
    score += weight * saturate(countOccurrences(folded, text), folded.length, LENGTH_PENALTY);
  }
  return score;
}

/** What `count` occurrences in a text of that length are worth (BM25): each further one less, and less in long texts. */
export function saturate(count: number, length: number, lengthPenalty: number): number {
  const norm = 1 - lengthPenalty + (lengthPenalty * length) / AVERAGE_LENGTH;
  return (count * (SATURATION + 1)) / (count + SATURATION * norm);
}

/** Raises a score slightly for recent documents, so that the newer of two equals comes first. */
export function boostRecent(score: number, time: number, newest: number): number {
  return score * (1 + RECENCY_BOOST / (1 + Math.max(0, newest - time) / RECENCY_HALF_MS));
}

/** The inverse document frequency of a term that occurs in `documentCount` of `totalCount` documents. */
export function rarity(documentCount: number, totalCount: number): number {
  return Math.log(1 + (Math.max(0, totalCount - documentCount) + 0.5) / (documentCount + 0.5));
}

/** Whether a range of a folded text is not part of a longer word. */
export function isWholeWord(folded: string, start: number, end: number): boolean {
  return !isSameWord(folded, start - 1, start) && !isSameWord(folded, end, end - 1);
}

function countOccurrences(folded: string, text: string): number {
  let count = 0;
  let at = folded.indexOf(text);
  for (let found = 0; at >= 0 && found < MAX_OCCURRENCES; found++) {
    count += isWholeWord(folded, at, at + text.length) ? 1 : INSIDE_WORD;
    at = folded.indexOf(text, at + text.length);
  }
  return count;
}

/** Whether the character at `at` and its neighbour are letters of one word. */
function isSameWord(folded: string, at: number, neighbour: number): boolean {
  if (at < 0 || at >= folded.length) return false;
  return characterKind(folded.charCodeAt(at)) === LETTER && characterKind(folded.charCodeAt(neighbour)) === LETTER;
}
