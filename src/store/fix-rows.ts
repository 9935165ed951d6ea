import { FIX_WINDOW_MS, findFixingCalls } from '../facts/fix.ts';
import type { FailedCall, TriedCall } from '../facts/same-job.ts';
import type { Connection, ReadConnection } from './connection.ts';

interface CallRow extends TriedCall {
  readonly document: number;
  readonly outcome: string;
}

interface FailureRow {
  readonly class: FailedCall['class'];
  readonly line: string;
  readonly missing: string | null;
  readonly subjects: string;
  readonly suggestion: string | null;
}

const CALLS = `SELECT document, at, outcome, what, family, action, coalesce(path, '') AS path, signature,
  coalesce(request, '') AS request FROM call`;

/** Finds again what solved the failures that a call of that time or later may have solved. `into`: see `FactRows.save`. */
export function saveFixes(connection: Connection, session: number, since: number, into: string): void {
  const start = since - FIX_WINDOW_MS;
  connection.run(
    `DELETE FROM ${into}fix WHERE failed IN (SELECT document FROM call WHERE session = ? AND at >= ?)`,
    session,
    start,
  );
  const hasFailed = connection.get(
    "SELECT 1 FROM call WHERE session = ? AND at >= ? AND outcome = 'failure' LIMIT 1",
    session,
    start,
  );
  if (hasFailed === undefined) return;
  const calls = readCalls(connection, session, start, Number.MAX_SAFE_INTEGER);
  for (const [index, call] of calls.entries()) {
    const failed = toFailedCall(connection, call);
    if (failed === undefined) continue;
    const later = calls
      .slice(index + 1)
      .filter(({ at, outcome }) => outcome === 'success' && at - call.at <= FIX_WINDOW_MS);
    for (const { document } of findFixingCalls(failed, later, { provenAt: provenAt(connection, call, session) }))
      connection.run(`INSERT INTO ${into}fix VALUES (?, ?, ?)`, call.document, session, document);
  }
}

/** Calls that may have solved a failure. */
interface LaterCalls {
  readonly session: number;
  readonly from: number;
  readonly until: number;
  /** The session met the failure, or was warned of it. */
  readonly hasMet: boolean;
}

/** What solved a failure in another session, or much later: the documents of the calls, of those between two times. */
export function findLaterFix(
  connection: ReadConnection,
  document: number,
  { session, from, until, hasMet }: LaterCalls,
): readonly number[] {
  const call = connection.get<CallRow>(`${CALLS} WHERE document = ?`, document);
  const failed = call && toFailedCall(connection, call);
  if (failed === undefined) return [];
  const worked = readCalls(connection, session, from, until).filter(({ outcome }) => outcome === 'success');
  return findFixingCalls(failed, worked, { hasMet }).map((each) => each.document);
}

function readCalls(connection: ReadConnection, session: number, from: number, until: number): readonly CallRow[] {
  return connection.all<CallRow>(
    `${CALLS} WHERE session = ? AND at >= ? AND at <= ? ORDER BY at, what, signature`,
    session,
    from,
    until,
  );
}

/** One query for each table: where rows are overlaid, SQLite joins tables by reading them whole. */
function toFailedCall(connection: ReadConnection, call: CallRow): FailedCall | undefined {
  if (call.outcome !== 'failure') return undefined;
  const failure = connection.get<FailureRow>(
    'SELECT class, line, missing, subjects, suggestion FROM failure WHERE document = ?',
    call.document,
  );
  if (failure === undefined) return undefined;
  const causes = connection.all<{ readonly key: string }>('SELECT key FROM blamed WHERE document = ?', call.document);
  return {
    ...call,
    ...failure,
    causes: causes.map(({ key }) => key),
    missing: failure.missing ?? undefined,
    subjects: failure.subjects.split(' '),
    suggestion: failure.suggestion ?? undefined,
  };
}

/** When a call of the session first showed that a cause is absent, if none had before the failure. */
function provenAt(connection: ReadConnection, { document, at }: CallRow, session: number): number {
  const proofs = connection.all<{ readonly first: number }>(
    `SELECT min(first) AS first FROM proved WHERE session = ?
       AND cause IN (SELECT cause FROM blamed WHERE document = ? AND key NOT GLOB 'head:*') GROUP BY cause`,
    session,
    document,
  );
  return Math.min(...proofs.map(({ first }) => first).filter((first) => first > at));
}
