import { textHash } from '../../record/id.ts';
import type { SessionDigest } from '../digest/session-digest.ts';
import { addTags, addTerms, type Terms } from './terms.ts';

/*
 * The terms of one session as 32-bit numbers, which need no parsing:
 *   block    length, end of the session (minutes), length of its id (bytes), id, passages
 *   passage  number of entries, entries: hash of a term (29 bits) and its strength (3 bits)
 */
const BLOCK_HEADER = 3;
const STRENGTH_BITS = 3;
const MAX_STRENGTH = 2 ** STRENGTH_BITS - 1;
const MINUTE = 60_000;

/** Encodes the terms of a session. */
export function encodeSession(digest: SessionDigest): Uint32Array {
  const id = Buffer.from(digest.sessionId);
  const padded = Buffer.alloc(Math.ceil(id.length / 4) * 4);
  id.copy(padded);
  const ended = Date.parse(digest.endedAt);
  const numbers = [0, Number.isNaN(ended) || ended < 0 ? 0 : Math.floor(ended / MINUTE), id.length];
  for (let at = 0; at < padded.length; at += 4) numbers.push(padded.readUInt32LE(at));
  for (const terms of collectPassages(digest)) {
    numbers.push(terms.size);
    for (const [term, strength] of terms) {
      const level = Math.max(1, Math.round(strength * MAX_STRENGTH));
      numbers.push(((termHash(term) << STRENGTH_BITS) | level) >>> 0);
    }
  }
  numbers[0] = numbers.length;
  return Uint32Array.from(numbers);
}

/** When the session of a block ended, in epoch milliseconds. */
export function blockEndTime(block: Uint32Array): number {
  return (block[1] ?? 0) * MINUTE;
}

/** The id of the session of a block. */
export function blockSessionId(block: Uint32Array): string {
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
  return bytes.toString('utf8', BLOCK_HEADER * 4, BLOCK_HEADER * 4 + (block[2] ?? 0));
}

/** The entries of each passage of a block, in their order. */
export function* blockPassages(block: Uint32Array): Generator<Uint32Array> {
  const first = BLOCK_HEADER + Math.ceil((block[2] ?? 0) / 4);
  for (let at = first; at < block.length; ) {
    const end = Math.min(block.length, at + 1 + (block[at] ?? 0));
    yield block.subarray(at + 1, end);
    at = end;
  }
}

/** The hash by which a session is found by its id. It differs from those of terms. */
export function sessionIdHash(sessionId: string): number {
  return termHash(`\0${sessionId}`);
}

/** The distinct hashes of all terms of a block and of its session id. */
export function blockHashes(block: Uint32Array): Iterable<number> {
  const hashes = new Set<number>([sessionIdHash(blockSessionId(block))]);
  for (const passage of blockPassages(block)) for (const entry of passage) hashes.add(entryHash(entry));
  return hashes;
}

/** The hash of an entry. */
export function entryHash(entry: number): number {
  return entry >>> STRENGTH_BITS;
}

/** The strength of an entry, above 0 and at most 1. */
export function entryStrength(entry: number): number {
  return (entry & MAX_STRENGTH) / MAX_STRENGTH;
}

/** The length of a block by its first number; 0 if it is invalid. */
export function blockLength(first: number | undefined, room: number): number {
  return first !== undefined && first >= BLOCK_HEADER && first <= room ? first : 0;
}

/** How well each part of a digest says what was done. */
const STRENGTHS = { decision: 1, request: 1, step: 0.8, branch: 0.8, file: 0.6, failure: 0.6 } as const;

/** The terms of a session: one passage for each request with its steps, and one for commits, files and failures. */
function collectPassages(digest: SessionDigest): readonly Terms[] {
  const passages = digest.requests.map((request) => {
    const terms: Terms = new Map();
    addTerms(terms, request.text, STRENGTHS.request);
    addTags(terms, request.tags, STRENGTHS.step);
    if (request.decision !== undefined) addTerms(terms, request.decision, STRENGTHS.decision);
    for (const step of request.steps) {
      const isCommit = step.kind === 'commit';
      addTerms(terms, step.text, isCommit ? STRENGTHS.decision : STRENGTHS.step, isCommit);
    }
    return terms;
  });
  const whole: Terms = new Map();
  if (digest.branch !== undefined) addTerms(whole, digest.branch, STRENGTHS.branch);
  for (const commit of digest.commits) addTerms(whole, commit.message, STRENGTHS.decision);
  for (const file of digest.files) addTerms(whole, file, STRENGTHS.file, false);
  for (const failure of digest.failures) {
    addTerms(whole, failure.what, STRENGTHS.failure, false);
    if (failure.resolution !== undefined) addTerms(whole, failure.resolution, STRENGTHS.failure, false);
  }
  return [...passages, whole];
}

/** The number of bits of a hash; the remaining bits of an entry hold its strength. */
export const HASH_BITS = 29;
const HASHES = 2 ** HASH_BITS;

/** The hash of a term. Collisions are rare among the few thousand terms of a project, and then a wrong word counts. */
export function termHash(term: string): number {
  return textHash(term) % HASHES;
}
