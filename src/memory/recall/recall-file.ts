import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock, writeFileAtomic } from '../../files/index.ts';
import type { SessionDigest } from '../digest/session-digest.ts';
import { encodeRecallIndex, openRecallIndex, type RecallIndex, updateRecallIndex } from './recall-index.ts';
import type { RecallMemory, StandingFailure } from './recall-memory.ts';

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

/**
 * Brings the index of a project up to date after its digests were. Its cost follows the sessions that changed,
 * unless the index is missing, damaged or not of these digests: then it is made anew.
 */
export function updateRecallFile(directory: string, digests: DigestSource, change: DigestChange): void {
  if (!change.rebuilt && change.changed.length === 0 && isComplete(directory, digests)) return;
  withLock(join(directory, 'recall.lock'), () => {
    const previous = change.rebuilt ? undefined : readFile(directory);
    const changed = change.changed.map((id) => digests.digest(id)).filter((digest) => digest !== undefined);
    const bytes = previous === undefined ? undefined : updateRecallIndex(previous, changed);
    const isWhole = bytes !== undefined && openRecallIndex(bytes)?.blocks.length === digests.sessionCount;
    writeFileAtomic(join(directory, RECALL_FILE), isWhole ? bytes : encodeRecallIndex(digests.all()));
  });
}

/** The memory of a project, over its kept index. Undefined when there is none: `updateRecallFile` makes it. */
export function openRecallMemory(
  directory: string,
  digests: Pick<DigestSource, 'digest'>,
  failures: readonly StandingFailure[] = [],
): RecallMemory | undefined {
  const index = readIndex(directory);
  return index && { index, failures, digest: (sessionId) => digests.digest(sessionId) };
}

function isComplete(directory: string, digests: DigestSource): boolean {
  return readIndex(directory)?.blocks.length === digests.sessionCount;
}

function readIndex(directory: string): RecallIndex | undefined {
  const bytes = readFile(directory);
  return bytes && openRecallIndex(bytes);
}

function readFile(directory: string): Uint8Array | undefined {
  try {
    return readFileSync(join(directory, RECALL_FILE));
  } catch {
    return undefined;
  }
}
