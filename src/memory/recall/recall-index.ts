import type { SessionDigest } from '../digest/session-digest.ts';
import { passagesOf } from './passages.ts';
import { termHash } from './term-hash.ts';

/**
 * The terms of all sessions of a project in a form that is read without parsing: 32-bit numbers in a row.
 *   file     magic, version, block of each session
 *   block    length, time of its end (minutes), bytes of its id, id, passages
 *   passage  count, entries: hash of a term (29 bits) and its strength (3 bits)
 */
const MAGIC = 0x79726331;
/** Another version is made again from the digests. */
const VERSION = 2;
const HEADER = 2;
const BLOCK_HEADER = 3;
const STRENGTH_BITS = 3;
const STRONGEST = 2 ** STRENGTH_BITS - 1;
const MINUTE = 60_000;

/** Terms of the sessions of a project, ready to be looked up. */
export interface RecallIndex {
  readonly numbers: Uint32Array;
  /** Where the block of each session begins. */
  readonly blocks: readonly number[];
}

/** Where a block has what. */
export interface Block {
  readonly endedAt: number;
  /** Where the first passage begins, and where the block ends. */
  readonly from: number;
  readonly to: number;
}

/** The index of these sessions, as bytes to be kept. */
export function encodeRecallIndex(digests: Iterable<SessionDigest>): Uint8Array {
  const blocks = Array.from(digests, encodeSession);
  return join(blocks);
}

/**
 * The index with the sessions in `changed` new or replaced and those in `forgotten` gone. The others are copied
 * as they are, so that the cost follows what changed. Starts from nothing when `previous` cannot be read.
 */
export function updateRecallIndex(
  previous: Uint8Array | undefined,
  changed: Iterable<SessionDigest>,
  forgotten: ReadonlySet<string> = new Set(),
): Uint8Array {
  const fresh = new Map(Array.from(changed, (digest) => [digest.sessionId, encodeSession(digest)]));
  const index = previous === undefined ? undefined : openRecallIndex(previous);
  const kept = (index?.blocks ?? []).flatMap((start) => {
    if (index === undefined) return [];
    const id = sessionOf(index, start);
    return fresh.has(id) || forgotten.has(id)
      ? []
      : [index.numbers.subarray(start, blockAt(index, start).to)];
  });
  return join([...kept, ...fresh.values()]);
}

/** Reads what `encodeRecallIndex` made; undefined when it is damaged or of another version. */
export function openRecallIndex(bytes: Uint8Array): RecallIndex | undefined {
  if (bytes.byteLength % 4 !== 0 || bytes.byteLength < HEADER * 4) return undefined;
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  const numbers = new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4);
  if (numbers[0] !== MAGIC || numbers[1] !== VERSION) return undefined;
  const blocks: number[] = [];
  for (let at = HEADER; at < numbers.length; ) {
    const length = numbers[at] ?? 0;
    if (length < BLOCK_HEADER || at + length > numbers.length) return undefined;
    blocks.push(at);
    at += length;
  }
  return { numbers, blocks };
}

/** The parts of the block that begins at `start`. */
export function blockAt({ numbers }: RecallIndex, start: number): Block {
  const to = start + (numbers[start] ?? 0);
  const idWords = Math.ceil((numbers[start + 2] ?? 0) / 4);
  return {
    endedAt: (numbers[start + 1] ?? 0) * MINUTE,
    from: Math.min(to, start + BLOCK_HEADER + idWords),
    to,
  };
}

/** The id of the session whose block begins at `start`. */
export function sessionOf({ numbers }: RecallIndex, start: number): string {
  const bytes = numbers[start + 2] ?? 0;
  const offset = numbers.byteOffset + (start + BLOCK_HEADER) * 4;
  return Buffer.from(
    numbers.buffer,
    offset,
    Math.min(bytes, numbers.byteLength - (start + BLOCK_HEADER) * 4),
  ).toString();
}

/** The hash of an entry. */
export function hashOfEntry(entry: number): number {
  return entry >>> STRENGTH_BITS;
}

/** The strength of an entry, above 0 and at most 1. */
export function strengthOfEntry(entry: number): number {
  return (entry & STRONGEST) / STRONGEST;
}

function encodeSession(digest: SessionDigest): Uint32Array {
  const id = Buffer.from(digest.sessionId);
  const padded = Buffer.alloc(Math.ceil(id.length / 4) * 4);
  id.copy(padded);
  const ended = Date.parse(digest.endedAt);
  const numbers = [0, Number.isNaN(ended) || ended < 0 ? 0 : Math.floor(ended / MINUTE), id.length];
  numbers.push(...new Uint32Array(padded.buffer, padded.byteOffset, padded.length / 4));
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

function join(blocks: readonly Uint32Array[]): Uint8Array {
  const numbers = new Uint32Array(blocks.reduce((sum, block) => sum + block.length, HEADER));
  numbers.set([MAGIC, VERSION]);
  let at = HEADER;
  for (const block of blocks) {
    numbers.set(block, at);
    at += block.length;
  }
  return new Uint8Array(numbers.buffer);
}
