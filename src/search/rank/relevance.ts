import { characterKind, LETTER } from '../../text/characters.ts';

/** Something to look for in a folded text. */
export interface Needle {
  readonly text: string;
  /** What finding it is worth: rare ones more. */
  readonly weight: number;
}

/** Characters of an ordinary text. */
const ORDINARY_LENGTH = 600;
/** How fast further occurrences lose value, and how much long texts do. */
const SATURATION = 1.2;
const LENGTH_PENALTY = 0.4;
/** Inside a word an occurrence counts for less. */
const INSIDE_WORD = 0.4;
const MOST_OCCURRENCES = 20;
/** The most that being new adds, and the age at which half of it is left. */
const NEWNESS = 0.05;
const NEWNESS_HALF_MS = 7 * 86_400_000;

/** How well a folded text answers (BM25). 0 when it has none of the needles. */
export function relevance(folded: string, needles: readonly Needle[]): number {
  const length = 1 - LENGTH_PENALTY + (LENGTH_PENALTY * folded.length) / ORDINARY_LENGTH;
  let score = 0;
  for (const { text, weight } of needles) {
    const count = occurrences(folded, text);
    score += (weight * count * (SATURATION + 1)) / (count + SATURATION * length);
  }
  return score;
}

/** A relevance, a little raised for what is new, so that of equals the newer comes first. */
export function withNewness(score: number, time: number, newest: number): number {
  return score * (1 + NEWNESS / (1 + Math.max(0, newest - time) / NEWNESS_HALF_MS));
}

/** What a term is worth that occurs in some of all documents. */
export function rarity(documents: number, all: number): number {
  return Math.log(1 + (Math.max(0, all - documents) + 0.5) / (documents + 0.5));
}

function occurrences(folded: string, needle: string): number {
  let count = 0;
  let at = folded.indexOf(needle);
  for (let found = 0; at >= 0 && found < MOST_OCCURRENCES; found++) {
    count += isWholeWord(folded, at, at + needle.length) ? 1 : INSIDE_WORD;
    at = folded.indexOf(needle, at + needle.length);
  }
  return count;
}

/** Whether a place in a folded text has no letter directly before and after it. */
export function isWholeWord(folded: string, start: number, end: number): boolean {
  return !isLetterAt(folded, start - 1, start) && !isLetterAt(folded, end, end - 1);
}

/** Whether the character at `at` and its neighbour are letters of one word. */
function isLetterAt(folded: string, at: number, neighbour: number): boolean {
  if (at < 0 || at >= folded.length) return false;
  return (
    characterKind(folded.charCodeAt(at)) === LETTER && characterKind(folded.charCodeAt(neighbour)) === LETTER
  );
}
