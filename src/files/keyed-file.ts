import { closeSync, fstatSync, openSync } from 'node:fs';
import { textHash } from '../record/index.ts';
import { BloomFilter } from './bloom-filter.ts';
import { checksum } from './checksum.ts';
import { bytesAt } from './part-of-file.ts';
import { writeFileAtomic } from './write-file-atomic.ts';

/*
 * Layout, little-endian:
 *   magic (8 bytes) · length of the header, of the filter, number of slots, length of the file (4 × 4 bytes)
 *   header (JSON) · Bloom filter · slots of 24 bytes: hash (8), start, length and sum of the entry, sum of the slot
 *   (4 × 4) · entries (JSON) · once more all before the slots
 * A slot is found by the low bits of the hash, then by trying the next ones; one of zeros is free. A file is checked as
 * far as it is read: what is read when it is opened by its copy, which takes far less time than a sum, the rest by sums.
 */
const MAGIC = 'yorekey2';
const PREFIX = 24;
const SLOT = 24;
/** Of the bytes of a slot that its sum is over. */
const SUMMED = 20;
/** Read at once when the file is opened: header and filter of some ten thousand keys. */
const FIRST_READ = 64 * 1024;
/** Read at once when a key is looked up. */
const SLOTS_READ = 8;

/**
 * A file of values by key that is written once and then only read: a lookup reads a few hundred bytes, not the file,
 * and "there is no such key" costs no read at all. For what is derived from elsewhere and can be made again.
 */
export class KeyedFile {
  /** What the writer said about the whole. */
  readonly header: unknown;
  readonly #descriptor: number;
  readonly #filter: BloomFilter;
  readonly #slots: number;
  readonly #slotsStart: number;

  private constructor(
    descriptor: number,
    header: unknown,
    filter: BloomFilter,
    slots: number,
    slotsStart: number,
  ) {
    this.#descriptor = descriptor;
    this.header = header;
    this.#filter = filter;
    this.#slots = slots;
    this.#slotsStart = slotsStart;
  }

  /** Undefined when the file is missing, damaged or of another version. */
  static open(path: string): KeyedFile | undefined {
    let descriptor: number;
    try {
      descriptor = openSync(path, 'r');
    } catch {
      return undefined; // missing; one that may not be read is made anew all the same
    }
    const file = KeyedFile.#read(descriptor);
    if (file === undefined) closeSync(descriptor);
    return file;
  }

