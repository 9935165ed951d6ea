import type { CallResult } from '../../memory/index.ts';
import type { Role, Usage } from '../../record/index.ts';

/** Facts about a session that hold until another event changes them. Precedes all other events of the session. */
export interface SessionEvent {
  readonly type: 'session';
  readonly sessionId: string;
  /** The session that this one was forked from, or that started it as a sub-agent. */
  readonly parentSessionId?: string;
  /** Set for a fork: it begins with a copy of its parent's messages and calls, under the same ids. */
  readonly isFork?: boolean;
  /** The folder it works in, absolute. The first one decides which project the session belongs to. */
  readonly cwd?: string;
  readonly branch?: string;
  readonly commit?: string;
  readonly model?: string;
}

/** An image in a message or a result. */
export interface TranscriptImage {
  readonly mediaType: string;
  readonly base64: string;
}

/** What a user or a model said; never what a program injected into their turn. */
export interface MessageEvent {
  readonly type: 'message';
  readonly sessionId: string;
  /** The agent's own id, the same whenever it is read; left out if the format has none. */
  readonly id?: string;
  /** ISO 8601; left out if the format has no times. */
  readonly timestamp?: string;
  readonly role: Role;
  readonly text: string;
  readonly model?: string;
  /** Reported once for the whole reply. */
  readonly usage?: Usage;
  readonly images?: readonly TranscriptImage[];
  /** `checkpoint`: the context was compacted here; `text` is the summary, or empty. */
  readonly kind?: 'checkpoint';
  /** Written by the program rather than by a user or a model, and worth keeping: a compaction, a provider error. */
  readonly isSystem?: boolean;
}

/** A tool call that was made. */
export interface CallEvent {
  readonly type: 'call';
  readonly sessionId: string;
  readonly callId: string;
  readonly timestamp?: string;
  /** The agent's name for the tool. */
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly cwd?: string;
  /** The request it was made for, if the transcript says so. Default: the last message of the user. */
  readonly request?: string;
}

/** The end of a tool call. */
export interface ResultEvent {
  readonly type: 'result';
  readonly sessionId: string;
  readonly callId: string;
  readonly timestamp?: string;
  readonly result: CallResult;
}

/** A part of the transcript that is skipped, and why: for the report. */
export interface SkipEvent {
  readonly type: 'skip';
  /** A few words that are the same for all parts of a kind, e.g. `progress` or `injected text`. */
  readonly reason: string;
  /** Set when it should have been understood: broken JSON, a field of the wrong type, an unknown type. */
  readonly isProblem?: boolean;
}

/** One thing that a transcript says, whichever agent wrote it. */
export type TranscriptEvent = SessionEvent | MessageEvent | CallEvent | ResultEvent | SkipEvent;

/** A part that is skipped on purpose. */
export function skip(reason: string): SkipEvent {
  return { type: 'skip', reason };
}

/** A part that should have been understood. */
export function problem(reason: string): SkipEvent {
  return { type: 'skip', reason, isProblem: true };
}

const NAME = /^[\w./:-]{1,40}$/;

/** A part of an unknown type, e.g. `unknown line: sparkle`. */
export function unknownType(what: string, type: unknown): SkipEvent {
  return problem(
    typeof type === 'string' && NAME.test(type) ? `unknown ${what}: ${type}` : `unknown ${what}`,
  );
}
