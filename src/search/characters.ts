/** White space and controls. */
export const SPACE = 1;
/** Punctuation and symbols on the keyboard: they separate words too. */
export const SYMBOL = 2;
/** Part of a word. */
export const LETTER = 3;
/**
 * A word of its own: characters of scripts written without spaces, so that any piece of a text is a phrase,
 * and pictures.
 */
export const SINGLE = 4;

export type CharacterKind = typeof SPACE | typeof SYMBOL | typeof LETTER | typeof SINGLE;

const WITHOUT_SPACES =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}\p{scx=Tibetan}\p{scx=Yi}]/u;
const LETTER_LIKE = /[\p{L}\p{N}\p{M}]/u;
const PICTURE = /\p{S}/u;
const BLANK = /[\s\p{Z}\p{C}]/u;
const ASCII_LETTER = /[a-zA-Z0-9]/;

const kinds = new Uint8Array(0x10000);

/** What a UTF-16 unit of a folded text is. Halves of a pair count as SINGLE: take both together. */
export function kindOf(unit: number): CharacterKind {
  const known = kinds[unit];
  if (known) return known as CharacterKind;
  const kind = computeKind(unit);
  kinds[unit] = kind;
  return kind;
}

function computeKind(unit: number): CharacterKind {
  if (unit >= 0xd800 && unit <= 0xdfff) return SINGLE;
  const character = String.fromCharCode(unit);
  if (BLANK.test(character)) return SPACE;
  if (unit < 0x80) return ASCII_LETTER.test(character) ? LETTER : SYMBOL;
  if (LETTER_LIKE.test(character)) return WITHOUT_SPACES.test(character) ? SINGLE : LETTER;
  return PICTURE.test(character) ? SINGLE : SYMBOL;
}
