/**
 * Letters and digits of any script, for the brackets of a regular expression with the flag `u`: `[${LETTERS}_]+`. Such an
 * expression takes long to compile, so that what starts quickly makes it when it needs it.
 */
export const LETTERS = '\\p{L}\\p{N}';

/** Whether a text has so many letters or digits in a row. */
export function hasLetters(text: string, inRow = 1): boolean {
  let found = 0;
  for (const character of text) {
    found = /[\p{L}\p{N}]/u.test(character) ? found + 1 : 0;
    if (found >= inRow) return true;
  }
  return false;
}

/** Whether a text is letters alone: a word of a language, not a name or a number. */
export function isLetters(text: string): boolean {
  return /^\p{L}+$/u.test(text);
}
