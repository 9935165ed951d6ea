import { closeSync, existsSync, fstatSync, readSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openFile, readBytes, statIfExists, writeFileAtomic } from '../../files/file-access.ts';
import { withLock } from '../../files/lock.ts';
import type { DigestStore, DigestUpdate } from '../digest/digest-store.ts';
import type { SessionDigest, SessionFailure } from '../digest/session-digest.ts';
import {
  encodeRecallIndex,
  openRecallIndex,
  overlayIndex,
  type RecallIndex,
  readRecallIndex,
  updateRecallIndex,
} from './recall-index.ts';
import { blockSessionId } from './session-block.ts';

/** The digests that an index is made from. */
type DigestSource = Pick<DigestStore, 'sessionCount' | 'digest' | 'all'>;

/** The snapshot of the index in a project's folder; rebuilt from the digests when it is missing. */
export const RECALL_FILE = 'recall.idx';
/** Later changes in the same format, so that a large file need not be written for one session. */
const RECENT_FILE = 'recall.recent';
/** Beyond this size and this share of the snapshot, the changes are merged into it. */
const MAX_RECENT_BYTES = 256 * 1024;
const MAX_RECENT_SHARE = 1 / 32;

/**
 * Updates the index of a project after its digests. Costs depend on the sessions that changed, unless the index is
 * missing, damaged or not of these digests: then it is rebuilt.
 */
export function updateRecallSnapshot(
  directory: string,
  digests: DigestSource,
  change: Pick<DigestUpdate, 'changed' | 'rebuilt'>,
): void {
  if (!change.rebuilt && change.changed.length === 0 && isComplete(directory, digests)) return;
  withLock(join(directory, 'recall.lock'), () => {
    if (!change.rebuilt && updateRecent(directory, digests, change.changed)) return;
    rmSync(join(directory, RECENT_FILE), { force: true });
    writeFileAtomic(join(directory, RECALL_FILE), encodeRecallIndex(digests.all()));
  });
}

/** Returns whether the index is complete then. */
function updateRecent(directory: string, digests: DigestSource, changed: readonly string[]): boolean {
  const path = join(directory, RECENT_FILE);
  const before = readFile(path);
  if (before !== undefined && openRecallIndex(before) === undefined) return false;
  const recent = updateRecallIndex(before, readDigests(digests, changed));
  const size = statIfExists(join(directory, RECALL_FILE))?.size ?? 0;
  if (recent.length > Math.max(MAX_RECENT_BYTES, size * MAX_RECENT_SHARE))
    return mergeRecent(directory, digests, recent);
  writeFileAtomic(path, recent);
  return isComplete(directory, digests);
}

/** Merges the recent changes into the snapshot. Returns whether the index is complete then. */
function mergeRecent(directory: string, digests: DigestSource, recent: Uint8Array): boolean {
  const path = join(directory, RECALL_FILE);
  const bytes = updateRecallIndex(readFile(path), readDigests(digests, sessionIdsIn(recent)));
  if (openRecallIndex(bytes)?.sessionCount !== digests.sessionCount) return false;
  writeFileAtomic(path, bytes);
  rmSync(join(directory, RECENT_FILE), { force: true });
  return true;
}

function readDigests(digests: DigestSource, sessionIds: readonly string[]): readonly SessionDigest[] {
  return sessionIds.map((id) => digests.digest(id)).filter((digest) => digest !== undefined);
}

function sessionIdsIn(bytes: Uint8Array): readonly string[] {
  const index = openRecallIndex(bytes);
  return Array.from({ length: index?.sessionCount ?? 0 }, (_, session) =>
    blockSessionId(index?.block(session) ?? new Uint32Array()),
  );
}

/** Calls `work` with the memory of a project over its snapshot, reading only what is needed. Undefined without one. */
export function withRecallMemory<T>(
  directory: string,
  digests: Pick<DigestSource, 'digest'>,
  failures: readonly ActiveFailure[],
  work: (memory: RecallMemory) => T,
): T | undefined {
  return withIndex(directory, (index) => work({ index, failures, digest: (sessionId) => digests.digest(sessionId) }));
}

function isComplete(directory: string, digests: DigestSource): boolean {
  return withIndex(directory, ({ sessionCount }) => sessionCount) === digests.sessionCount;
}

function withIndex<T>(directory: string, work: (index: RecallIndex) => T): T | undefined {
  let descriptor: number;
  try {
    descriptor = openFile(join(directory, RECALL_FILE));
  } catch {
    return undefined;
  }
  try {
    const { size } = fstatSync(descriptor);
    const base = size % 4 === 0 ? readRecallIndex(numberReader(descriptor, size / 4), size / 4) : undefined;
    const bytes = base && readFile(join(directory, RECENT_FILE));
    const recent = bytes && openRecallIndex(bytes);
    return base && work(recent === undefined ? base : overlayIndex(base, recent));
  } finally {
    closeSync(descriptor);
  }
}

/** Reads ranges of a file, truncated at its end. */
function numberReader(descriptor: number, length: number): (from: number, to: number) => Uint32Array {
  return (from, to) => {
    const numbers = new Uint32Array(Math.max(0, Math.min(to, length) - from));
    const bytes = new Uint8Array(numbers.buffer);
    const read = bytes.length === 0 ? 0 : readSync(descriptor, bytes, 0, bytes.length, from * 4);
    return read === bytes.length ? numbers : numbers.subarray(0, Math.floor(read / 4));
  };
}

function readFile(path: string): Uint8Array | undefined {
  // A failed read takes much longer than this check.
  if (!existsSync(path)) return undefined;
  try {
    return readBytes(path);
  } catch {
    return undefined;
  }
}

/** The fields of an active failure that recall needs. */
export interface ActiveFailure extends Pick<SessionFailure, 'at' | 'what' | 'error'> {
  readonly sessionId: string;
  /** What worked instead. */
  readonly resolution?: string | undefined;
  /** The request it served. */
  readonly context?: string;
  /** Looked up only if it matches a prompt. Default true. */
  readonly isActive?: boolean;
}

/** The memory that recall searches: a small interface over the digests of a project. */
export interface RecallMemory {
  /** The index over all sessions, so that only digests that are shown are read. */
  readonly index: RecallIndex;
  /** The digest of a session, if it still exists. */
  digest(sessionId: string): SessionDigest | undefined;
  /** Active failures, the newest last. Default: none. */
  readonly failures?: readonly ActiveFailure[];
}

/** Creates a memory over digests. */
export function createRecallMemory(
  digests: Iterable<SessionDigest>,
  failures: readonly ActiveFailure[] = [],
): RecallMemory {
  const byId = new Map(Array.from(digests, (digest) => [digest.sessionId, digest]));
  const index = openRecallIndex(encodeRecallIndex(byId.values()));
  if (index === undefined) throw new TypeError('A new index must be readable');
  return { index, failures, digest: (sessionId) => byId.get(sessionId) };
}
