import { characterKind, LETTER } from './characters.ts';

/** Shorter words match only whole words and whole parts of identifiers: `we` is not in `well`. */
const MIN_PREFIX = 4;

/**
 * The next occurrence of a folded word in a text, from `from` on, that begins where a word or a part of an identifier
 * begins: `hash` is in `hashes` and `truncateHash`, not in `rehash`. Short words must end there too. Negative when there
 * is none. `text` is the text before its case was folded; where their lengths differ, identifiers count as one word.
 */
export function findWord(text: string, folded: string, word: string, from: number): number {
  for (let at = folded.indexOf(word, from); at >= 0; at = folded.indexOf(word, at + 1)) {
    if (!isWordBorder(text, folded, at)) continue;
    if (word.length >= MIN_PREFIX || isWordBorder(text, folded, at + word.length)) return at;
  }
  return -1;
}

/** Whether a word or a part of an identifier begins or ends at a position of a folded text. */
export function isWordBorder(text: string, folded: string, at: number): boolean {
  if (at <= 0 || at >= folded.length) return true;
  if (characterKind(folded.charCodeAt(at)) !== LETTER || characterKind(folded.charCodeAt(at - 1)) !== LETTER)
    return true;
  return text.length === folded.length && isIdentifierBorder(text, at);
}

/** Between `a` and `B`, between `HTML` and `Parser`, between a letter and a digit. */
function isIdentifierBorder(text: string, at: number): boolean {
  const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  if (isDigit(before) !== isDigit(after)) return true;
  if (!isUpper(after)) return false;
  return !isUpper(before) || isLower(text.charCodeAt(at + 1));
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

function isUpper(unit: number): boolean {
  return unit >= 0x41 && unit <= 0x5a;
}

function isLower(unit: number): boolean {
  return unit >= 0x61 && unit <= 0x7a;
}
