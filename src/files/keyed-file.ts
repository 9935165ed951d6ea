import { closeSync, fstatSync } from 'node:fs';
import { textHash } from '../record/id.ts';
import { openFile, readBytesAt, writeFileAtomic } from './file-access.ts';

/*
 * File layout, little-endian: an open-addressing hash table.
 *   prefix: magic (8 bytes), header length, filter length, number of slots, file length (4 bytes each)
 *   header (JSON)
 *   Bloom filter
 *   slots of 24 bytes: hash (8), entry offset, entry length, entry checksum, slot checksum (4 each); all zero if free
 *   entries (JSON)
 *   copy of prefix, header and filter
 * Only what is read is verified. Prefix, header and filter are compared with their copy, which is much faster than a
 * checksum; slots and entries have checksums.
 */
const MAGIC = 'yorekey2';
const PREFIX_BYTES = 24;
const SLOT_BYTES = 24;
/** The part of a slot that its checksum covers. */
const CHECKED_SLOT_BYTES = 20;
/** Bytes read on opening: enough for header and filter of some ten thousand keys. */
const FIRST_READ_BYTES = 64 * 1024;
/** Slots read at a time in a lookup. */
const SLOTS_PER_READ = 8;

/**
 * A read-only key-value file for snapshots. A lookup reads a few hundred bytes of the file, and the lookup of a
 * missing key usually none.
 */
export class KeyedFile {
  /** The writer's description of the whole file. */
  readonly header: unknown;
  readonly #descriptor: number;
  readonly #filter: BloomFilter;
  readonly #slots: number;
  readonly #slotsStart: number;

  private constructor(descriptor: number, head: Buffer, headerLength: number, slots: number) {
    const headerEnd = PREFIX_BYTES + headerLength;
    this.#descriptor = descriptor;
    this.header = JSON.parse(head.toString('utf8', PREFIX_BYTES, headerEnd));
    this.#filter = new BloomFilter(head.subarray(headerEnd));
    this.#slots = slots;
    this.#slotsStart = head.length;
  }

  /** Opens a file; undefined when it is missing, damaged or of another version. */
  static open(path: string): KeyedFile | undefined {
    let descriptor: number;
    try {
      descriptor = openFile(path);
    } catch {
      return undefined; // missing, or unreadable and to be rebuilt all the same
    }
    const file = KeyedFile.#read(descriptor);
    if (file === undefined) closeSync(descriptor);
    return file;
  }

