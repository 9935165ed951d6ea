import type { SessionDigest } from '../digest/session-digest.ts';
import {
  makePostings,
  type Postings,
  type SessionTerms,
  sessionBitsFor,
  updatePostings,
} from './postings.ts';
import { encodeSession, hashesIn, lengthOfBlock, sessionOf } from './recall-block.ts';

/*
 * 32-bit numbers in a row:
 *   magic, version, length of the whole, number of sessions, bits of a bucket, number of entries
 *   where each bucket of the postings begins (one more than there are) · entries of the postings
 *   where the block of each session begins · blocks
 * To find the sessions of a term, one bucket is read; to see what a session is about, its block.
 */
const MAGIC = 0x79726331;
/** Another version is made again from the digests. */
const VERSION = 4;
const HEADER = 6;
const MOST_BUCKET_BITS = 24;

/** Reads numbers of an index, from one place to another; fewer where it ends. */
export type ReadNumbers = (from: number, to: number) => Uint32Array;

/** Terms of the sessions of a project, ready to be looked up. Sessions are told apart by numbers from 0. */
export interface RecallIndex {
  readonly sessionCount: number;
  /** All numbers of sessions are below this. */
  readonly places: number;
  /** The sessions that have a term, by its hash; each once, in no order. */
  sessionsWith(hash: number): readonly number[];
  /** What a session can be found by. */
  block(session: number): Uint32Array;
}

/** The index of these sessions, as bytes to be kept. */
export function encodeRecallIndex(digests: Iterable<SessionDigest>): Uint8Array {
  return anew(Array.from(digests, encodeSession));
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
  const numbers = previous === undefined ? undefined : numbersOf(previous);
  const index = numbers && openWhole(numbers);
  if (numbers === undefined || index === undefined) return anew([...fresh.values()]);
  const before = Array.from({ length: index.sessionCount }, (_, session) => index.block(session));
  const places = new Map(before.map((block, session) => [sessionOf(block), session]));
  const blocks = before.slice();
  const terms: SessionTerms[] = [];
  for (const [id, block] of fresh) {
    const session = places.get(id) ?? blocks.length;
    blocks[session] = block;
    terms.push([session, hashesIn(block)]);
  }
  const isSmaller = [...forgotten].some((id) => places.has(id));
  const postings = isSmaller ? undefined : updatePostings(index.postings(), blocks.length, terms);
  if (postings !== undefined) return join(postings, blocks);
  return anew(blocks.filter((block) => !forgotten.has(sessionOf(block)) || fresh.has(sessionOf(block))));
}

/** Reads what `encodeRecallIndex` made; undefined when it is damaged or of another version. */
export function openRecallIndex(bytes: Uint8Array): RecallIndex | undefined {
  const numbers = numbersOf(bytes);
  return numbers && openWhole(numbers);
}

/** The same, of which only what is needed is read; `length` is how many numbers there are. */
export function readRecallIndex(read: ReadNumbers, length: number): IndexReader | undefined {
  const [magic, version, whole, sessionCount, bucketBits, entryCount] = read(0, HEADER);
  if (magic !== MAGIC || version !== VERSION || whole !== length) return undefined;
  if (sessionCount === undefined || bucketBits === undefined || entryCount === undefined) return undefined;
  if (bucketBits > MOST_BUCKET_BITS) return undefined;
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

/** An index over what reads its numbers. */
export class IndexReader implements RecallIndex {
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

  get places(): number {
    return this.#shape.sessionCount;
  }

  sessionsWith(hash: number): readonly number[] {
    const { bucketBits, sessionCount, entryCount } = this.#shape;
    const bucket = HEADER + (hash & (2 ** bucketBits - 1));
    const [from = 0, to = 0] = this.#read(bucket, bucket + 2);
    const rest = hash >>> bucketBits;
    const mask = 2 ** this.#sessionBits - 1;
    const sessions: number[] = [];
    for (const entry of this.#read(this.#firstEntry + from, this.#firstEntry + Math.min(to, entryCount))) {
      const session = entry & mask;
      if (entry >>> this.#sessionBits === rest && session < sessionCount) sessions.push(session);
    }
    return sessions;
  }

  block(session: number): Uint32Array {
    const { entryCount, length } = this.#shape;
    const place = this.#firstEntry + entryCount + session;
    const [start = 0] = this.#read(place, place + 1);
    const [first] = this.#read(start, start + 1);
    return this.#read(start, start + lengthOfBlock(first, length - start));
  }

  /** All of its postings. */
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

function numbersOf(bytes: Uint8Array): Uint32Array | undefined {
  if (bytes.byteLength % 4 !== 0) return undefined;
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  return new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4);
}

function anew(blocks: readonly Uint32Array[]): Uint8Array {
  const terms = blocks.map((block, session): SessionTerms => [session, hashesIn(block)]);
  return join(makePostings(blocks.length, terms), blocks);
}

function join({ bucketBits, starts, entries }: Postings, blocks: readonly Uint32Array[]): Uint8Array {
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
