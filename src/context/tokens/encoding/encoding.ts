import { type ByteTable, hashOf } from './byte-table.ts';
import { PairMerger } from './merge-pairs.ts';
import { MAX_CACHED_BYTES, PieceCache } from './piece-cache.ts';
import type { SplitRule } from './split-rules.ts';
import { Utf8Window } from './utf8-window.ts';

/** A piece longer than this, say 250,000 letters without a space, is counted in several, which may be a token off. */
const MAX_WINDOW_BYTES = 512 * 1024;
/** Of pieces that are too long for the cache: how many are remembered, and how long they may be. */
const MAX_REMEMBERED = 4096;
const MAX_REMEMBERED_BYTES = 256;

/** Counts the tokens of texts in one encoding, without making the tokens. */
export class Encoding {
  readonly #vocabulary: ByteTable;
  readonly #split: SplitRule;
  readonly #merger: PairMerger;
  readonly #cache = new PieceCache();
  readonly #remembered = new Map<string, number>();
  readonly #window = new Utf8Window();

  constructor(vocabulary: ByteTable, split: SplitRule) {
    this.#vocabulary = vocabulary;
    this.#split = split;
    this.#merger = new PairMerger(vocabulary);
  }

  /** Tokens of a text. What looks like a special token is text; half a surrogate pair is a replacement character. */
  count(text: string): number {
    const window = this.#window;
    window.limit = 0;
    let tokens = 0;
    let read = 0;
    for (;;) {
      read = window.fill(text, read);
      const isAll = read === text.length;
      const takesMore = !window.isFull || window.bytes.length < MAX_WINDOW_BYTES;
      let start = 0;
      while (start < window.limit) {
        window.touchedEnd = false;
        const end = this.#split(window, start);
        if (window.touchedEnd && !isAll && (start > 0 || takesMore)) break;
        tokens += this.#countPiece(start, end);
        start = end;
      }
      if (isAll) return tokens;
      window.moveTo(start);
    }
  }

  #countPiece(start: number, end: number): number {
    const length = end - start;
    if (length === 1) return 1;
    if (length > MAX_CACHED_BYTES) return this.#countLong(start, end);
    const known = this.#cache.find(this.#window.view, start, length);
    if (known !== 0) return known;
    const tokens = this.#countAnew(start, end);
    this.#cache.add(tokens);
    return tokens;
  }

  /** Long pieces are few, but the same rulers and indents come again and again. */
  #countLong(start: number, end: number): number {
    if (end - start > MAX_REMEMBERED_BYTES) return this.#countAnew(start, end);
    const piece = String.fromCharCode(...this.#window.bytes.subarray(start, end));
    const known = this.#remembered.get(piece);
    if (known !== undefined) return known;
    const tokens = this.#countAnew(start, end);
    if (this.#remembered.size === MAX_REMEMBERED) this.#remembered.clear();
    this.#remembered.set(piece, tokens);
    return tokens;
  }

  #countAnew(start: number, end: number): number {
    const { bytes } = this.#window;
    const isToken = this.#vocabulary.find(bytes, start, end, hashOf(bytes, start, end)) !== -1;
    return isToken ? 1 : this.#merger.countTokens(bytes, start, end);
  }
}
