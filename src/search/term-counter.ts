import { isPartOfTerm } from './words.ts';

const FIRST_CAPACITY = 1024;
const ORDERED_CHARACTERS = 6;

/** What a slot of the table holds, and how many numbers that takes. */
const HIGH = 0;
const LOW = 1;
const COUNT = 2;
const LAST_DOCUMENT = 3;
const WIDTH = 4;
/** Where a term was first seen: needed only in the end, so it is kept apart and the table stays small. */
const SOURCE = 0;
const START = 1;
const END = 2;

/** A term and the number of documents with it. */
export interface TermCount {
  readonly term: string;
  readonly documents: number;
}

/**
 * Counts in how many documents each term occurs. A map with strings as keys takes three times as long here,
 * because every occurrence of a term is another string; this table takes the hash while it finds the term's end,
 * and makes strings only of the different ones.
 */
export class TermCounter {
  #capacity = FIRST_CAPACITY;
  #size = 0;
  #slots: Int32Array = new Int32Array(FIRST_CAPACITY * WIDTH);
  #places: Int32Array = new Int32Array(FIRST_CAPACITY * WIDTH);
  readonly #sources: string[] = [];
  #document = 0;

  /** Begins the next document. */
  nextDocument(): void {
    this.#document++;
  }

  /** Adds the terms of a text of the current document, which are found as FTS5's `ascii` tokenizer does. */
  add(text: string): void {
    const source = this.#sources.push(text) - 1;
    let high = 0;
    let low = 0;
    let start = 0;
    for (let at = 0; at <= text.length; at++) {
      const unit = at < text.length ? text.charCodeAt(at) : 0;
      if (isPartOfTerm(unit)) {
        high = Math.imul(high ^ unit, 0x01000193);
        low = Math.imul(low + unit, 0x9e3779b1) ^ (low >>> 15);
        continue;
      }
      if (at > start) this.#countOne(high, low, source, start, at);
      start = at + 1;
      high = 0;
      low = 0;
    }
  }

  /** The different terms with the number of documents, in nearly alphabetical order. */
  counts(): readonly TermCount[] {
    const places = this.#places;
    const counts: (TermCount & { readonly order: number })[] = [];
    for (let slot = 0; slot < places.length; slot += WIDTH) {
      const documents = this.#slots[slot + COUNT];
      if (!documents) continue;
      const text = this.#sources[places[slot + SOURCE] ?? 0] ?? '';
      const start = places[slot + START] ?? 0;
      const end = places[slot + END] ?? 0;
      counts.push({ term: text.slice(start, end), documents, order: orderOf(text, start, end) });
    }
    return counts.sort((a, b) => a.order - b.order);
  }

  #countOne(high: number, low: number, source: number, start: number, end: number): void {
    const slots = this.#slots;
    const slot = this.#find(high, low);
    const count = slots[slot + COUNT] ?? 0;
    if (count > 0 && slots[slot + LAST_DOCUMENT] === this.#document) return;
    slots[slot + COUNT] = count + 1;
    slots[slot + LAST_DOCUMENT] = this.#document;
    if (count > 0) return;
    slots[slot + HIGH] = high;
    slots[slot + LOW] = low;
    this.#places[slot + SOURCE] = source;
    this.#places[slot + START] = start;
    this.#places[slot + END] = end;
    this.#size++;
    if (this.#size * 2 > this.#capacity) this.#grow();
  }

  /** The slot of a term, or the free one where it belongs. Two hashes of 32 bits stand for the term. */
  #find(high: number, low: number): number {
    const slots = this.#slots;
    const mask = this.#capacity - 1;
    let index = (high ^ (low >>> 7)) & mask;
    for (;;) {
      const slot = index * WIDTH;
      if (slots[slot + COUNT] === 0 || (slots[slot + HIGH] === high && slots[slot + LOW] === low))
        return slot;
      index = (index + 1) & mask;
    }
  }

  #grow(): void {
    const before = this.#slots;
    const placesBefore = this.#places;
    this.#capacity *= 2;
    this.#slots = new Int32Array(this.#capacity * WIDTH);
    this.#places = new Int32Array(this.#capacity * WIDTH);
    for (let old = 0; old < before.length; old += WIDTH) {
      if (before[old + COUNT] === 0) continue;
      const slot = this.#find(before[old + HIGH] ?? 0, before[old + LOW] ?? 0);
      this.#slots.set(before.subarray(old, old + WIDTH), slot);
      this.#places.set(placesBefore.subarray(old, old + WIDTH), slot);
    }
  }
}

/** The first characters as one number. Comparing whole strings takes ten times as long. */
function orderOf(text: string, start: number, end: number): number {
  let order = 0;
  for (let at = start; at < start + ORDERED_CHARACTERS; at++) {
    order = order * 0x100 + (at < end ? Math.min(text.charCodeAt(at), 0xff) : 0);
  }
  return order;
}
