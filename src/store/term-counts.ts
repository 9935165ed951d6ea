import type { SqlValue } from '../sqlite/database.ts';
import type { Connection } from './connection.ts';
import { FILTER_PREFIX } from './filters.ts';
import { isPartOfTerm } from './index-terms.ts';

/** A term and the number of documents with it. */
interface TermCount {
  readonly term: string;
  readonly documentCount: number;
}

const INITIAL_CAPACITY = 1024;
const INITIAL_LETTERS = 8 * 1024;

/** The fields of a slot, and their number. */
const HIGH = 0;
const LOW = 1;
const DOCUMENTS = 2;
const LAST_DOCUMENT = 3;
const START = 4;
const LENGTH = 5;
const WIDTH = 6;

/** Terms are sorted by this many of their first characters, six bits each. */
const SORTED_CHARACTERS = 5;
const SLOT_RANGE = 2 ** 22;

/**
 * Counts in how many documents each term occurs. A map with string keys takes three times as long, because each
 * occurrence of a term is a new string. This hash table computes the hash while it looks for the end of the term and
 * copies the letters of each distinct term once, so that it does not retain the texts.
 */
export class TermCounter {
  #capacity = INITIAL_CAPACITY;
  #slots: Int32Array = new Int32Array(INITIAL_CAPACITY * WIDTH);
  #letters: Uint16Array = new Uint16Array(INITIAL_LETTERS);
  #lettersUsed = 0;
  #size = 0;
  #document = 0;

  /** Starts the next document. */
  nextDocument(): void {
    this.#document++;
  }

