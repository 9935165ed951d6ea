import { omitUndefined } from '../../record/object.ts';
import { getOrAdd } from '../../record/once.ts';
import { compareText, earlierOf, laterOf } from '../../text/compare-text.ts';
import type { CountedFailure } from '../digest/counts/call-counts.ts';
import type { DigestStore } from '../digest/digest-store.ts';

/** All failures of a project, however old: what failed, how often, and what solved it. */
export interface PastFailures {
  /** Number of commands and paths that failed, before the limit. */
  readonly total: number;
  /** Number of failed calls, as lists of sessions and days count them. */
  readonly calls: number;
  readonly failures: readonly PastFailure[];
}

/** A command or path that failed, with the causes of its failures. */
export interface PastFailure {
  readonly what: string;
  readonly count: number;
  /** ISO 8601, UTC. */
  readonly firstAt: string;
  readonly lastAt: string;
  /** What worked instead. */
  readonly fix?: string;
  /** The same call has worked since. */
  readonly hasWorkedSince: boolean;
  /** In the order of the list. */
  readonly causes: readonly FailureCause[];
}

/** Why something failed. */
export interface FailureCause {
  /** The latest error. */
  readonly error: string;
  readonly class: string;
  readonly count: number;
  /** Number of sessions in which it happened. */
  readonly sessions: number;
  readonly firstAt: string;
  readonly lastAt: string;
  /** The session in which it happened last. */
  readonly sessionId: string;
}

/** The order of past failures: most often failed, or failed last. */
export type PastFailureOrder = 'frequent' | 'recent';

/** Options of {@link listPastFailures}. */
export interface PastFailureOptions {
  /** Default `frequent`. */
  readonly order?: PastFailureOrder;
  /** Default: no limit. */
  readonly limit?: number;
}

/**
 * Lists what failed in a project, by command and cause. Reads neither logs nor digests: the counts, whose size is bounded,
 * have been made from all segments, archived ones included. `fixes`: see `fixesOfCalls()`.
 */
export function listPastFailures(
  { counts }: DigestStore,
  fixes: ReadonlyMap<string, string>,
  options: PastFailureOptions = {},
): PastFailures {
  const { order = 'frequent', limit } = options;
  const byCall = new Map<number | string, CountedFailure[]>();
  for (const failure of counts.failures.toJSON())
    getOrAdd(byCall, failure.signature ?? failure.what, () => []).push(failure);
  const failures = [...byCall.values()].map((causes): PastFailure => {
    const { what, signature } = causes.reduce((a, b) => (b.last > a.last ? b : a));
    const summary = summarise(causes);
    return {
      what,
      ...summary,
      ...omitUndefined({ fix: fixes.get(what) }),
      hasWorkedSince: signature !== undefined && counts.succeeded.hasWorkedSince(signature, summary.lastAt),
      causes: causes.map(toCause).sort(ORDERS[order]),
    };
  });
  return {
    total: failures.length,
    calls: counts.calls.failures,
    failures: failures.sort(ORDERS[order]).slice(0, limit),
  };
}

function toCause(failure: CountedFailure): FailureCause {
  const { error, kind, sessions, sessionId } = failure;
  return { error, class: kind, ...summarise([failure]), sessions, sessionId };
}

type Summary = Pick<PastFailure, 'count' | 'firstAt' | 'lastAt'>;

function summarise(causes: readonly CountedFailure[]): Summary {
  return {
    count: causes.reduce((sum, { count }) => sum + count, 0),
    firstAt: causes.map(({ first }) => first).reduce(earlierOf),
    lastAt: causes.map(({ last }) => last).reduce(laterOf),
  };
}

const ORDERS: Readonly<Record<PastFailureOrder, (a: Summary, b: Summary) => number>> = {
  frequent: (a, b) => b.count - a.count || compareText(b.lastAt, a.lastAt),
  recent: (a, b) => compareText(b.lastAt, a.lastAt),
};
