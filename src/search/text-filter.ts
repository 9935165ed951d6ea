import { fold } from './fold.ts';
import { wordsOf } from './words.ts';

/** Characters that JSON writes as they are, or else in one of the ways below. */
const PLAIN = /^[^\x00-\x1f"\\\x7f]*$/;
/** Other ways to write a character, and tags, which are one text but several strings. */
const ENCODED = ['\\u', '\\/', '"tags"'];
/** What may stand between two words of a text, or in JSON between those of a string. */
const BETWEEN = '(?:\\\\[bfnrt]|[^a-z0-9])*';

/**
 * Sees that a text does not contain something, also in the line of its record, without understanding that: several
 * times as fast as reading the record. What it lets through may still not contain it.
 */
export class TextFilter {
  readonly #isPlain: boolean;
  readonly #test: (folded: string) => boolean;

  private constructor(literal: string, test: (folded: string) => boolean) {
    this.#isPlain = literal !== '' && PLAIN.test(literal);
    this.#test = test;
  }

  /** For texts that contain a folded text. */
  static forLiteral(literal: string): TextFilter {
    return new TextFilter(literal, (folded) => folded.includes(literal));
  }

  /** For texts that have the words of a folded text one after the other, be they words or parts of some. */
  static forRow(literal: string): TextFilter {
    const words = wordsOf(literal).map(({ text }) => text);
    const row = new RegExp(words.join(BETWEEN));
    return new TextFilter(literal, (folded) => row.test(folded));
  }

  /** Whether a folded text may contain it. */
  letsText(folded: string): boolean {
    return !this.#isPlain || this.#test(folded);
  }

  /** Whether the text of the record in a line of a log may contain it. */
  letsLine(line: string): boolean {
    return this.letsText(fold(line)) || ENCODED.some((mark) => line.includes(mark));
  }
}
