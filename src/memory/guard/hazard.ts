import type { FailureClass } from '../failure/failure-class.ts';

/** A failure as the guard remembers it. */
export interface FailureOccurrence {
  readonly attemptId: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The line that said what went wrong. */
  readonly line: string;
  readonly errorSignature: string;
  /** The command or path that failed. */
  readonly what: string;
  /** The same without what cannot change its outcome. */
  readonly signature: string;
  /** The request that it served, and its tags. */
  readonly context?: string;
  readonly tags?: readonly string[];
}

/** What worked after a failure. */
export interface Resolution {
  readonly attemptId: string;
  readonly at: number;
  readonly what: string;
}

/**
 * Something that calls need and that was missing when one of them failed: a path, a program, an option, a package, or
 * the call as a whole.
 */
export interface KnownFailure {
  /** `path:src/a.ts`, `option:gh pr diff --stat`, `call:…` */
  readonly key: string;
  readonly class: FailureClass;
  /** The last failure of each family of tools, newest first. */
  readonly evidence: Readonly<Record<string, FailureOccurrence>>;
  readonly lastAt: number;
  /** Failures since it last worked. */
  readonly count: number;
  /** Sessions in which it failed with the same error since it last worked, newest last, a few. */
  readonly sessions: readonly string[];
  /** Checkouts, agents and branches it failed in, newest last, a few. */
  readonly worktrees: readonly string[];
  readonly agents: readonly string[];
  readonly branch?: string;
  /** Names of settings and wrappers of the call that failed last. */
  readonly circumstances: readonly string[];
  /** The signature of the edit, where only the same edit fails. */
  readonly detail?: string;
  /** Files that the error names, where the project itself failed. */
  readonly subjects?: readonly string[];
  /** What the tool itself proposed. */
  readonly suggestion?: string;
  /** When a call proved that it is there. */
  readonly endedAt?: number;
  /** It had been there before it was missing: a path that other branches or checkouts have. */
  readonly wasThere?: boolean;
  /** How often it failed again after it had worked. */
  readonly relapses: number;
  readonly resolution?: Resolution;
}

/** How the warnings of one kind ended: the calls went wrong, or they went well. */
export interface TrackRecord {
  readonly right: number;
  readonly wrong: number;
}

/** The kind of thing a hazard is about: the part of its key before the colon. */
export function kindOf(key: string): string {
  return key.slice(0, key.indexOf(':'));
}

/** Whether a value read from a log is a hazard. */
export function isKnownFailure(value: unknown): value is KnownFailure {
  if (typeof value !== 'object' || value === null) return false;
  const { key, class: kind, evidence, ...rest } = value as Partial<KnownFailure>;
  if (typeof key !== 'string' || typeof kind !== 'string') return false;
  if (typeof evidence !== 'object' || evidence === null || Object.keys(evidence).length === 0) return false;
  return (
    [rest.sessions, rest.worktrees, rest.agents, rest.circumstances].every(Array.isArray) &&
    [rest.lastAt, rest.count, rest.relapses].every(Number.isFinite)
  );
}

/** Whether nothing has proved yet that it is there. */
export function isUnresolved(hazard: KnownFailure): boolean {
  return (hazard.endedAt ?? 0) < hazard.lastAt;
}

/** The newest failure; of this family of tools, where there is one. */
export function latestOccurrence(hazard: KnownFailure, family?: string): FailureOccurrence | undefined {
  const own = family === undefined ? undefined : hazard.evidence[family];
  if (own !== undefined) return own;
  return Object.values(hazard.evidence).reduce((a, b) => (b.at > a.at ? b : a));
}
