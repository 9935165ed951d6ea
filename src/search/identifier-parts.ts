/** Where one part of an identifier ends and the next begins, with a character or two on each side. */
const BORDER = /[a-z][A-Z]|[A-Z][A-Z][a-z]|[A-Za-z][0-9]|[0-9][A-Za-z]/g;
const PART = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;
const LONGEST_IDENTIFIER = 48;
/** Random text (hashes, keys) changes between letters and digits all the time; identifiers rarely do. */
const SHORTEST_AVERAGE = 2.5;

/**
 * The parts of the identifiers in a text, in lower case: `getUserById` has get, user, by, id. Words without
 * inner borders and random text have none. What is not a letter or digit separates words anyway.
 */
export function identifierParts(text: string): readonly string[] {
  const found: string[] = [];
  const border = new RegExp(BORDER);
  for (let match = border.exec(text); match; match = border.exec(text)) {
    const start = startOfWord(text, match.index);
    const end = endOfWord(text, match.index);
    border.lastIndex = end;
    if (end - start > LONGEST_IDENTIFIER) continue;
    const parts = text.slice(start, end).match(PART) ?? [];
    if ((end - start) / parts.length < SHORTEST_AVERAGE) continue;
    for (const part of parts) found.push(part.toLowerCase());
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
