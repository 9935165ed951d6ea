import { foldCase } from '../text/fold-case.ts';
import { scanWords } from '../text/words.ts';

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
