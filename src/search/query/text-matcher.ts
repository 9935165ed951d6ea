import { findIdentifierParts, MAX_TERM_LENGTH, splitTerms } from '../../store/index-terms.ts';
import { characterKind, LETTER, SINGLE } from '../../text/characters.ts';
import { foldCase } from '../../text/fold-case.ts';
import { scanWords } from '../../text/words.ts';
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
/** What may separate two ASCII words, in a text or in JSON. No part of such a word, so that matching does not backtrack. */
const SEPARATOR = '(?:\\\\[bfnrt]|[^a-z0-9])*';
const ASCII_WORD = /^[a-z0-9]+$/;
/** Words of a phrase that are checked. */
const MAX_PHRASE_WORDS = 16;

/**
 * Rules out texts that do not contain what was typed, also by the unparsed line of a record, which is several times as
 * fast as parsing it. May let through texts that do not contain it, never the reverse.
 */
export class TextFilter {
  readonly #isUsable: boolean;
  readonly #test: (folded: string) => boolean;

  /** Unless `isUsable`, every text passes. */
  private constructor(isUsable: boolean, test: (folded: string) => boolean) {
    this.#isUsable = isUsable;
    this.#test = test;
  }

  /** For texts that contain a folded text. */
  static forLiteral(literal: string): TextFilter {
    return new TextFilter(literal !== '' && PLAIN.test(literal), (folded) => folded.includes(literal));
  }

  /** For texts that contain the words of a folded text one after the other, whole or within longer words. */
  static forPhrase(literal: string): TextFilter {
    const words = scanWords(literal)
      .slice(0, MAX_PHRASE_WORDS)
      .map(({ text }) => text);
    const isUsable = words.every((word) => ASCII_WORD.test(word));
    const phrase = new RegExp(isUsable ? words.join(SEPARATOR) : '');
    return new TextFilter(isUsable, (folded) => phrase.test(folded));
  }

  /** Whether a folded text may match. */
  mayMatch(folded: string): boolean {
    return !this.#isUsable || this.#test(folded);
  }

  /** Whether the text of the record in a line of a log may match. */
  mayMatchLine(line: string): boolean {
    return this.mayMatch(foldCase(line)) || ENCODED.some((mark) => line.includes(mark));
  }
}
