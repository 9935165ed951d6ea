import { type Action, READ_ONLY } from '../facts/call/action.ts';
import { type FailureClass, isWorthTelling } from '../facts/failure/failure-kinds.ts';
import { omitUndefined } from '../record/object.ts';
import { getOrAdd } from '../record/once.ts';
import type { ProjectRows } from '../store/project-rows.ts';
import { compareText } from '../text/compare-text.ts';
import { findFix } from './fix.ts';

/** A call that failed once or several times. */
export interface WorkFailure {
  /** When it last happened. */
  readonly at: string;
  /** Command or path, on one line. */
  readonly what: string;
  /** The line of the output that explains the failure. */
  readonly error: string;
  readonly count: number;
  readonly class: FailureClass;
  /** What worked instead. */
  readonly fix?: string;
  /** When the session solved it: its fix was made, or the same call worked. */
  readonly solvedAt?: string;
  /** What it needs has not been seen to work since, in whatever session. */
  readonly open: boolean;
  /** It is open and worth telling to another session, and the session did nothing after it. */
  readonly isLeftOpen: boolean;
}

/** A call that failed, or one that is worth showing. */
export interface CallRow {
  readonly at: number;
  readonly outcome: string;
  readonly action: Action;
  readonly family: string;
  readonly what: string;
  readonly signature: number;
  readonly request: string | null;
  readonly stepKind: Action | null;
  readonly step: string | null;
  readonly branch: string | null;
  readonly class: FailureClass | null;
  readonly line: string | null;
  readonly document: number;
  /** When a later call of the session solved its failure, or the same call worked. */
  readonly fixedAt: number | null;
  readonly workedAt: number | null;
  readonly missing: string | null;
}

/** The calls of a session that failed or are worth showing, in order of time. */
export function readCalls({ connection }: ProjectRows, session: number): readonly CallRow[] {
  return connection.all<CallRow>(
    `SELECT call.document, call.at, call.outcome, call.action, call.family, call.what, call.signature, call.request, call.stepKind, call.step, call.branch,
       failure.class, failure.line, failure.missing,
       (SELECT max(fixing.at) FROM fix JOIN call AS fixing ON fixing.document = fix.worked WHERE fix.failed = call.document) AS fixedAt,
       CASE WHEN failure.document IS NOT NULL THEN (
         SELECT min(later.at) FROM call AS later WHERE later.session = call.session AND later.at > call.at AND later.outcome = 'success'
           AND CASE WHEN call.family = 'shell' THEN later.signature = call.signature ELSE later.what = call.what END
       ) END AS workedAt
     FROM call LEFT JOIN failure ON failure.document = call.document
     WHERE call.session = ? AND (call.stepKind IS NOT NULL OR failure.document IS NOT NULL)
     ORDER BY call.at, call.document DESC`,
    session,
  );
}

/** Calls that failed, the same ones together. */
export function groupFailures(rows: ProjectRows, calls: readonly CallRow[]): readonly WorkFailure[] {
  const groups = new Map<string, CallRow[]>();
  const lastStepAt = calls.findLast(({ step }) => step !== null)?.at ?? 0;
  for (const call of calls) {
    if (call.class !== null) getOrAdd(groups, `${call.signature} ${call.what}`, () => []).push(call);
  }
  return [...groups.values()].flatMap((group): readonly WorkFailure[] => {
    const last = group.at(-1);
    if (last === undefined || last.class === null || last.class === 'transient' || isAnswer(last)) return [];
    const { at, what, line, document, missing, class: failureClass } = last;
    const solvedAt = last.fixedAt ?? last.workedAt;
    const causes = solvedAt === null ? readStandingCauses(rows, last) : [];
    return [
      omitUndefined({
        at: new Date(at).toISOString(),
        what,
        error: line ?? '',
        count: group.length,
        class: failureClass,
        fix: findFix(rows, document)?.text,
        solvedAt: solvedAt === null ? undefined : new Date(solvedAt).toISOString(),
        open: causes.length > 0,
        isLeftOpen:
          at > lastStepAt && causes.some((cause) => isWorthTelling({ ...cause, class: failureClass, what, missing })),
      }),
    ];
  });
}

/** Whether a call only read or searched something, so that its failure says that there is nothing. */
function isAnswer({ family, action }: CallRow): boolean {
  return family === 'shell' && READ_ONLY.has(action);
}

const MAX_FAILURES = 20;

/** How informative a class of failures is. */
const CLASS_WEIGHTS: Readonly<Partial<Record<FailureClass, number>>> = {
  missing: 3,
  usage: 3,
  environment: 3,
  state: 1,
  stale: 0,
};

/** The failures that say most, in order of time. */
export function selectFailures(groups: readonly WorkFailure[]): readonly WorkFailure[] {
  const weigh = (group: WorkFailure): number =>
    (CLASS_WEIGHTS[group.class] ?? 2) + (group.fix === undefined ? 0 : 2) + (group.open ? 1 : 0);
  return groups
    .toSorted((a, b) => weigh(b) - weigh(a) || compareText(b.at, a.at) || compareText(a.what, b.what))
    .slice(0, MAX_FAILURES)
    .sort((a, b) => compareText(a.at, b.at) || compareText(a.what, b.what));
}

/** What a failed call blames that has not been seen to be there since, and in how many sessions with the same error. */
function readStandingCauses({ connection }: ProjectRows, { document, at }: CallRow): readonly StandingCause[] {
  return connection.all<StandingCause>(
    `SELECT key, (
       SELECT count(DISTINCT other.session) FROM blamed AS other JOIN failure ON failure.document = other.document
       WHERE other.cause = blamed.cause AND failure.errorSignature = (SELECT errorSignature FROM failure WHERE document = blamed.document)
     ) AS sessions
     FROM blamed WHERE document = ? AND NOT EXISTS (SELECT 1 FROM proved WHERE proved.cause = blamed.cause AND proved.last > ?)`,
    document,
    at,
  );
}

interface StandingCause {
  readonly key: string;
  readonly sessions: number;
}