  static #read(descriptor: number): KeyedFile | undefined {
    try {
      const { size } = fstatSync(descriptor);
      let bytes = bytesAt(descriptor, 0, Math.min(size, FIRST_READ));
      if (bytes.length < PREFIX || bytes.toString('latin1', 0, MAGIC.length) !== MAGIC) return undefined;
      const [headerLength, filterLength, slots, length] = [8, 12, 16, 20].map((at) =>
        bytes.readUInt32LE(at),
      ) as [number, number, number, number];
      const slotsStart = PREFIX + headerLength + filterLength;
      if (length !== size || 2 * slotsStart + slots * SLOT > size) return undefined;
      if (bytes.length < slotsStart) bytes = bytesAt(descriptor, 0, slotsStart);
      const copy = bytesAt(descriptor, size - slotsStart, slotsStart);
      if (!copy.equals(bytes.subarray(0, slotsStart))) return undefined;
      const header: unknown = JSON.parse(bytes.toString('utf8', PREFIX, PREFIX + headerLength));
      const filter = new BloomFilter(bytes.subarray(PREFIX + headerLength, slotsStart));
      return new KeyedFile(descriptor, header, filter, slots, slotsStart);
    } catch {
      return undefined;
    }
  }

  /** The value of a key; undefined when there is none. Throws when the file is damaged. */
  get(key: string): unknown {
    const hash = textHash(key);
    if (!this.#filter.mayHave(hash)) return undefined;
    let slot = hash % this.#slots;
    for (let looked = 0; looked < this.#slots; ) {
      const count = Math.min(SLOTS_READ, this.#slots - slot);
      const chunk = bytesAt(this.#descriptor, this.#slotsStart + slot * SLOT, SLOT * count);
      for (let at = 0; at < SLOT * count; at += SLOT) {
        const found = slotAt(chunk, at);
        if (found === undefined) return undefined;
        if (found.hash !== hash) continue;
        const [name, value] = entryOf(bytesAt(this.#descriptor, found.start, found.length), found);
        if (name === key) return value;
      }
      looked += count;
      slot = (slot + count) % this.#slots;
    }
    return undefined;
  }

  /** Everything in the file. Throws when it is damaged. */
  *entries(): Generator<readonly [key: string, value: unknown]> {
    const slots = bytesAt(this.#descriptor, this.#slotsStart, this.#slots * SLOT);
    const start = this.#slotsStart + this.#slots * SLOT;
    const entries = bytesAt(this.#descriptor, start, fstatSync(this.#descriptor).size - start);
    for (let slot = 0; slot < slots.length; slot += SLOT) {
      const found = slotAt(slots, slot);
      if (found === undefined) continue;
      const at = found.start - start;
      yield entryOf(entries.subarray(at, at + found.length), found);
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

interface Slot {
  readonly hash: number;
  readonly start: number;
  readonly length: number;
  readonly sum: number;
}

/** What a slot holds; undefined when it is free. */
function slotAt(bytes: Buffer, at: number): Slot | undefined {
  const sum = bytes.readUInt32LE(at + SUMMED);
  const hash = Number(bytes.readBigUInt64LE(at));
  const [start, length, entrySum] = [8, 12, 16].map((offset) => bytes.readUInt32LE(at + offset)) as [
    number,
    number,
    number,
  ];
  if (sum === 0 && hash === 0 && start === 0 && length === 0 && entrySum === 0) return undefined;
  if (checksum(bytes.subarray(at, at + SUMMED)) !== sum) throw new Error('damaged slot');
  return { hash, start, length, sum: entrySum };
}

function entryOf(bytes: Buffer, { sum }: Slot): readonly [string, unknown] {
  if (checksum(bytes) !== sum) throw new Error('damaged entry');
  return JSON.parse(bytes.toString('utf8')) as [string, unknown];
}

/** Writes such a file, whole or not at all. The order of the entries makes no difference to the bytes of the slots. */
export function writeKeyedFile(
  path: string,
  header: unknown,
  entries: Iterable<readonly [key: string, value: unknown]>,
): void {
  const texts: Buffer[] = [];
  const hashes: number[] = [];
  for (const [key, value] of entries) {
    texts.push(Buffer.from(JSON.stringify([key, value])));
    hashes.push(textHash(key));
  }
  const headerBytes = Buffer.from(JSON.stringify(header));
  const filter = BloomFilter.for(hashes.length);
  const slots = Math.max(SLOTS_READ, hashes.length * 2);
  const slotBytes = Buffer.alloc(slots * SLOT);
  const slotsStart = PREFIX + headerBytes.length + filter.bytes.length;
  let start = slotsStart + slotBytes.length;
  for (const [at, hash] of hashes.entries()) {
    const length = texts[at]?.length ?? 0;
    filter.add(hash);
    let slot = hash % slots;
    while (slotBytes.readUInt32LE(slot * SLOT + 12) !== 0) slot = (slot + 1) % slots;
    slotBytes.writeBigUInt64LE(BigInt(hash), slot * SLOT);
    slotBytes.writeUInt32LE(start, slot * SLOT + 8);
    slotBytes.writeUInt32LE(length, slot * SLOT + 12);
    slotBytes.writeUInt32LE(checksum(texts[at] ?? Buffer.alloc(0)), slot * SLOT + 16);
    slotBytes.writeUInt32LE(
      checksum(slotBytes.subarray(slot * SLOT, slot * SLOT + SUMMED)),
      slot * SLOT + SUMMED,
    );
    start += length;
  }
  const prefix = Buffer.alloc(PREFIX);
  prefix.write(MAGIC, 'latin1');
  const length = start + slotsStart;
  for (const [at, value] of [headerBytes.length, filter.bytes.length, slots, length].entries()) {
    prefix.writeUInt32LE(value, 8 + at * 4);
  }
  const head = [prefix, headerBytes, filter.bytes];
  writeFileAtomic(path, Buffer.concat([...head, slotBytes, ...texts, ...head]));
}
