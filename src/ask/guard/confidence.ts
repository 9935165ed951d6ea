import type { FailureKind, MissingKind } from '../../facts/failure/failure-kinds.ts';
import type { FailureCandidate } from './candidates.ts';
import { type KnownFailure, kindOf, type TrackRecord } from './known-failure.ts';

/** The probability that a call fails again when it was wrong itself: wrong usage, no such package. Measured on recorded sessions. */
const WRONG = 0.9;
/** The same where something that it needs was missing, and the machine cannot be asked. */
const MISSING = 0.82;
/** The same where that, or the project that failed, can be seen to be as it was. */
const UNCHANGED = 0.9;
/** The same where the very call that failed is made again, and no change is known. */
const SAME_CALL_AGAIN = 0.85;

/** What starts and stops, or is built, is believed to be missing for about an hour if it cannot be seen. */
const SHORT_LIVED: ReadonlySet<MissingKind | undefined> = new Set(['path', 'socket', 'port', 'free-port'] as const);
const SHORT_HALF_LIFE_DAYS = 0.5;

/** The same for a call that failed as a whole, by the class of the failure. */
const BY_CLASS: Readonly<Record<KnownFailure['class'], number>> = {
  missing: 0.74,
  usage: 0.74,
  environment: 0.5,
  stale: 0.7,
  unknown: 0.35,
  state: 0.45,
  transient: 0,
};

/** The doubt is multiplied by this for each further session with the same error. */
const DOUBT_PER_SESSION = 0.4;
const DOUBT_WITH_SUGGESTION = 0.8;
const RELAPSE_FACTOR = 0.85;
const EXISTED_BEFORE_FACTOR = 0.85;
const HALF_LIFE_DAYS = 60;
const DAY_MS = 86_400_000;

/** The prior weighs as much as this many warnings. */
const PRIOR_WEIGHT = 12;

/** What is known of a call and a failure that it may run into, besides the two. */
interface Evidence {
  /** Nothing that could change the outcome has happened since the failure; undefined if unknown. */
  readonly isUntouched: boolean | undefined;
  /** The very call that failed is made again, and no change is known. */
  readonly isSameCallAgain: boolean;
  /** How warnings of this kind turned out. */
  readonly record: TrackRecord;
}

/**
 * The probability that a call fails again with the same error. Depends on the kind of failure, in how many sessions it
 * happened, how long ago, how similar the conditions are, and how earlier warnings of the same kind turned out.
 */
export function estimateConfidence(candidate: FailureCandidate, evidence: Evidence): number {
  const { failure } = candidate;
  const { isUntouched, record } = evidence;
  const base = baseConfidence(failure, evidence);
  if (base === 0) return 0;
  let doubt = 1 - base;
  for (let session = 1; session < failure.sessions.length; session++) doubt *= DOUBT_PER_SESSION;
  if (failure.suggestion !== undefined) doubt *= DOUBT_WITH_SUGGESTION;
  let confidence = 1 - doubt;
  if (failure.class !== 'state') confidence *= RELAPSE_FACTOR ** failure.relapses;
  if (failure.existedBefore === true) confidence *= EXISTED_BEFORE_FACTOR;
  const isShortLived = isUntouched !== true && SHORT_LIVED.has(missingKind(failure));
  const halfLife = (isShortLived ? SHORT_HALF_LIFE_DAYS : HALF_LIFE_DAYS) * DAY_MS;
  confidence *= 0.5 ** (Math.max(0, candidate.now - failure.lastAt) / halfLife);
  confidence *= conditionsFactor(candidate);
  return (confidence * PRIOR_WEIGHT + record.right) / (PRIOR_WEIGHT + record.right + record.wrong);
}

function baseConfidence(failure: KnownFailure, { isUntouched, isSameCallAgain }: Evidence): number {
  const kind = kindOf(failure.key);
  if (isUntouched === true && (failure.missing !== undefined || SEEN_KINDS.has(kind))) return UNCHANGED;
  if (failure.missing !== undefined) return MISSING;
  // That one call fails says nothing about other calls of its program.
  if (kind === 'head') return failure.calls < 2 ? 0 : BY_CLASS[failure.class];
  if (kind !== 'call') return failure.class === 'usage' || kind === 'package' ? WRONG : MISSING;
  if (failure.class === 'missing' && !failure.key.startsWith('call:sh')) return WRONG;
  if (failure.class === 'state') return isUntouched === true ? UNCHANGED : BY_CLASS.state;
  // What is missing or belongs to the environment may have come without anybody calling for it.
  const isOfCall = failure.class === 'unknown' || failure.class === 'usage';
  return isSameCallAgain && isOfCall ? SAME_CALL_AGAIN : BY_CLASS[failure.class];
}

/** Kinds of needs that can be seen on the machine. */
const SEEN_KINDS: ReadonlySet<FailureKind> = new Set(['path', 'program', 'access', 'folder'] as const);

function missingKind({ missing }: KnownFailure): MissingKind | undefined {
  return missing?.slice(0, missing.indexOf(':')) as MissingKind | undefined;
}

/** Kinds of failures that another agent or environment may not have. */
const DEPENDS_ON_ENVIRONMENT: ReadonlySet<FailureKind> = new Set([
  'program',
  'setting',
  'head',
  'call',
  'shape',
  'target',
  'service',
] as const);

/** Below 1 if checkout, branch, agent or environment differ from those of the failure. */
function conditionsFactor(candidate: FailureCandidate): number {
  const { failure, sessionId, worktree, agent, branch, circumstances } = candidate;
  const kind = kindOf(failure.key);
  if (kind === 'tool') return failure.sessions.includes(sessionId) ? 1 : 0.4;
  let factor = 1;
  if (!failure.worktrees.includes(worktree)) factor *= 0.97;
  if (failure.branch !== undefined && branch !== undefined && failure.branch !== branch) factor *= 0.99;
  if (DEPENDS_ON_ENVIRONMENT.has(kind)) {
    if (agent !== '' && !failure.agents.includes(agent)) factor *= 0.85;
    if (!isSameSet(failure.circumstances, circumstances))
      factor *= kind === 'call' || kind === 'target' || kind === 'service' ? 0.7 : 0.95;
  }
  return factor;
}

function isSameSet(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name) => b.includes(name));
}
