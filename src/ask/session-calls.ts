import type { Action } from '../facts/call/action.ts';
import { omitUndefined } from '../record/object.ts';
import type { ProjectRows } from '../store/project-rows.ts';

/** A call and when it ended. */
interface LaterCall {
  /** The id of its record. */
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
}

/** What is known of a tool call of a session. */
export interface KnownCall {
  readonly action: Action;
  /** The line of a failed call's output that explains the failure. */
  readonly error?: string;
  /** The later call of the session that did the job of this failed one, or provided what it lacked. */
  readonly fix?: LaterCall;
  /** The next time in the session that the same call worked after it had failed. */
  readonly workedAgain?: LaterCall;
}

interface CallRow {
  readonly id: string;
  readonly at: number;
  readonly outcome: string;
  readonly action: Action;
  readonly signature: number;
  readonly line: string | null;
  readonly fixId: string | null;
  readonly fixAt: number | null;
}

/** The tool calls of a session by the ids of their records. */
export function callsOfSession({ connection, project }: ProjectRows, session: string): ReadonlyMap<string, KnownCall> {
  const rows = connection.all<CallRow>(
    `SELECT call.id, call.at, call.outcome, call.action, call.signature, failure.line, fixing.id AS fixId, fixing.at AS fixAt
     FROM session JOIN call ON call.session = session.id LEFT JOIN failure ON failure.document = call.document
     LEFT JOIN fix ON fix.failed = call.document LEFT JOIN call AS fixing ON fixing.document = fix.worked
     WHERE session.project = ? AND session.name = ? ORDER BY call.document`,
    project,
    session,
  );
  const worked = new Map<number, LaterCall>();
  const known = new Map<string, KnownCall>();
  // The latest first, so that the next time that a call worked is known.
  for (const { id, at, outcome, action, signature, line, fixId, fixAt } of rows) {
    const fix = fixId === null || fixAt === null ? undefined : toLaterCall(fixId, fixAt);
    const workedAgain = outcome === 'failure' ? worked.get(signature) : undefined;
    known.set(id, { action, ...omitUndefined({ error: line || undefined, fix, workedAgain }) });
    if (outcome === 'success') worked.set(signature, toLaterCall(id, at));
  }
  return known;
}

function toLaterCall(id: string, at: number): LaterCall {
  return { id, at: new Date(at).toISOString() };
}
