import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { statIfExists, writeFileAtomic } from '../../files/file-access.ts';
import { withLock } from '../../files/lock.ts';
import type { SessionDigest } from '../digest/session-digest.ts';
import { layeredIndex } from './layered-index.ts';
import { sessionOf } from './recall-block.ts';
import {
  encodeRecallIndex,
  openRecallIndex,
  type RecallIndex,
  readRecallIndex,
  updateRecallIndex,
} from './recall-index.ts';
import type { ActiveFailure, RecallMemory } from './recall-memory.ts';

/** The digests that a kept index is made of, e.g. a `DigestBook`. */
export interface DigestSource {
  readonly sessionCount: number;
  digest(sessionId: string): SessionDigest | undefined;
  all(): Iterable<SessionDigest>;
}

/** What has changed in the digests since the index was written. */
export interface DigestChange {
  readonly changed: readonly string[];
  /** Any digest may be another than before, or gone. */
  readonly rebuilt: boolean;
}

/** The name of the derived file in a project's folder. It is made again from the digests when it is missing. */
export const RECALL_FILE = 'recall.idx';
/** What changed since it was written, in the same form: writing a large file for one session would take long. */
const RECENT_FILE = 'recall.recent';
/** Beyond this, and this part of the other file, it is taken into that. */
const MOST_RECENT = 256 * 1024;
const RECENT_PART = 1 / 32;

/**
 * Brings the index of a project up to date after its digests were. Its cost follows the sessions that changed,
 * unless the index is missing, damaged or not of these digests: then it is made anew.
 */
export function updateRecallFile(directory: string, digests: DigestSource, change: DigestChange): void {
  if (!change.rebuilt && change.changed.length === 0 && isComplete(directory, digests)) return;
  withLock(join(directory, 'recall.lock'), () => {
    const isWhole = !change.rebuilt && putOnTop(directory, digests, change.changed);
    if (isWhole) return;
    rmSync(join(directory, RECENT_FILE), { force: true });
    writeFileAtomic(join(directory, RECALL_FILE), encodeRecallIndex(digests.all()));
  });
}

/** False when the index is not of these digests all the same. */
function putOnTop(directory: string, digests: DigestSource, changed: readonly string[]): boolean {
  const path = join(directory, RECENT_FILE);
  const before = readFile(path);
  if (before !== undefined && openRecallIndex(before) === undefined) return false;
  const recent = updateRecallIndex(before, known(digests, changed));
  const size = statIfExists(join(directory, RECALL_FILE))?.size ?? 0;
  if (recent.length > Math.max(MOST_RECENT, size * RECENT_PART)) return takeIn(directory, digests, recent);
  writeFileAtomic(path, recent);
  return isComplete(directory, digests);
}

/** Takes what lies on top into the index. */
function takeIn(directory: string, digests: DigestSource, recent: Uint8Array): boolean {
  const path = join(directory, RECALL_FILE);
  const bytes = updateRecallIndex(readFile(path), known(digests, sessionsOf(recent)));
  if (openRecallIndex(bytes)?.sessionCount !== digests.sessionCount) return false;
  writeFileAtomic(path, bytes);
  rmSync(join(directory, RECENT_FILE), { force: true });
  return true;
}

function known(digests: DigestSource, sessionIds: readonly string[]): readonly SessionDigest[] {
  return sessionIds.map((id) => digests.digest(id)).filter((digest) => digest !== undefined);
}

function sessionsOf(bytes: Uint8Array): readonly string[] {
  const index = openRecallIndex(bytes);
  return Array.from({ length: index?.sessionCount ?? 0 }, (_, session) =>
    sessionOf(index?.block(session) ?? new Uint32Array()),
  );
}

/**
 * What `work` makes of the memory of a project, over its kept index, of which only what is needed is read. Undefined when
 * there is none: `updateRecallFile` makes it.
 */
export function withRecallMemory<T>(
  directory: string,
  digests: Pick<DigestSource, 'digest'>,
  failures: readonly ActiveFailure[],
  work: (memory: RecallMemory) => T,
): T | undefined {
  return withIndex(directory, (index) =>
    work({ index, failures, digest: (sessionId) => digests.digest(sessionId) }),
  );
}

function isComplete(directory: string, digests: DigestSource): boolean {
  return withIndex(directory, ({ sessionCount }) => sessionCount) === digests.sessionCount;
}

function withIndex<T>(directory: string, work: (index: RecallIndex) => T): T | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(join(directory, RECALL_FILE), 'r');
  } catch {
    return undefined;
  }
  try {
    const { size } = fstatSync(descriptor);
    const base = size % 4 === 0 ? readRecallIndex(numbersIn(descriptor, size / 4), size / 4) : undefined;
    const bytes = base && readFile(join(directory, RECENT_FILE));
    const recent = bytes && openRecallIndex(bytes);
    return base && work(recent === undefined ? base : layeredIndex(base, recent));
  } finally {
    closeSync(descriptor);
  }
}

/** What is beyond the end is left out, whatever is asked for. */
function numbersIn(descriptor: number, length: number): (from: number, to: number) => Uint32Array {
  return (from, to) => {
    const numbers = new Uint32Array(Math.max(0, Math.min(to, length) - from));
    const bytes = new Uint8Array(numbers.buffer);
    const read = bytes.length === 0 ? 0 : readSync(descriptor, bytes, 0, bytes.length, from * 4);
    return read === bytes.length ? numbers : numbers.subarray(0, Math.floor(read / 4));
  };
}

function readFile(path: string): Uint8Array | undefined {
  // A failed read costs far more than looking.
  if (!existsSync(path)) return undefined;
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
