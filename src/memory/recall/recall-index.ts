import type { SessionDigest } from '../digest/session-digest.ts';
import {
  buildPostings,
  findInBucket,
  type Postings,
  type SessionList,
  type SessionTerms,
  sessionBitsFor,
  updatePostings,
} from './postings.ts';
import { blockHashes, blockLength, blockSessionId, encodeSession, sessionIdHash } from './session-block.ts';

/*
 * The format, in 32-bit numbers:
 *   magic, version, total length, number of sessions, bits of a bucket, number of entries
 *   start of each bucket of the postings and end of the last · entries of the postings
 *   start of the block of each session · blocks
 * Finding the sessions of a term reads one bucket; matching a session reads its block.
 */
const MAGIC = 0x79726331;
/** Must be raised with every change of the format or the terms; other versions are rebuilt. */
const VERSION = 5;
const HEADER = 6;
const MAX_BUCKET_BITS = 24;

/** Reads a range of numbers of an index; fewer at its end. */
type ReadNumbers = (from: number, to: number) => Uint32Array;

/** An index over the terms of a project's sessions, which are numbered from 0. */
export interface RecallIndex {
  readonly sessionCount: number;
  /** Upper bound of the session numbers. */
  readonly capacity: number;
  /** The sessions that contain a term, by its hash. */
  sessionsWith(hash: number): SessionList;
  /** The terms of a session. */
  block(session: number): Uint32Array;
}

/** Encodes the index of some sessions. */
export function encodeRecallIndex(digests: Iterable<SessionDigest>): Uint8Array {
  return buildIndex(Array.from(digests, encodeSession));
}

/** Adds or replaces sessions; the others are copied as they are. Starts from scratch if `previous` cannot be read. */
export function updateRecallIndex(previous: Uint8Array | undefined, changed: Iterable<SessionDigest>): Uint8Array {
  const fresh = new Map(Array.from(changed, (digest) => [digest.sessionId, encodeSession(digest)]));
  const numbers = previous === undefined ? undefined : toNumbers(previous);
  const index = numbers && openWhole(numbers);
  if (numbers === undefined || index === undefined) return buildIndex([...fresh.values()]);
  const before = Array.from({ length: index.sessionCount }, (_, session) => index.block(session));
  const sessions = new Map(before.map((block, session) => [blockSessionId(block), session]));
  const blocks = before.slice();
  const terms: SessionTerms[] = [];
  for (const [id, block] of fresh) {
    const session = sessions.get(id) ?? blocks.length;
    blocks[session] = block;
    terms.push([session, blockHashes(block)]);
  }
  const postings = updatePostings(index.postings(), blocks.length, terms);
  return postings === undefined ? buildIndex(blocks) : assemble(postings, blocks);
}

/** Opens an encoded index; undefined when it is damaged or of another version. */
export function openRecallIndex(bytes: Uint8Array): RecallIndex | undefined {
  const numbers = toNumbers(bytes);
  return numbers && openWhole(numbers);
}

/** Opens an index of `length` numbers that reads only what it needs. */
export function readRecallIndex(read: ReadNumbers, length: number): IndexReader | undefined {
  const [magic, version, whole, sessionCount, bucketBits, entryCount] = read(0, HEADER);
  if (magic !== MAGIC || version !== VERSION || whole !== length) return undefined;
  if (sessionCount === undefined || bucketBits === undefined || entryCount === undefined) return undefined;
  if (bucketBits > MAX_BUCKET_BITS) return undefined;
  const firstEntry = HEADER + 2 ** bucketBits + 1;
  if (firstEntry + entryCount + sessionCount > length) return undefined;
  return new IndexReader(read, { length, sessionCount, bucketBits, entryCount });
}

interface Shape {
  readonly length: number;
  readonly sessionCount: number;
  readonly bucketBits: number;
  readonly entryCount: number;
}

class IndexReader implements RecallIndex {
  readonly #read: ReadNumbers;
  readonly #shape: Shape;
  readonly #sessionBits: number;
  readonly #firstEntry: number;

