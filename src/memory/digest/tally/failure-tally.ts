import type { Attempt } from '../../../record/index.ts';
import { isLook } from '../digest-failures.ts';
import type { DigestedFailure } from '../failure-fold.ts';
import { shortHash, signatureHash } from '../short-hash.ts';
import type { BoundedTally, Counted } from './bounded-tally.ts';

/** A call that failed for a reason that does not pass by itself. */
export interface CountedFailure extends Counted {
  readonly what: string;
  readonly isCommand: boolean;
  /** Hash of the call's signature. */
  readonly signature?: number;
  readonly kind: string;
  /** Of the last time. */
  error: string;
  sessionId: string;
}

/** Classes of failures that tell something of the project, not of the state of the work. */
const LASTING: ReadonlySet<string> = new Set(['missing', 'usage', 'environment']);

/** Counts a failure that is worth knowing: by call and by kind of error. */
export function countFailure(
  tally: BoundedTally<CountedFailure>,
  attempt: Attempt,
  { what, error }: DigestedFailure,
): void {
  const { kind, signature, command } = attempt;
  if (kind === undefined || !LASTING.has(kind)) return;
  const isCommand = command !== undefined;
  if (isLook({ what, isCommand })) return;
  const key = shortHash(`${signature ?? what}\n${attempt.errorSignature ?? error}`);
  const entry = tally.count(key, attempt.timestamp, attempt.sessionId, (counted) => ({
    ...counted,
    what,
    isCommand,
    ...(signature === undefined ? {} : { signature: signatureHash(signature) }),
    kind,
    error,
    sessionId: attempt.sessionId,
  }));
  entry.error = error;
  entry.sessionId = attempt.sessionId;
}
