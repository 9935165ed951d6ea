import { characterKind, LETTER, SINGLE } from '../../text/characters.ts';
import { foldCase } from '../../text/fold-case.ts';
import { scanWords } from '../../text/words.ts';
import { findIdentifierParts, LONGEST_TERM, termsOf } from '../index/index-terms.ts';
import type { QueryUnit } from './parse-query.ts';

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

/** Characters that JSON writes as they are, or else in one of the ways below. */
const PLAIN = /^[^\x00-\x1f"\\\x7f]*$/;
/** Other ways to write a character, and tags, which are one text but several strings. */
const ENCODED = ['\\u', '\\/', '"tags"'];
/** What may stand between two words of ASCII, in a text or in JSON. No part of such a word, so matching is quick. */
const BETWEEN = '(?:\\\\[bfnrt]|[^a-z0-9])*';
const ASCII_WORD = /^[a-z0-9]+$/;
/** Words of a row that are looked at. */
const MOST_WORDS = 16;

/**
 * Sees that a text does not contain something, also in the line of its record, without understanding that: several
 * times as fast as reading the record. What it lets through may still not contain it.
 */
export class TextFilter {
  readonly #isPlain: boolean;
  readonly #test: (folded: string) => boolean;

  /** Without `isPlain` everything is let through. */
  private constructor(isPlain: boolean, test: (folded: string) => boolean) {
    this.#isPlain = isPlain;
    this.#test = test;
  }

  /** For texts that contain a folded text. */
  static forLiteral(literal: string): TextFilter {
    return new TextFilter(literal !== '' && PLAIN.test(literal), (folded) => folded.includes(literal));
  }

  /** For texts that have the words of a folded text one after the other, be they words or parts of some. */
  static forRow(literal: string): TextFilter {
    const words = scanWords(literal)
      .slice(0, MOST_WORDS)
      .map(({ text }) => text);
    const isPlain = words.every((word) => ASCII_WORD.test(word));
    const row = new RegExp(isPlain ? words.join(BETWEEN) : '');
    return new TextFilter(isPlain, (folded) => row.test(folded));
  }

  /** Whether a folded text may contain it. */
  letsText(folded: string): boolean {
    return !this.#isPlain || this.#test(folded);
  }

  /** Whether the text of the record in a line of a log may contain it. */
  letsLine(line: string): boolean {
    return this.letsText(foldCase(line)) || ENCODED.some((mark) => line.includes(mark));
  }
}
