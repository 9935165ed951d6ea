import { type KnownFailure, kindOf, type TrackRecord } from './hazard.ts';
import type { Situation } from './liveness.ts';

/**
 * How likely a call fails again when it needs something that was missing before, by the kind of thing. From recorded
 * sessions; see docs/guard.md.
 */
const BY_KIND: Readonly<Record<string, number>> = {
  path: 0.82,
  file: 0.9,
  whole: 0.92,
  text: 0.85,
  program: 0.8,
  option: 0.94,
  subcommand: 0.9,
  setting: 0.85,
  package: 0.9,
  version: 0.85,
  stage: 0.86,
  shape: 0.8,
  merge: 0.8,
  field: 0.92,
  pattern: 0.9,
  tool: 0.85,
};

/** The same for a call as a whole, by the class of its failure. */
const BY_CLASS: Readonly<Record<KnownFailure['class'], number>> = {
  missing: 0.74,
  usage: 0.74,
  environment: 0.5,
  stale: 0.7,
  unknown: 0.35,
  state: 0.45,
  transient: 0,
};

/** The project failed, and neither it nor the files that the error names have changed since. */
const UNTOUCHED = 0.9;

/** The editing tools' own rules. */
const BY_RULE: Readonly<Record<string, number>> = { read: 0.88, idle: 0.97 };

/** A session more with the same error takes this share of the doubt away. */
const PER_SESSION = 0.4;
const PER_RELAPSE = 0.85;
const WAS_THERE = 0.85;
const HALF_LIFE_DAYS = 60;
const DAY_MS = 86_400_000;

/** So many warnings weigh as much as what is known beforehand. */
const PRIOR_WEIGHT = 12;

/**
 * The probability that a call fails again with the same error: what is known of such failures in general, how often and
 * in how many sessions this one happened, how long ago, under which circumstances, and how warnings of this kind ended.
 */
export function confidenceIn(
  situation: Situation,
  untouched: boolean | undefined,
  record: TrackRecord,
): number {
  const { hazard } = situation;
  let doubt = 1 - baseOf(hazard, untouched);
  for (let session = 1; session < hazard.sessions.length; session++) doubt *= PER_SESSION;
  if (hazard.suggestion !== undefined) doubt *= 0.8;
  let confidence = 1 - doubt;
  if (hazard.class !== 'state') confidence *= PER_RELAPSE ** hazard.relapses;
  if (hazard.wasThere === true) confidence *= WAS_THERE;
  confidence *= 0.5 ** (Math.max(0, situation.now - hazard.lastAt) / (HALF_LIFE_DAYS * DAY_MS));
  confidence *= likeness(situation);
  return (confidence * PRIOR_WEIGHT + record.right) / (PRIOR_WEIGHT + record.right + record.wrong);
}

function baseOf(hazard: KnownFailure, untouched: boolean | undefined): number {
  const kind = kindOf(hazard.key);
  if (kind === 'rule') return BY_RULE[hazard.key.slice(5).split(' ', 1)[0] ?? ''] ?? 0;
  if (kind === 'head') return hazard.count < 2 ? 0 : BY_CLASS[hazard.class];
  if (kind !== 'call') return BY_KIND[kind] ?? 0;
  if (hazard.class === 'missing' && !hazard.key.startsWith('call:sh')) return 0.9;
  return hazard.class === 'state' && untouched === true ? UNTOUCHED : BY_CLASS[hazard.class];
}

/** What differs from where it failed makes it less certain. */
function likeness({ hazard, sessionId, worktree, agent, branch, circumstances }: Situation): number {
  const kind = kindOf(hazard.key);
  const isHere = hazard.sessions.includes(sessionId);
  if (kind === 'tool') return isHere ? 1 : 0.4;
  let likeness = 1;
  if (!hazard.worktrees.includes(worktree)) likeness *= 0.97;
  if (hazard.branch !== undefined && branch !== undefined && hazard.branch !== branch) likeness *= 0.99;
  if (['program', 'setting', 'head', 'call', 'shape'].includes(kind)) {
    if (agent !== '' && !hazard.agents.includes(agent)) likeness *= 0.85;
    if (!sameNames(hazard.circumstances, circumstances)) likeness *= kind === 'call' ? 0.7 : 0.95;
  }
  return likeness;
}

function sameNames(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name) => b.includes(name));
}
