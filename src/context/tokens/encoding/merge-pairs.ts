import { type ByteTable, hashOf } from './byte-table.ts';
import { NumberHeap } from './number-heap.ts';

/** Longer pieces are merged with a heap. */
const SHORT = 96;
const NO_RANK = 0x7ffffffe;
/** A place in a heap is a rank and a position in one number. */
const POSITIONS = 2 ** 24;

/**
 * How many tokens are left of a piece when, as long as there is one, the neighbours are merged that make the token of
 * the lowest rank, the leftmost first. Takes n log n for a long piece. Pieces are shorter than 16 MB.
 */
export class PairMerger {
  readonly #vocabulary: ByteTable;
  /** By two bytes: their rank and 1, 0 where it was not looked up yet. Every piece begins with these. */
  readonly #pairRanks = new Int32Array(256 * 256);
  readonly #starts = new Int32Array(SHORT + 2);
  readonly #ranks = new Int32Array(SHORT + 2);

  constructor(vocabulary: ByteTable) {
    this.#vocabulary = vocabulary;
  }

  countTokens(bytes: Uint8Array, start: number, end: number): number {
    return end - start <= SHORT ? this.#countShort(bytes, start, end) : this.#countLong(bytes, start, end);
  }

  #countShort(bytes: Uint8Array, start: number, end: number): number {
    const starts = this.#starts;
    const ranks = this.#ranks;
    let parts = end - start;
    for (let part = 0; part <= parts; part++) starts[part] = start + part;
    for (let part = 0; part < parts - 1; part++)
      ranks[part] = this.#rankOf(bytes, start + part, start + part + 2);
    for (;;) {
      let lowest = NO_RANK;
      let merged = 0;
      for (let part = 0; part < parts - 1; part++) {
        if ((ranks[part] as number) >= lowest) continue;
        lowest = ranks[part] as number;
        merged = part;
      }
      if (lowest === NO_RANK) return parts;
      parts--;
      for (let part = merged; part < parts; part++) {
        starts[part + 1] = starts[part + 2] as number;
        ranks[part] = ranks[part + 1] as number;
      }
      for (let part = Math.max(0, merged - 1); part <= merged && part < parts - 1; part++)
        ranks[part] = this.#rankOf(bytes, starts[part] as number, starts[part + 2] as number);
    }
  }

  #countLong(bytes: Uint8Array, start: number, end: number): number {
    const length = end - start;
    const next = new Int32Array(length + 1);
    const previous = new Int32Array(length + 1);
    for (let part = 0; part <= length; part++) {
      next[part] = part + 1;
      previous[part] = part - 1;
    }
    // The rank of each part with the one after it.
    const ranks = new Int32Array(length + 1).fill(NO_RANK);
    const heap = new NumberHeap(length);
    const rate = (part: number): void => {
      const second = next[part] as number;
      const rank =
        second < length ? this.#rankOf(bytes, start + part, start + (next[second] as number)) : NO_RANK;
      ranks[part] = rank;
      if (rank !== NO_RANK) heap.push(rank * POSITIONS + part);
    };
    for (let part = 0; part < length; part++) rate(part);
    let parts = length;
    for (let lowest = heap.pop(); lowest !== undefined; lowest = heap.pop()) {
      const part = lowest % POSITIONS;
      // Neighbours that have changed since were rated again.
      if (ranks[part] !== Math.floor(lowest / POSITIONS)) continue;
      const second = next[part] as number;
      const after = next[second] as number;
      ranks[second] = NO_RANK;
      next[part] = after;
      if (after <= length) previous[after] = part;
      parts--;
      rate(part);
      if (part > 0) rate(previous[part] as number);
    }
    return parts;
  }

  #rankOf(bytes: Uint8Array, start: number, end: number): number {
    if (end - start > 2) return this.#lookUp(bytes, start, end);
    const pair = ((bytes[start] as number) << 8) | (bytes[start + 1] as number);
    const known = this.#pairRanks[pair] as number;
    if (known !== 0) return known - 1;
    const rank = this.#lookUp(bytes, start, end);
    this.#pairRanks[pair] = rank + 1;
    return rank;
  }

  #lookUp(bytes: Uint8Array, start: number, end: number): number {
    const rank = this.#vocabulary.find(bytes, start, end, hashOf(bytes, start, end));
    return rank === -1 ? NO_RANK : rank;
  }
}