  constructor(read: ReadNumbers, shape: Shape) {
    this.#read = read;
    this.#shape = shape;
    this.#sessionBits = sessionBitsFor(shape.sessionCount);
    this.#firstEntry = HEADER + 2 ** shape.bucketBits + 1;
  }

  get sessionCount(): number {
    return this.#shape.sessionCount;
  }

  get capacity(): number {
    return this.#shape.sessionCount;
  }

  sessionsWith(hash: number): SessionList {
    const { bucketBits, sessionCount, entryCount } = this.#shape;
    const bucket = HEADER + (hash & (2 ** bucketBits - 1));
    const [from = 0, to = 0] = this.#read(bucket, bucket + 2);
    const entries = this.#read(this.#firstEntry + from, this.#firstEntry + Math.min(to, entryCount));
    return findInBucket(entries, hash >>> bucketBits, { sessionCount, sessionBits: this.#sessionBits });
  }

  block(session: number): Uint32Array {
    const { entryCount, length } = this.#shape;
    const at = this.#firstEntry + entryCount + session;
    const [start = 0] = this.#read(at, at + 1);
    const [first] = this.#read(start, start + 1);
    return this.#read(start, start + blockLength(first, length - start));
  }

  postings(): Postings {
    const { bucketBits, entryCount } = this.#shape;
    return {
      bucketBits,
      sessionBits: this.#sessionBits,
      starts: this.#read(HEADER, this.#firstEntry),
      entries: this.#read(this.#firstEntry, this.#firstEntry + entryCount),
    };
  }
}

function openWhole(numbers: Uint32Array): IndexReader | undefined {
  return readRecallIndex((from, to) => numbers.subarray(from, Math.max(from, to)), numbers.length);
}

function toNumbers(bytes: Uint8Array): Uint32Array | undefined {
  if (bytes.byteLength % 4 !== 0) return undefined;
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  return new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4);
}

function buildIndex(blocks: readonly Uint32Array[]): Uint8Array {
  const terms = blocks.map((block, session): SessionTerms => [session, blockHashes(block)]);
  return assemble(buildPostings(blocks.length, terms), blocks);
}

function assemble({ bucketBits, starts, entries }: Postings, blocks: readonly Uint32Array[]): Uint8Array {
  const table = HEADER + starts.length + entries.length;
  let at = table + blocks.length;
  const length = blocks.reduce((sum, block) => sum + block.length, at);
  const numbers = new Uint32Array(length);
  numbers.set([MAGIC, VERSION, length, blocks.length, bucketBits, entries.length]);
  numbers.set(starts, HEADER);
  numbers.set(entries, HEADER + starts.length);
  for (const [session, block] of blocks.entries()) {
    numbers[table + session] = at;
    numbers.set(block, at);
    at += block.length;
  }
  return new Uint8Array(numbers.buffer);
}

/** Overlays an index with a more recent one, whose sessions are new or replace those of the base. */
export function overlayIndex(base: RecallIndex, recent: RecallIndex): RecallIndex {
  const replaced = new Set<number>();
  for (let session = 0; session < recent.sessionCount; session++) {
    const older = findSession(base, blockSessionId(recent.block(session)));
    if (older !== undefined) replaced.add(older);
  }
  return {
    sessionCount: base.sessionCount - replaced.size + recent.sessionCount,
    capacity: base.capacity + recent.capacity,
    sessionsWith(hash) {
      const older = base.sessionsWith(hash);
      const newer = recent.sessionsWith(hash);
      const removed = [...replaced].filter((session) => older.has(session));
      return {
        length: older.length - removed.length + newer.length,
        has: (session) =>
          session < base.capacity ? older.has(session) && !replaced.has(session) : newer.has(session - base.capacity),
        toArray: () => [
          ...older.toArray().filter((session) => !replaced.has(session)),
          ...newer.toArray().map((session) => base.capacity + session),
        ],
      };
    },
    block: (session) => (session < base.capacity ? base.block(session) : recent.block(session - base.capacity)),
  };
}

function findSession(index: RecallIndex, sessionId: string): number | undefined {
  return index
    .sessionsWith(sessionIdHash(sessionId))
    .toArray()
    .find((session) => blockSessionId(index.block(session)) === sessionId);
}
