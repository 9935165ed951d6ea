import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { textHash } from '../record/index.ts';
import { BloomFilter } from './bloom-filter.ts';
import { errorCode } from './storage-error.ts';
import { writeFileAtomic } from './write-file-atomic.ts';

/*
 * Layout, little-endian:
 *   magic (8 bytes) · length of the header, of the filter, number of slots, length of the file (4 × 4 bytes)
 *   header (JSON) · Bloom filter · slots of 16 bytes: hash (8), start and length of the entry (4, 4) · entries (JSON)
 * A slot is found by the low bits of the hash, then by trying the next ones; one of length 0 is free.
 */
const MAGIC = 'yorekey1';
const PREFIX = 24;
const SLOT = 16;
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
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined;
      throw error;
    }
    const file = KeyedFile.#read(descriptor);
    if (file === undefined) closeSync(descriptor);
    return file;
  }

  static #read(descriptor: number): KeyedFile | undefined {
    try {
      const { size } = fstatSync(descriptor);
      let bytes = readAt(descriptor, 0, Math.min(size, FIRST_READ));
      if (bytes.length < PREFIX || bytes.toString('latin1', 0, MAGIC.length) !== MAGIC) return undefined;
      const [headerLength, filterLength, slots, length] = [8, 12, 16, 20].map((at) =>
        bytes.readUInt32LE(at),
      ) as [number, number, number, number];
      const slotsStart = PREFIX + headerLength + filterLength;
      if (length !== size || slotsStart + slots * SLOT > size) return undefined;
      if (bytes.length < slotsStart) bytes = readAt(descriptor, 0, slotsStart);
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
    for (let slot = hash % this.#slots; ; ) {
      const count = Math.min(SLOTS_READ, this.#slots - slot);
      const chunk = readAt(this.#descriptor, this.#slotsStart + slot * SLOT, SLOT * count);
      for (let at = 0; at < SLOT * count; at += SLOT) {
        const length = chunk.readUInt32LE(at + 12);
        if (length === 0) return undefined;
        if (Number(chunk.readBigUInt64LE(at)) !== hash) continue;
        const [found, value] = this.#entry(chunk.readUInt32LE(at + 8), length);
        if (found === key) return value;
      }
      slot = (slot + count) % this.#slots;
    }
  }

  /** Everything in the file. Throws when it is damaged. */
  *entries(): Generator<readonly [key: string, value: unknown]> {
    const slots = readAt(this.#descriptor, this.#slotsStart, this.#slots * SLOT);
    const start = this.#slotsStart + this.#slots * SLOT;
    const entries = readAt(this.#descriptor, start, fstatSync(this.#descriptor).size - start);
    for (let slot = 0; slot < slots.length; slot += SLOT) {
      const length = slots.readUInt32LE(slot + 12);
      if (length === 0) continue;
      const at = slots.readUInt32LE(slot + 8) - start;
      yield JSON.parse(entries.toString('utf8', at, at + length)) as [string, unknown];
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  #entry(start: number, length: number): readonly [string, unknown] {
    return JSON.parse(readAt(this.#descriptor, start, length).toString('utf8')) as [string, unknown];
  }
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
    start += length;
  }
  const prefix = Buffer.alloc(PREFIX);
  prefix.write(MAGIC, 'latin1');
  for (const [at, value] of [headerBytes.length, filter.bytes.length, slots, start].entries()) {
    prefix.writeUInt32LE(value, 8 + at * 4);
  }
  writeFileAtomic(path, Buffer.concat([prefix, headerBytes, filter.bytes, slotBytes, ...texts]));
}

function readAt(descriptor: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  const read = readSync(descriptor, bytes, 0, length, position);
  return read === length ? bytes : bytes.subarray(0, read);
}
