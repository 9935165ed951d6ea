import { FIX_WINDOW_MS, findFixingCalls } from '../facts/fix.ts';
import type { FailedCall, TriedCall } from '../facts/same-job.ts';
import type { Connection, ReadConnection } from './connection.ts';

/** A call of a session, with why it failed if it did. */
interface CallRow extends TriedCall {
  readonly document: number;
  readonly outcome: string;
  readonly class: FailedCall['class'] | null;
  readonly line: string;
  readonly missing: string | null;
  readonly subjects: string;
  readonly suggestion: string | null;
}

const SELECT = `SELECT call.document, at, outcome, what, family, action,
  coalesce(path, '') AS path, call.signature, coalesce(request, '') AS request, class, line, missing, subjects, suggestion FROM call LEFT JOIN failure ON failure.document = call.document`;

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
    for (const { document } of findFixingCalls(failed, later, provenAt(connection, call, session)))
      connection.run(`INSERT INTO ${into}fix VALUES (?, ?, ?)`, call.document, session, document);
  }
}

/** What solved a failure in another session, or much later: the documents of the calls, of those between two times. */
export function findLaterFix(
  connection: ReadConnection,
  document: number,
  { session, from, until }: { readonly session: number; readonly from: number; readonly until: number },
): readonly number[] {
  const call = connection.get<CallRow>(`${SELECT} WHERE call.document = ?`, document);
  const failed = call && toFailedCall(connection, call);
  if (failed === undefined) return [];
  const worked = readCalls(connection, session, from, until).filter(({ outcome }) => outcome === 'success');
  return findFixingCalls(failed, worked).map((each) => each.document);
}

function readCalls(connection: ReadConnection, session: number, from: number, until: number): readonly CallRow[] {
  return connection.all<CallRow>(
    `${SELECT} WHERE call.session = ? AND at >= ? AND at <= ? ORDER BY at, what, call.signature`,
    session,
    from,
    until,
  );
}

function toFailedCall(connection: ReadConnection, call: CallRow): FailedCall | undefined {
  if (call.class === null) return undefined;
  const causes = connection.all<{ readonly key: string }>('SELECT key FROM blamed WHERE document = ?', call.document);
  return {
    ...call,
    class: call.class,
    causes: causes.map(({ key }) => key),
    missing: call.missing ?? undefined,
    subjects: call.subjects.split(' '),
    suggestion: call.suggestion ?? undefined,
  };
}

/** When a call of the session first showed that a cause is absent, if none had before the failure. */
function provenAt(connection: ReadConnection, { document, at }: CallRow, session: number): number {
  const proofs = connection.all<{ readonly first: number }>(
    `SELECT min(first) AS first FROM blamed JOIN proved ON proved.cause = blamed.cause
     WHERE blamed.document = ? AND proved.session = ? AND blamed.key NOT GLOB 'head:*' GROUP BY blamed.cause`,
    document,
    session,
  );
  return Math.min(...proofs.map(({ first }) => first).filter((first) => first > at));
}
