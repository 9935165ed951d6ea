import { once } from '../record/once.ts';
import { LETTERS } from './letters.ts';

/** White space and control characters. */
const SPACE = 1;
/** Punctuation and keyboard symbols. */
export const SYMBOL = 2;
/** Part of a word. */
export const LETTER = 3;
/** A word of its own: an emoji, or a letter of a script that is written without spaces. */
export const SINGLE = 4;

export type CharacterKind = typeof SPACE | typeof SYMBOL | typeof LETTER | typeof SINGLE;

// Patterns with Unicode classes take long to compile: they are made when a text needs them.
const unspacedLetter = once(
  () =>
    /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}\p{scx=Tibetan}\p{scx=Yi}]/u,
);
const letterLike = once(() => new RegExp(`[${LETTERS}\\p{M}]`, 'u'));
const picture = once(() => /\p{S}/u);
const blank = once(() => /[\s\p{Z}\p{C}]/u);
const NON_ASCII = /[^\0-\x7f]/;
const ASCII_LETTER = /[a-zA-Z0-9]/;

const kinds = new Uint8Array(0x10000);

/** The kind of a UTF-16 unit. Halves of a surrogate pair are SINGLE: take both together. */
export function characterKind(unit: number): CharacterKind {
  const known = kinds[unit];
  if (known) return known as CharacterKind;
  const kind = findKind(unit);
  kinds[unit] = kind;
  return kind;
}

function findKind(unit: number): CharacterKind {
  if (isSurrogate(unit)) return SINGLE;
  const character = String.fromCharCode(unit);
  if (unit < 0x80) return ASCII_LETTER.test(character) ? LETTER : unit <= 0x20 || unit === 0x7f ? SPACE : SYMBOL;
  if (blank().test(character)) return SPACE;
  if (letterLike().test(character)) return unspacedLetter().test(character) ? SINGLE : LETTER;
  return picture().test(character) ? SINGLE : SYMBOL;
}

/** Whether a text has letters of a script that is written without spaces between words. */
export function hasUnspacedLetters(text: string): boolean {
  return NON_ASCII.test(text) && unspacedLetter().test(text);
}

/** Whether a UTF-16 unit is half of a surrogate pair. */
export function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

/** The last position at or before `position` at which a text can be cut without splitting a surrogate pair. */
export function safeCut(text: string, position: number): number {
  if (position <= 0) return 0;
  if (position >= text.length) return text.length;
  const unit = text.charCodeAt(position);
  return unit >= 0xdc00 && unit <= 0xdfff ? position - 1 : position;
}

/** The beginning of a text, at most `length` UTF-16 units of it. */
export function beginningOf(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, safeCut(text, length));
}
