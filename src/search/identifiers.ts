import { identifierParts } from '../text/identifier-parts.ts';

/** Where one part of an identifier ends and the next begins, with a character or two on each side. */
const BORDER = /[a-z][A-Z]|[A-Z][A-Z][a-z]|[A-Za-z][0-9]|[0-9][A-Za-z]/g;
const MAX_IDENTIFIER = 48;

/**
 * The parts of all identifiers in a text, in lower case and in order: `getUserById` has get, user, by, id. Plain words
 * have none; what is not a letter or digit separates words anyway.
 */
export function findIdentifierParts(text: string): readonly string[] {
  const found: string[] = [];
  const border = new RegExp(BORDER);
  for (let match = border.exec(text); match; match = border.exec(text)) {
    const start = startOfWord(text, match.index);
    const end = endOfWord(text, match.index);
    border.lastIndex = end;
    if (end - start > MAX_IDENTIFIER) continue;
    const parts = identifierParts(text.slice(start, end), { splitDigits: true });
    if (parts.length > 1) found.push(...parts);
  }
  return found;
}

function startOfWord(text: string, inside: number): number {
  let at = inside;
  while (at > 0 && isLetterOrDigit(text.charCodeAt(at - 1))) at--;
  return at;
}

function endOfWord(text: string, inside: number): number {
  let at = inside;
  while (at < text.length && isLetterOrDigit(text.charCodeAt(at))) at++;
  return at;
}

function isLetterOrDigit(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x30 && unit <= 0x39);
}
