import { describeAttempt } from '../../facts/call/command-text.ts';
import { textHash } from '../../record/id.ts';
import type { ProjectRows } from '../../store/project-rows.ts';
import { formatCount } from '../../text/format-count.ts';
import { quote } from '../../text/recorded-text.ts';
import type { AskedCall } from './asked-call.ts';
import type { FailureRows } from './failure-rows.ts';
import { isMemory, isStanding, type KnownFailure, latestOccurrence } from './known-failure.ts';

const DAY_MS = 86_400_000;
const MAX_LINE_CHARS = 160;

/** What is asked of a guard. */
interface GuardRows {
  readonly rows: ProjectRows;
  readonly own: FailureRows;
  readonly lookbackDays: number;
}

interface FailedBefore {
  readonly count: number;
  readonly last: number;
  readonly document: number;
}

/**
 * What is known of a call that there is no warning of: how often it failed, and why that is not held against it. Undefined if it
 * never failed. Counts as {@link listPastFailures} does.
 */
export function explainSilence(guard: GuardRows, asked: AskedCall, now: number): string | undefined {
  const { connection, project } = guard.rows;
  // Bare columns beside max() are from the row with the maximum.
  const failed = connection.get<FailedBefore>(
    `SELECT count(*) AS count, max(call.at) AS last, call.document AS document FROM call JOIN session ON session.id = call.session
     WHERE call.project = ? AND call.what = ? AND call.outcome = 'failure' AND session.author IS NULL`,
    project,
    describeAttempt(asked.fields),
  );
  if (failed === undefined || failed.count === 0) return undefined;
  const line = connection.get<{ readonly line: string }>(
    'SELECT line FROM failure WHERE document = ?',
    failed.document,
  );
  const worked = connection.get<{ readonly at: number }>(
    "SELECT max(at) AS at FROM call WHERE project = ? AND signature = ? AND outcome = 'success' AND at > ?",
    project,
    textHash(asked.analysis.signature),
    failed.last,
  );
  const keys = connection.all<{ readonly key: string }>('SELECT key FROM blamed WHERE document = ?', failed.document);
  const [failure] = keys.flatMap(({ key }) => guard.own.failure(key) ?? []);
  const error = line?.line ? `: ${quote(line.line, MAX_LINE_CHARS)}` : '';
  const reason = worked?.at ? `it worked on ${dayOf(worked.at)}` : whyNot(guard, failure, now);
  return `This failed ${formatCount(failed.count, 'time')}, last on ${dayOf(failed.last)}${error}. No warning: ${reason}.`;
}

/** Why there are no active warnings, as what follows a colon. */
export function explainNoWarnings({ rows, lookbackDays }: GuardRows, now: number): string {
  const { at } = rows.connection.get<{ readonly at: number | null }>(
    `SELECT max(call.at) AS at FROM session JOIN failure ON failure.session = session.id JOIN call ON call.document = failure.document
     WHERE session.project = ? AND session.author IS NULL`,
    rows.project,
  ) ?? { at: null };
  if (at === null) return 'no failure is recorded';
  if (now - at > lookbackDays * DAY_MS)
    return `the last failure was on ${dayOf(at)}, more than ${formatCount(lookbackDays, 'day')} ago`;
  return 'what failed lately has worked since, or is not likely to fail again';
}

function whyNot(guard: GuardRows, failure: KnownFailure | undefined, now: number): string {
  if (failure === undefined) return 'the cause is not known';
  if (guard.own.choice(failure.key) === 'dismiss') return 'it was dismissed';
  if (!isStanding(failure)) return 'what it needs has worked since';
  const { lookbackDays } = guard;
  if (now - failure.lastAt > lookbackDays * DAY_MS) return `that was more than ${formatCount(lookbackDays, 'day')} ago`;
  if (failure.class === 'state') return 'it checks work that may have changed since';
  if (latestOccurrence(failure)?.line === '') return 'it gave no error that says why';
  if (!isMemory(failure)) return 'its cause usually goes away by itself';
  return 'it is not likely enough to fail again';
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
