import { characterKind, LETTER, SINGLE } from '../text/characters.ts';
import { findIdentifierParts } from './identifiers.ts';
import type { QueryUnit } from './parse-query.ts';
import { LONGEST_TERM, termsOf } from './words.ts';

/** Sees whether a text has all units of a query, as the index would. */
export class UnitMatcher {
  readonly #units: readonly QueryUnit[];

  constructor(units: readonly QueryUnit[]) {
    this.#units = units;
  }

  matches(text: string, folded: string): boolean {
    let parts: string | undefined;
    const isInParts = (terms: readonly string[], isPrefix: boolean) => {
      parts ??= ` ${findIdentifierParts(text).join(' ')} `;
      return parts.includes(` ${terms.join(' ')}${isPrefix ? '' : ' '}`);
    };
    return (
      this.#units.length > 0 &&
      this.#units.every(({ terms, parts: own, isPrefix }) => {
        if (hasTerms(folded, terms, isPrefix)) return true;
        if (terms.every((term) => folded.includes(term)) && isInParts(terms, isPrefix)) return true;
        return own.length > 0 && (hasTerms(folded, own, false) || isInParts(own, false));
      })
    );
  }
}

/** Whether terms stand one after the other in a folded text, with anything but letters between them. */
function hasTerms(folded: string, terms: readonly string[], isPrefix: boolean): boolean {
  const [first = ''] = terms;
  if (terms.some((term) => term.length >= LONGEST_TERM)) return hasLongTerms(folded, terms, isPrefix);
  for (let at = folded.indexOf(first); at >= 0; at = folded.indexOf(first, at + 1)) {
    if (startsWord(folded, at) && followTerms(folded, at, terms, isPrefix)) return true;
  }
  return false;
}

/** Words that are cut into overlapping pieces are rare enough to cut the text in the same way. */
function hasLongTerms(folded: string, terms: readonly string[], isPrefix: boolean): boolean {
  return ` ${termsOf(folded).join(' ')} `.includes(` ${terms.join(' ')}${isPrefix ? '' : ' '}`);
}

function followTerms(folded: string, start: number, terms: readonly string[], isPrefix: boolean): boolean {
  let at = start;
  for (const [index, term] of terms.entries()) {
    while (index > 0 && at < folded.length && isBreak(folded, at)) at++;
    if (!folded.startsWith(term, at)) return false;
    at += term.length;
    const mayGoOn = isPrefix && index === terms.length - 1;
    if (!mayGoOn && !startsWord(folded, at)) return false;
  }
  return true;
}

/** Whether no word goes on over this place. */
function startsWord(folded: string, at: number): boolean {
  if (at <= 0 || at >= folded.length) return true;
  return (
    characterKind(folded.charCodeAt(at)) !== LETTER || characterKind(folded.charCodeAt(at - 1)) !== LETTER
  );
}

function isBreak(folded: string, at: number): boolean {
  const kind = characterKind(folded.charCodeAt(at));
  return kind !== LETTER && kind !== SINGLE;
}
