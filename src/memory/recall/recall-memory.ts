import type { SessionDigest } from '../digest/session-digest.ts';
import { encodeRecallIndex, openRecallIndex, type RecallIndex } from './recall-index.ts';

/** A failure that still stands, as far as recall needs it. */
export interface ActiveFailure {
  readonly at: string;
  readonly sessionId: string;
  /** Command or path. */
  readonly what: string;
  readonly error: string;
  /** The request it served. */
  readonly context?: string;
  /** What worked instead. */
  readonly resolution?: string;
}

/** What recall looks into: a small interface over the digests of a project. */
export interface RecallMemory {
  /** Of all sessions; with it no digest is read but the one that is shown. */
  readonly index: RecallIndex;
  /** The digest of a session; undefined when it is gone. */
  digest(sessionId: string): SessionDigest | undefined;
  /** Failures that would happen again, the newest last. Default: none. */
  readonly failures?: readonly ActiveFailure[];
}

/** A memory over digests that are at hand. */
export function createRecallMemory(
  digests: Iterable<SessionDigest>,
  failures: readonly ActiveFailure[] = [],
): RecallMemory {
  const byId = new Map(Array.from(digests, (digest) => [digest.sessionId, digest]));
  const index = openRecallIndex(encodeRecallIndex(byId.values()));
  if (index === undefined) throw new TypeError('an index that was just made can be read');
  return { index, failures, digest: (sessionId) => byId.get(sessionId) };
}
