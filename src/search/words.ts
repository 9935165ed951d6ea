import { kindOf, LETTER, SINGLE, SPACE } from './characters.ts';

/** A word of a folded text and where it is. */
export interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Longer words (encoded data, minified code) are indexed as pieces of this length that overlap. */
export const LONGEST_TERM = 64;
/** Any piece of a long word of up to this length is whole in one of its terms. */
export const TERM_OVERLAP = 16;

const ASCII = /^[\x00-\x7f]*$/;
const ASCII_WORD = /[a-z0-9]+/g;

/** The words of a folded text, in order. Long ones are whole. */
export function wordsOf(folded: string): readonly Word[] {
  const words: Word[] = [];
  const borders = bordersOf(folded);
  for (let index = 0; index < borders.length; index += 2) {
    const start = borders[index] ?? 0;
    const end = borders[index + 1] ?? 0;
    words.push({ text: folded.slice(start, end), start, end });
  }
  return words;
}

/** The terms under which a folded text is found, in order. */
export function termsOf(folded: string): readonly string[] {
  const words = ASCII.test(folded) ? (folded.match(ASCII_WORD) ?? []) : slicesOf(folded);
  return words.some((word) => word.length > LONGEST_TERM) ? words.flatMap(piecesOf) : words;
}

function slicesOf(folded: string): readonly string[] {
  const slices: string[] = [];
  const borders = bordersOf(folded);
  for (let index = 0; index < borders.length; index += 2) {
    slices.push(folded.slice(borders[index], borders[index + 1]));
  }
  return slices;
}

/** Start and end of each word, one after the other. */
function bordersOf(folded: string): readonly number[] {
  const borders: number[] = [];
  let start = -1;
  for (let at = 0; at <= folded.length; at++) {
    const kind = at < folded.length ? kindOf(folded.charCodeAt(at)) : SPACE;
    if (kind === LETTER) {
      if (start < 0) start = at;
      continue;
    }
    if (start >= 0) borders.push(start, at);
    start = -1;
    if (kind !== SINGLE) continue;
    const end = at + ((folded.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
    borders.push(at, end);
    at = end - 1;
  }
  return borders;
}

/**
 * A word as terms: itself, or overlapping pieces when it is long. The first piece begins and the last one ends
 * with the word.
 */
export function piecesOf(word: string): readonly string[] {
  if (word.length <= LONGEST_TERM) return [word];
  const pieces: string[] = [];
  const step = LONGEST_TERM - TERM_OVERLAP;
  for (let at = 0; at + LONGEST_TERM < word.length; at += step)
    pieces.push(word.slice(at, at + LONGEST_TERM));
  pieces.push(word.slice(-LONGEST_TERM));
  return pieces;
}
