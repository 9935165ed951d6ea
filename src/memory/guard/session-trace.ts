import { textHash } from '../../record/index.ts';
import type { CallAnalysis } from '../call/analyse-call.ts';

/** What a session has seen and done, as far as the guard needs it. */
export interface SessionTrace {
  calls: number;
  lastAt: number;
  /** Files that its file tools read or wrote. */
  readonly read: Set<string>;
  /** Files that a shell command showed or wrote. */
  readonly shown: Set<string>;
  /** It edited a file that it had never seen: it goes on from another session, and what it knows cannot be told. */
  editsUnread: boolean;
  /** Overrides of warnings that went well. */
  goodOverrides: number;
  /** Keys of what failed in it and may be solved soon, newest last. */
  unsolved: string[];
  /** Hashes of the last calls that were recorded. */
  recent: number[];
}

const MOST_RECENT = 200;

/** A session that has done nothing yet. */
export function emptySession(): SessionTrace {
  return {
    calls: 0,
    lastAt: 0,
    read: new Set(),
    shown: new Set(),
    editsUnread: false,
    goodOverrides: 0,
    unsolved: [],
    recent: [],
  };
}

/** An edit of a file that the session's file tools have not seen. */
export function isUnread(call: CallAnalysis, session: SessionTrace): boolean {
  return (
    call.family === 'edit' && call.files.length > 0 && !call.files.some((file) => session.read.has(file))
  );
}

/** Notes a call by the agent's id of it; false when it was noted before. */
export function noteCall(session: SessionTrace, callId: string): boolean {
  const hash = textHash(callId);
  if (session.recent.includes(hash)) return false;
  session.recent.push(hash);
  if (session.recent.length > MOST_RECENT) session.recent.splice(0, session.recent.length - MOST_RECENT);
  return true;
}

/** As it is kept in a file. */
export function traceToJson(trace: SessionTrace): unknown {
  return { ...trace, read: [...trace.read], shown: [...trace.shown] };
}

/** Back from a file. */
export function traceFromJson(value: unknown): SessionTrace {
  const kept = value as Omit<SessionTrace, 'read' | 'shown'> & { read: string[]; shown: string[] };
  return { ...kept, read: new Set(kept.read), shown: new Set(kept.shown) };
}
