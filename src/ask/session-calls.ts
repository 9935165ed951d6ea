import type { Action } from '../facts/call/action.ts';
import { omitUndefined } from '../record/object.ts';
import type { ProjectRows } from '../store/project-rows.ts';
import { type Fix, findFix } from './fix.ts';

/** A call and when it ended. */
interface LaterCall {
  /** The id of its record. */
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
}

/** A call that solved a failure. */
interface SolvingCall extends LaterCall {
  /** What worked instead, as lists of failures tell it. */
  readonly text: string;
  /** The session that made it, if it is another one. */
  readonly session?: string;
}

/** What is known of a tool call of a session. */
export interface KnownCall {
  readonly action: Action;
  /** The line of a failed call's output that explains the failure. */
  readonly error?: string;
  /** The later call that solved this failed one: it did its job, or something about the cause. */
  readonly fix?: SolvingCall;
  /** The next time in the session that the same call worked after it had failed, or its tool with the same file. */
  readonly workedAgain?: LaterCall;
}

interface CallRow {
  readonly document: number;
  readonly id: string;
  readonly at: number;
  readonly outcome: string;
  readonly action: Action;
  readonly family: string;
  readonly what: string;
  readonly signature: number;
  readonly line: string | null;
}

/** The tool calls of a session by the ids of their records. */
export function callsOfSession(rows: ProjectRows, session: string): ReadonlyMap<string, KnownCall> {
  const calls = rows.connection.all<CallRow>(
    `SELECT call.document, call.id, call.at, call.outcome, call.action, call.family, call.what, call.signature, failure.line
     FROM session JOIN call ON call.session = session.id LEFT JOIN failure ON failure.document = call.document
     WHERE session.project = ? AND session.name = ? ORDER BY call.document`,
    rows.project,
    session,
  );
  const worked = new Map<number | string, LaterCall>();
  const known = new Map<string, KnownCall>();
  // The latest first, so that the next time that a call worked is known.
  for (const { document, id, at, outcome, action, family, what, signature, line } of calls) {
    // Edits of a file differ in their texts.
    const call = family === 'shell' ? signature : what;
    const fix = outcome === 'failure' ? findFix(rows, document) : undefined;
    const workedAgain = outcome === 'failure' ? worked.get(call) : undefined;
    known.set(id, {
      action,
      ...omitUndefined({ error: line || undefined, fix: fix && toSolvingCall(fix, session), workedAgain }),
    });
    if (outcome === 'success') worked.set(call, toLaterCall({ id, at }));
  }
  return known;
}

function toSolvingCall({ text, call }: Fix, session: string): SolvingCall {
  return { ...toLaterCall(call), text, ...(call.session === session ? {} : { session: call.session }) };
}

function toLaterCall({ id, at }: { readonly id: string; readonly at: number }): LaterCall {
  return { id, at: new Date(at).toISOString() };
}
