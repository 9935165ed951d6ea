import { characterKind, LETTER, SINGLE } from '../text/characters.ts';
import { scanWords } from '../text/words.ts';

/** Longer words (encoded data, minified code) are indexed as pieces of this length that overlap. */
export const LONGEST_TERM = 64;
/** Any piece of a long word of up to this length is whole in one of its terms. */
export const TERM_OVERLAP = 16;

const NON_ASCII_RUN = /[^\x00-\x7f]+/g;

/** The terms under which a folded text is found, in order. */
export function termsOf(folded: string): readonly string[] {
  return scanWords(folded).flatMap(({ text }) => piecesOf(text));
}

/**
 * A folded text in a form from which FTS5's `ascii` tokenizer makes the same terms as {@link termsOf}: letters and
 * digits of ASCII and everything beyond it are parts of a term, the rest separates. Making a string of each term
 * and joining them takes four times as long.
 */
export function indexableText(folded: string): string {
  const text = folded.replace(NON_ASCII_RUN, separateRun);
  return hasLongTerm(text) ? termsOf(folded).join(' ') : text;
}

/** Looks only at every place that a long term would cover, and around it. */
function hasLongTerm(text: string): boolean {
  for (let at = LONGEST_TERM; at < text.length; at += LONGEST_TERM) {
    let start = at;
    while (start >= 0 && isPartOfTerm(text.charCodeAt(start))) start--;
    let end = at;
    while (end < text.length && isPartOfTerm(text.charCodeAt(end))) end++;
    if (end - start - 1 > LONGEST_TERM) return true;
  }
  return false;
}

/** Whether FTS5's `ascii` tokenizer takes a character of a folded text as part of a term. */
export function isPartOfTerm(unit: number): boolean {
  return unit >= 0x80 || (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39);
}

function separateRun(run: string): string {
  let result = '';
  for (const character of run) {
    const kind = characterKind(character.charCodeAt(0));
    result += kind === LETTER ? character : kind === SINGLE ? ` ${character} ` : ' ';
  }
  return result;
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
