import { findIdentifierParts, MAX_TERM_LENGTH, splitTerms } from '../../store/index-terms.ts';
import { characterKind, LETTER, SINGLE } from '../../text/characters.ts';
import { foldCase } from '../../text/fold-case.ts';
import type { QueryUnit } from './parse-query.ts';

/** Whether a text has all units of a query, with the same result as the index. */
export function hasAllUnits(units: readonly QueryUnit[], text: string, folded: string): boolean {
  let parts: string | undefined;
  const isInParts = (terms: readonly string[], isPrefix: boolean) => {
    parts ??= ` ${findIdentifierParts(text).join(' ')} `;
    return parts.includes(` ${terms.join(' ')}${isPrefix ? '' : ' '}`);
  };
  return (
    units.length > 0 &&
    units.every(({ terms, parts: own, isPrefix }) => {
      if (hasPhrase(folded, terms, isPrefix)) return true;
      if (terms.every((term) => folded.includes(term)) && isInParts(terms, isPrefix)) return true;
      return own.length > 0 && (hasPhrase(folded, own, false) || isInParts(own, false));
    })
  );
}

/** Whether terms follow one another in a folded text, separated by anything but letters. */
function hasPhrase(folded: string, terms: readonly string[], isPrefix: boolean): boolean {
  const [first = ''] = terms;
  if (terms.some((term) => term.length >= MAX_TERM_LENGTH)) return hasLongTerms(folded, terms, isPrefix);
  for (let at = folded.indexOf(first); at >= 0; at = folded.indexOf(first, at + 1)) {
    if (isWordBoundary(folded, at) && startsWithPhrase(folded, at, terms, isPrefix)) return true;
  }
  return false;
}

/** Long words are rare enough to split the whole text as the index does. */
function hasLongTerms(folded: string, terms: readonly string[], isPrefix: boolean): boolean {
  return ` ${splitTerms(folded).join(' ')} `.includes(` ${terms.join(' ')}${isPrefix ? '' : ' '}`);
}

function startsWithPhrase(folded: string, start: number, terms: readonly string[], isPrefix: boolean): boolean {
  let at = start;
  for (const [index, term] of terms.entries()) {
    while (index > 0 && at < folded.length && isSeparator(folded, at)) at++;
    if (!folded.startsWith(term, at)) return false;
    at += term.length;
    const mayContinue = isPrefix && index === terms.length - 1;
    if (!mayContinue && !isWordBoundary(folded, at)) return false;
  }
  return true;
}

function isWordBoundary(folded: string, at: number): boolean {
  if (at <= 0 || at >= folded.length) return true;
  return characterKind(folded.charCodeAt(at)) !== LETTER || characterKind(folded.charCodeAt(at - 1)) !== LETTER;
}

function isSeparator(folded: string, at: number): boolean {
  const kind = characterKind(folded.charCodeAt(at));
  return kind !== LETTER && kind !== SINGLE;
}

/** Characters that JSON writes as they are, or else in one of the ways below. */
const PLAIN = /^[^\x00-\x1f"\\\x7f]*$/;
/** Other ways to write a character, and tags, which are one text but several strings. */
const ENCODED = ['\\u', '\\/', '"tags"'];

/**
 * Rules out lines of a log whose record does not contain a folded text, which is several times as fast as parsing them. May
 * let through others, never the reverse. Undefined for a text that JSON may write in other ways.
 */
export function literalFilter(literal: string): ((line: string) => boolean) | undefined {
  if (literal === '' || !PLAIN.test(literal)) return undefined;
  return (line) => foldCase(line).includes(literal) || ENCODED.some((mark) => line.includes(mark));
}