  /** Counts the terms of a text of the current document, split as FTS5's `ascii` tokenizer splits them. */
  add(text: string): void {
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
      if (at > start) this.#count(high, low, text, start, at);
      start = at + 1;
      high = 0;
      low = 0;
    }
  }

  /** The distinct terms with their number of documents, in nearly alphabetical order. */
  *counts(): Generator<TermCount> {
    for (const key of this.#sortedKeys()) {
      const slot = (key % SLOT_RANGE) * WIDTH;
      const start = this.#slots[slot + START] ?? 0;
      const letters = this.#letters.subarray(start, start + (this.#slots[slot + LENGTH] ?? 0));
      yield { term: String.fromCharCode(...letters), documentCount: this.#slots[slot + DOCUMENTS] ?? 0 };
    }
  }

  /** Removes all terms and keeps the memory for reuse. */
  clear(): void {
    this.#slots.fill(0);
    this.#lettersUsed = 0;
    this.#size = 0;
    this.#document = 0;
  }

  #count(high: number, low: number, text: string, start: number, end: number): void {
    const slots = this.#slots;
    const slot = this.#find(high, low);
    const documents = slots[slot + DOCUMENTS] ?? 0;
    if (documents > 0 && slots[slot + LAST_DOCUMENT] === this.#document) return;
    slots[slot + DOCUMENTS] = documents + 1;
    slots[slot + LAST_DOCUMENT] = this.#document;
    if (documents > 0) return;
    slots[slot + HIGH] = high;
    slots[slot + LOW] = low;
    slots[slot + START] = this.#lettersUsed;
    slots[slot + LENGTH] = end - start;
    this.#copyLetters(text, start, end);
    this.#size++;
    if (this.#size * 2 > this.#capacity) this.#grow();
  }

  /** The slot of a term, or the free slot where it belongs. Two 32-bit hashes identify the term. */
  #find(high: number, low: number): number {
    const slots = this.#slots;
    const mask = this.#capacity - 1;
    let index = (high ^ (low >>> 7)) & mask;
    for (;;) {
      const slot = index * WIDTH;
      if (slots[slot + DOCUMENTS] === 0 || (slots[slot + HIGH] === high && slots[slot + LOW] === low)) return slot;
      index = (index + 1) & mask;
    }
  }

  #copyLetters(text: string, start: number, end: number): void {
    if (this.#lettersUsed + end - start > this.#letters.length) {
      const larger = new Uint16Array(Math.max(this.#letters.length * 2, this.#lettersUsed + end - start));
      larger.set(this.#letters);
      this.#letters = larger;
    }
    for (let at = start; at < end; at++) this.#letters[this.#lettersUsed++] = text.charCodeAt(at);
  }

  #grow(): void {
    const before = this.#slots;
    this.#capacity *= 2;
    this.#slots = new Int32Array(this.#capacity * WIDTH);
    for (let old = 0; old < before.length; old += WIDTH) {
      if (before[old + DOCUMENTS] === 0) continue;
      const slot = this.#find(before[old + HIGH] ?? 0, before[old + LOW] ?? 0);
      this.#slots.set(before.subarray(old, old + WIDTH), slot);
    }
  }

  /** First characters and slot index packed into one number: numbers sort far faster than strings. */
  #sortedKeys(): Float64Array {
    const keys = new Float64Array(this.#size);
    let count = 0;
    for (let index = 0; index < this.#capacity; index++) {
      const slot = index * WIDTH;
      if (this.#slots[slot + DOCUMENTS] === 0) continue;
      keys[count++] = this.#sortKey(slot) * SLOT_RANGE + index;
    }
    return keys.sort();
  }

  #sortKey(slot: number): number {
    const start = this.#slots[slot + START] ?? 0;
    const length = this.#slots[slot + LENGTH] ?? 0;
    let order = 0;
    for (let at = 0; at < SORTED_CHARACTERS; at++) {
      order = order * 64 + (at < length ? rankOf(this.#letters[start + at] ?? 0) : 0);
    }
    return order;
  }
}

/** Digits before letters before everything else, in six bits. */
function rankOf(unit: number): number {
  if (unit >= 0x80) return 37;
  return unit >= 0x61 ? unit - 0x61 + 11 : unit - 0x30 + 1;
}

/** Terms per statement. With one each, half of the time is call overhead. */
const TERMS_PER_STATEMENT = 100;

/**
 * Adds the counts to the terms of the index. The pieces of new terms are added last and in one statement, because FTS5
 * flushes what it has collected before each statement that may fail halfway.
 */
export function saveTermCounts(connection: Connection, counter: TermCounter): void {
  const last = connection.get<{ readonly id: number | null }>('SELECT max(id) AS id FROM term')?.id ?? 0;
  let values: SqlValue[] = [];
  for (const { term, documentCount } of counter.counts()) {
    values.push(term, documentCount);
    if (values.length < TERMS_PER_STATEMENT * 2) continue;
    connection.run(insertion(TERMS_PER_STATEMENT), ...values);
    values = [];
  }
  for (let at = 0; at < values.length; at += 2) {
    connection.run(insertion(1), values[at] ?? null, values[at + 1] ?? null);
  }
  connection.run('INSERT INTO piece (rowid, ended) SELECT id, ended FROM term WHERE id > ? AND length(term) > 1', last);
}

function insertion(rows: number): string {
  const values = Array.from({ length: rows }, () => '(?, ?)').join(', ');
  return `INSERT INTO term (term, documentCount) VALUES ${values}
    ON CONFLICT (term) DO UPDATE SET documentCount = documentCount + excluded.documentCount`;
}

/** Counts the terms again after documents were removed. Reads the whole index, so do it rarely. */
export function recountTerms(connection: Connection): void {
  connection.exec(`
    CREATE VIRTUAL TABLE temp.indexedTerm USING fts5vocab (main, fts, row);
    CREATE TEMP TABLE counted AS SELECT term, doc FROM indexedTerm WHERE substr(term, 1, 1) <> '${FILTER_PREFIX}';
    DROP TABLE temp.indexedTerm;
    CREATE UNIQUE INDEX temp.countedTerm ON counted (term);
    DELETE FROM term WHERE term NOT IN (SELECT term FROM counted);
    UPDATE term SET documentCount = counted.doc FROM counted
      WHERE counted.term = term.term AND documentCount <> counted.doc;
    DROP TABLE temp.counted;
    DELETE FROM state WHERE key = 'removed';
  `);
}
