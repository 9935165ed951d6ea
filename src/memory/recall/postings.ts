import { HASH_BITS } from './session-block.ts';

/**
 * The sessions of each term, in buckets by the last bits of the term's hash. An entry is one number: the remaining bits
 * of the hash and, in its last bits, the session. The entries of a bucket are sorted, so that those of a term are found,
 * and counted, without looking at the others.
 */
export interface Postings {
  readonly bucketBits: number;
  readonly sessionBits: number;
  /** The start of each bucket in the entries, and the end of the last. */
  readonly starts: Uint32Array;
  readonly entries: Uint32Array;
}

/** The terms of a session that was added or changed. */
export type SessionTerms = readonly [session: number, hashes: Iterable<number>];

const MAX_BUCKET_BITS = 20;
/** The approximate number of entries to read for one term. */
const BUCKET_SIZE = 64;
/** Beyond this average there are too few buckets. */
const MAX_BUCKET_SIZE = 512;

/** The sessions that contain a term, without duplicates. */
export interface SessionList {
  readonly length: number;
  has(session: number): boolean;
  /** In no particular order. */
  toArray(): readonly number[];
}

/** Finds the sessions of a term in its bucket; `rest` are the bits of its hash that the entries have. */
export function findInBucket(
  bucket: Uint32Array,
  rest: number,
  { sessionCount, sessionBits }: { readonly sessionCount: number; readonly sessionBits: number },
): SessionList {
  const first = rest * 2 ** sessionBits;
  const found = bucket.subarray(lowerBound(bucket, first), lowerBound(bucket, first + sessionCount));
  return {
    length: found.length,
    has: (session) => session < sessionCount && found[lowerBound(found, first + session)] === first + session,
    toArray: () => {
      const mask = 2 ** sessionBits - 1;
      const sessions: number[] = [];
      // As signed numbers, and without an iterator: code that is not compiled creates no objects then.
      const entries = new Int32Array(found.buffer, found.byteOffset, found.length);
      for (let i = 0; i < entries.length; i++) sessions.push((entries[i] as number) & mask);
      return sessions;
    },
  };
}

/** The position of the first of some sorted numbers that is not less than `least`. */
function lowerBound(sorted: Uint32Array, least: number): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((sorted[middle] as number) < least) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** The number of bits that a session number takes. */
export function sessionBitsFor(sessions: number): number {
  return Math.max(1, Math.ceil(Math.log2(Math.max(1, sessions))));
}

/** Whether entries fit into 32 bits and buckets are small. */
function isEfficient(bucketBits: number, sessions: number, entries: number): boolean {
  return (
    bucketBits <= MAX_BUCKET_BITS &&
    HASH_BITS - bucketBits + sessionBitsFor(sessions) <= 32 &&
    entries <= MAX_BUCKET_SIZE * 2 ** bucketBits
  );
}

/** Builds the postings of all sessions. */
export function buildPostings(sessions: number, terms: readonly SessionTerms[]): Postings {
  const lists = terms.map(([session, hashes]) => [session, Uint32Array.from(hashes)] as const);
  const count = lists.reduce((sum, [, hashes]) => sum + hashes.length, 0);
  const least = HASH_BITS + sessionBitsFor(sessions) - 32;
  const wanted = Math.floor(Math.log2(Math.max(1, count / BUCKET_SIZE)));
  const bucketBits = Math.min(MAX_BUCKET_BITS, Math.max(0, least, wanted));
  return fill(bucketBits, sessions, lists);
}

/** Adds or replaces the sessions in `terms`; undefined when the postings have to be rebuilt. */
export function updatePostings(
  before: Postings,
  sessions: number,
  terms: readonly SessionTerms[],
): Postings | undefined {
  const lists = terms.map(([session, hashes]) => [session, Uint32Array.from(hashes)] as const);
  const count = lists.reduce((sum, [, hashes]) => sum + hashes.length, before.entries.length);
  return isEfficient(before.bucketBits, sessions, count) ? fill(before.bucketBits, sessions, lists, before) : undefined;
}

function fill(
  bucketBits: number,
  sessions: number,
  lists: readonly (readonly [session: number, hashes: Uint32Array])[],
  before?: Postings,
): Postings {
  const sessionBits = sessionBitsFor(sessions);
  const mask = 2 ** bucketBits - 1;
  const isReplaced = new Uint8Array(sessions);
  for (const [session] of lists) isReplaced[session] = 1;
  const starts = new Uint32Array(2 ** bucketBits + 1);
  if (before !== undefined) countKept(before, isReplaced, starts);
  for (const [, hashes] of lists)
    for (const hash of hashes) starts[(hash & mask) + 1] = (starts[(hash & mask) + 1] ?? 0) + 1;
  for (let bucket = 1; bucket < starts.length; bucket++)
    starts[bucket] = (starts[bucket] ?? 0) + (starts[bucket - 1] ?? 0);
  const entries = new Uint32Array(starts.at(-1) ?? 0);
  const next = starts.slice();
  if (before !== undefined) copyKept(before, isReplaced, entries, next, sessionBits);
  for (const [session, hashes] of lists) {
    for (const hash of hashes) {
      const at = next[hash & mask] ?? 0;
      entries[at] = (hash >>> bucketBits) * 2 ** sessionBits + session;
      next[hash & mask] = at + 1;
    }
  }
  for (let bucket = 0; bucket + 1 < starts.length; bucket++)
    entries.subarray(starts[bucket], starts[bucket + 1]).sort();
  return { bucketBits, sessionBits, starts, entries };
}

function countKept({ starts, entries, sessionBits }: Postings, isReplaced: Uint8Array, counts: Uint32Array): void {
  const mask = 2 ** sessionBits - 1;
  for (let bucket = 0; bucket + 1 < starts.length; bucket++) {
    const end = Math.min(starts[bucket + 1] ?? 0, entries.length);
    let kept = 0;
    for (let at = starts[bucket] ?? 0; at < end; at++) if (isReplaced[(entries[at] ?? 0) & mask] === 0) kept++;
    counts[bucket + 1] = kept;
  }
}

function copyKept(
  { starts, entries: from, sessionBits: bits }: Postings,
  isReplaced: Uint8Array,
  entries: Uint32Array,
  next: Uint32Array,
  sessionBits: number,
): void {
  const mask = 2 ** bits - 1;
  for (let bucket = 0; bucket + 1 < starts.length; bucket++) {
    const end = Math.min(starts[bucket + 1] ?? 0, from.length);
    let to = next[bucket] ?? 0;
    for (let at = starts[bucket] ?? 0; at < end; at++) {
      const entry = from[at] ?? 0;
      if (isReplaced[entry & mask] !== 0) continue;
      entries[to++] = (entry >>> bits) * 2 ** sessionBits + (entry & mask);
    }
    next[bucket] = to;
  }
}
