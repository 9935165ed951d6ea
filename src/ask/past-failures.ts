import { type Action, CHECKS } from '../facts/call/action.ts';
import { omitUndefined } from '../record/object.ts';
import { getOrAdd } from '../record/once.ts';
import type { ProjectRows } from '../store/project-rows.ts';
import { findFix } from './fix.ts';

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
  /** What worked instead; of a check that failed with several errors, none is told. */
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

/** The orders of past failures: most often failed, or failed last. */
export const FAILURE_ORDERS = ['frequent', 'recent'] as const;

type PastFailureOrder = (typeof FAILURE_ORDERS)[number];

/** Options of {@link listPastFailures}. */
export interface PastFailureOptions {
  /** Default `frequent`. */
  readonly order?: PastFailureOrder;
  /** Default: no limit. */
  readonly limit?: number;
}

interface CauseRow {
  readonly what: string;
  readonly class: string;
  readonly count: number;
  readonly sessions: number;
  readonly first: number;
  readonly last: number;
  /** Of the latest failure. */
  readonly document: number;
}

const ORDERS: Readonly<Record<PastFailureOrder, (a: CauseSum, b: CauseSum) => number>> = {
  frequent: (a, b) => b.count - a.count || b.last - a.last || a.document - b.document,
  recent: (a, b) => b.last - a.last || a.document - b.document,
};

type CauseSum = Pick<CauseRow, 'count' | 'first' | 'last' | 'document'>;

/** Lists what the user's own calls failed at, by call as it is shown, wherever it ran, and error. */
export function listPastFailures(rows: ProjectRows, options: PastFailureOptions = {}): PastFailures {
  const { order = 'frequent', limit } = options;
  const { connection, project } = rows;
  // Bare columns beside max() are from the row with the maximum.
  const causes = connection.all<CauseRow>(
    `SELECT call.what, class, count(*) AS count, count(DISTINCT call.session) AS sessions, min(call.at) AS first,
       max(call.at) AS last, call.document
     FROM session JOIN failure ON failure.session = session.id JOIN call ON call.document = failure.document
     WHERE session.project = ? AND session.author IS NULL
     GROUP BY call.what, errorSignature`,
    project,
  );
  const byCall = new Map<string, CauseRow[]>();
  for (const cause of causes) getOrAdd(byCall, cause.what, () => []).push(cause);
  const calls = [...byCall.values()].map((ofCall) => ({ ...sum(ofCall), causes: ofCall.sort(ORDERS[order]) }));
  const listed = calls.sort(ORDERS[order]).slice(0, limit);
  return {
    total: calls.length,
    calls: causes.reduce((count, cause) => count + cause.count, 0),
    failures: listed.map((call) => describe(rows, call)),
  };
}

function sum(causes: readonly CauseRow[]): CauseSum {
  return causes.reduce<CauseSum>(
    (a, b) => ({
      count: a.count + b.count,
      first: Math.min(a.first, b.first),
      ...(b.last > a.last ? { last: b.last, document: b.document } : { last: a.last, document: a.document }),
    }),
    { count: 0, first: Number.POSITIVE_INFINITY, last: Number.NEGATIVE_INFINITY, document: 0 },
  );
}

function describe(rows: ProjectRows, call: CauseSum & { readonly causes: readonly CauseRow[] }): PastFailure {
  const { connection, project } = rows;
  const { count, first, last, document, causes } = call;
  const latest = connection.get<{ readonly what: string; readonly signature: number; readonly action: Action }>(
    'SELECT what, signature, action FROM call WHERE document = ?',
    document,
  );
  // What solved one error of a check solves none of the others.
  const hasOneFix = causes.length === 1 || latest === undefined || !CHECKS.has(latest.action);
  const worked = connection.get(
    "SELECT 1 FROM call WHERE project = ? AND signature = ? AND outcome = 'success' AND at > ? LIMIT 1",
    project,
    latest?.signature ?? 0,
    last,
  );
  return omitUndefined({
    what: latest?.what ?? '',
    count,
    firstAt: toIso(first),
    lastAt: toIso(last),
    fix: hasOneFix ? findFix(rows, document)?.text : undefined,
    hasWorkedSince: worked !== undefined,
    causes: causes.map((cause) => describeCause(rows, cause)),
  });
}

function describeCause({ connection }: ProjectRows, cause: CauseRow): FailureCause {
  const { class: failureClass, count, sessions, first, last, document } = cause;
  const latest = connection.get<{ readonly line: string; readonly session: string }>(
    `SELECT line, session.name AS session FROM failure JOIN session ON session.id = failure.session WHERE document = ?`,
    document,
  );
  return {
    error: latest?.line ?? '',
    class: failureClass,
    count,
    sessions,
    firstAt: toIso(first),
    lastAt: toIso(last),
    sessionId: latest?.session ?? '',
  };
}

function toIso(time: number): string {
  return new Date(time).toISOString();
}