  static #read(descriptor: number): KeyedFile | undefined {
    try {
      const { size } = fstatSync(descriptor);
      let bytes = readBytesAt(descriptor, 0, Math.min(size, FIRST_READ_BYTES));
      if (bytes.length < PREFIX_BYTES || bytes.toString('latin1', 0, MAGIC.length) !== MAGIC) return undefined;
      const [headerLength, filterLength, slots, length] = [8, 12, 16, 20].map((at) => bytes.readUInt32LE(at)) as [
        number,
        number,
        number,
        number,
      ];
      const slotsStart = PREFIX_BYTES + headerLength + filterLength;
      if (length !== size || 2 * slotsStart + slots * SLOT_BYTES > size) return undefined;
      if (bytes.length < slotsStart) bytes = readBytesAt(descriptor, 0, slotsStart);
      const copy = readBytesAt(descriptor, size - slotsStart, slotsStart);
      const head = bytes.subarray(0, slotsStart);
      return copy.equals(head) ? new KeyedFile(descriptor, head, headerLength, slots) : undefined;
    } catch {
      return undefined;
    }
  }

  /** The value of a key; undefined when there is none. Throws when the file is damaged. */
  get(key: string): unknown {
    const hash = textHash(key);
    if (!this.#filter.mightContain(hash)) return undefined;
    let slot = hash % this.#slots;
    for (let visited = 0; visited < this.#slots; ) {
      const count = Math.min(SLOTS_PER_READ, this.#slots - slot);
      const chunk = readBytesAt(this.#descriptor, this.#slotsStart + slot * SLOT_BYTES, SLOT_BYTES * count);
      for (let at = 0; at < SLOT_BYTES * count; at += SLOT_BYTES) {
        const found = parseSlot(chunk, at);
        if (found === undefined) return undefined;
        if (found.hash !== hash) continue;
        const [name, value] = parseEntry(readBytesAt(this.#descriptor, found.start, found.length), found);
        if (name === key) return value;
      }
      visited += count;
      slot = (slot + count) % this.#slots;
    }
    return undefined;
  }

  /** Everything in the file. Throws when it is damaged. */
  *entries(): Generator<readonly [key: string, value: unknown]> {
    const slots = readBytesAt(this.#descriptor, this.#slotsStart, this.#slots * SLOT_BYTES);
    const start = this.#slotsStart + this.#slots * SLOT_BYTES;
    const entries = readBytesAt(this.#descriptor, start, fstatSync(this.#descriptor).size - start);
    for (let slot = 0; slot < slots.length; slot += SLOT_BYTES) {
      const found = parseSlot(slots, slot);
      if (found === undefined) continue;
      const at = found.start - start;
      yield parseEntry(entries.subarray(at, at + found.length), found);
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

/** The slot at a byte offset; undefined when it is free. */
function parseSlot(bytes: Buffer, at: number): Slot | undefined {
  const sum = bytes.readUInt32LE(at + CHECKED_SLOT_BYTES);
  const hash = Number(bytes.readBigUInt64LE(at));
  const start = bytes.readUInt32LE(at + 8);
  const length = bytes.readUInt32LE(at + 12);
  const entrySum = bytes.readUInt32LE(at + 16);
  if (sum === 0 && hash === 0 && start === 0 && length === 0 && entrySum === 0) return undefined;
  if (checksum(bytes.subarray(at, at + CHECKED_SLOT_BYTES)) !== sum) throw new Error('damaged slot');
  return { hash, start, length, sum: entrySum };
}

function parseEntry(bytes: Buffer, { sum }: Slot): readonly [string, unknown] {
  if (checksum(bytes) !== sum) throw new Error('damaged entry');
  return JSON.parse(bytes.toString('utf8')) as [string, unknown];
}

/** Writes a {@link KeyedFile} atomically. */
export function writeKeyedFile(
  path: string,
  header: unknown,
  entries: Iterable<readonly [key: string, value: unknown]>,
): void {
  const hashed = Array.from(entries, ([key, value]) => ({
    hash: textHash(key),
    text: Buffer.from(JSON.stringify([key, value])),
  }));
  const headerBytes = Buffer.from(JSON.stringify(header));
  const filter = BloomFilter.withCapacity(hashed.length);
  const slots = Math.max(SLOTS_PER_READ, hashed.length * 2);
  const slotBytes = Buffer.alloc(slots * SLOT_BYTES);
  const slotsStart = PREFIX_BYTES + headerBytes.length + filter.bytes.length;
  let start = slotsStart + slotBytes.length;
  for (const { hash, text } of hashed) {
    filter.add(hash);
    let slot = hash % slots;
    while (slotBytes.readUInt32LE(slot * SLOT_BYTES + 12) !== 0) slot = (slot + 1) % slots;
    const written = slotBytes.subarray(slot * SLOT_BYTES, (slot + 1) * SLOT_BYTES);
    written.writeBigUInt64LE(BigInt(hash));
    written.writeUInt32LE(start, 8);
    written.writeUInt32LE(text.length, 12);
    written.writeUInt32LE(checksum(text), 16);
    written.writeUInt32LE(checksum(written.subarray(0, CHECKED_SLOT_BYTES)), CHECKED_SLOT_BYTES);
    start += text.length;
  }
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.write(MAGIC, 'latin1');
  const length = start + slotsStart;
  for (const [at, value] of [headerBytes.length, filter.bytes.length, slots, length].entries()) {
    prefix.writeUInt32LE(value, 8 + at * 4);
  }
  const head = [prefix, headerBytes, filter.bytes];
  writeFileAtomic(path, Buffer.concat([...head, slotBytes, ...hashed.map(({ text }) => text), ...head]));
}

const CHECKSUM_PRIME = 0x01000193;

/**
 * A 32-bit checksum against accidental damage, not tampering. Loading Node's own (zlib, crypto) would take longer than
 * reading what is checked.
 */
function checksum(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const words = bytes.length - (bytes.length % 4);
  let sum = 0x811c9dc5;
  // Invertible, so that a change of a single word always changes the sum. Not a function, because a short process calls
  // it without compiling it.
  for (let at = 0; at < words; at += 4) {
    sum = Math.imul(sum ^ view.getInt32(at, true), CHECKSUM_PRIME);
    sum ^= sum >>> 15;
  }
  for (let at = words; at < bytes.length; at++) {
    sum = Math.imul(sum ^ view.getUint8(at), CHECKSUM_PRIME);
    sum ^= sum >>> 15;
  }
  return sum >>> 0;
}

/** With 10 bits and 7 probes per key, about 1 % of unknown keys pass. */
const BITS_PER_KEY = 10;
const PROBES = 7;

/** A set of hashes that may report false positives, but never false negatives. */
export class BloomFilter {
  readonly bytes: Uint8Array;

  /** Wraps the `bytes` of an existing filter. */
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** An empty filter sized for that many keys. */
  static withCapacity(keys: number): BloomFilter {
    return new BloomFilter(new Uint8Array(Math.max(8, Math.ceil((keys * BITS_PER_KEY) / 8))));
  }

  /** `hash` is a {@link textHash}. */
  add(hash: number): void {
    for (let probe = 0; probe < PROBES; probe++) {
      const bit = this.#bit(hash, probe);
      this.bytes[bit >>> 3] = (this.bytes[bit >>> 3] ?? 0) | (1 << (bit & 7));
    }
  }

  mightContain(hash: number): boolean {
    for (let probe = 0; probe < PROBES; probe++) {
      const bit = this.#bit(hash, probe);
      if (((this.bytes[bit >>> 3] ?? 0) & (1 << (bit & 7))) === 0) return false;
    }
    return true;
  }

  #bit(hash: number, probe: number): number {
    const low = hash % 0x1_0000_0000;
    const step = (Math.floor(hash / 0x1_0000_0000) << 1) | 1;
    return (low + probe * (step >>> 0)) % (this.bytes.length * 8);
  }
}
