import type { SessionDigest } from '../digest/session-digest.ts';
import { passagesOf } from './passages.ts';
import { termHash } from './term-hash.ts';

/*
 * The terms of one session in a form that is read without parsing, 32-bit numbers in a row:
 *   block    length, time of its end (minutes), bytes of its id, id, passages
 *   passage  count, entries: hash of a term (29 bits) and its strength (3 bits)
 */
const HEADER = 3;
const STRENGTH_BITS = 3;
const STRONGEST = 2 ** STRENGTH_BITS - 1;
const MINUTE = 60_000;

/** What a session can be found by, as numbers to be kept. */
export function encodeSession(digest: SessionDigest): Uint32Array {
  const id = Buffer.from(digest.sessionId);
  const padded = Buffer.alloc(Math.ceil(id.length / 4) * 4);
  id.copy(padded);
  const ended = Date.parse(digest.endedAt);
  const numbers = [0, Number.isNaN(ended) || ended < 0 ? 0 : Math.floor(ended / MINUTE), id.length];
  for (let at = 0; at < padded.length; at += 4) numbers.push(padded.readUInt32LE(at));
  for (const terms of passagesOf(digest)) {
    numbers.push(terms.size);
    for (const [term, strength] of terms) {
      const level = Math.max(1, Math.round(strength * STRONGEST));
      numbers.push(((termHash(term) << STRENGTH_BITS) | level) >>> 0);
    }
  }
  numbers[0] = numbers.length;
  return Uint32Array.from(numbers);
}

/** When the session of a block ended, epoch milliseconds. */
export function endOf(block: Uint32Array): number {
  return (block[1] ?? 0) * MINUTE;
}

/** The id of the session of a block. */
export function sessionOf(block: Uint32Array): string {
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
  return bytes.toString('utf8', HEADER * 4, HEADER * 4 + (block[2] ?? 0));
}

/** The entries of each passage of a block, in their order. */
export function* passagesIn(block: Uint32Array): Generator<Uint32Array> {
  const first = HEADER + Math.ceil((block[2] ?? 0) / 4);
  for (let at = first; at < block.length; ) {
    const end = Math.min(block.length, at + 1 + (block[at] ?? 0));
    yield block.subarray(at + 1, end);
    at = end;
  }
}

/** What the id of a session is found by: no term begins like this. */
export function hashOfId(sessionId: string): number {
  return termHash(`\0${sessionId}`);
}

/** The hashes of all terms of a block and of its session's id, each once. */
export function hashesIn(block: Uint32Array): Iterable<number> {
  const hashes = new Set<number>([hashOfId(sessionOf(block))]);
  for (const passage of passagesIn(block)) for (const entry of passage) hashes.add(hashOfEntry(entry));
  return hashes;
}

/** The hash of an entry. */
export function hashOfEntry(entry: number): number {
  return entry >>> STRENGTH_BITS;
}

/** The strength of an entry, above 0 and at most 1. */
export function strengthOfEntry(entry: number): number {
  return (entry & STRONGEST) / STRONGEST;
}

/** Whether numbers that begin where a block should are one, and how long it is. */
export function lengthOfBlock(first: number | undefined, room: number): number {
  return first !== undefined && first >= HEADER && first <= room ? first : 0;
}
