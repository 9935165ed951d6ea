import type { CallResult } from '../../memory/index.ts';
import type { Role, Usage } from '../../record/index.ts';

/** What is true from here on in a session, until another event says otherwise. Comes before all else of the session. */
export interface SessionEvent {
  readonly type: 'session';
  readonly sessionId: string;
  /** The session that this one was forked from, or whose sub-agent it is. */
  readonly parentSessionId?: string;
  /** A fork begins with a copy of its parent's messages and calls, under the ids that they have there. */
  readonly isFork?: boolean;
  /** The folder it works in, absolute. The first one of a session decides which project it belongs to. */
  readonly cwd?: string;
  readonly branch?: string;
  readonly commit?: string;
  readonly model?: string;
}

/** An image in a message or a result, as it is in the transcript. */
export interface TranscriptImage {
  readonly mediaType: string;
  readonly base64: string;
}

/** Something that was said by a person or a model; never what a program put into their turn. */
export interface MessageEvent {
  readonly type: 'message';
  readonly sessionId: string;
  /** The agent's own id of it, the same whenever it is read; missing where the format has none. */
  readonly id?: string;
  /** ISO 8601. Missing where the format has no times. */
  readonly timestamp?: string;
  readonly role: Role;
  readonly text: string;
  readonly model?: string;
  /** Of the whole reply, once. */
  readonly usage?: Usage;
  readonly images?: readonly TranscriptImage[];
  /** `checkpoint`: the context was compacted here; `text` is the summary, empty where there is none. */
  readonly kind?: 'checkpoint';
  /** Said by the program, not by a person or a model, and worth keeping (a compaction, an error of the provider). */
  readonly isSystem?: boolean;
}

/** A tool call was made. */
export interface CallEvent {
  readonly type: 'call';
  readonly sessionId: string;
  readonly callId: string;
  readonly timestamp?: string;
  /** The agent's name of the tool. */
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly cwd?: string;
  /** What it was made for, where the transcript says that of the call. Else it is the last message of the user. */
  readonly request?: string;
}

/** A tool call ended. */
export interface ResultEvent {
  readonly type: 'result';
  readonly sessionId: string;
  readonly callId: string;
  readonly timestamp?: string;
  readonly result: CallResult;
}

/** A part of the transcript from which nothing is made, and why: for the report. */
export interface SkipEvent {
  readonly type: 'skip';
  /** A few words, the same for all parts of one kind, e.g. `progress` or `injected text`. */
  readonly reason: string;
  /** Whether it should have been understood: broken JSON, a field of the wrong type, a type nobody knows. */
  readonly isProblem?: boolean;
}

/** What a transcript tells, in its order. */
export type TranscriptEvent = SessionEvent | MessageEvent | CallEvent | ResultEvent | SkipEvent;

/** Nothing is made of this part, and that is as it should be. */
export function skip(reason: string): SkipEvent {
  return { type: 'skip', reason };
}

/** This part should have been understood. */
export function problem(reason: string): SkipEvent {
  return { type: 'skip', reason, isProblem: true };
}

const NAME = /^[\w./:-]{1,40}$/;

/** A part of a type that nobody knows, e.g. `unknown line: sparkle`. */
export function unknownType(what: string, type: unknown): SkipEvent {
  return problem(
    typeof type === 'string' && NAME.test(type) ? `unknown ${what}: ${type}` : `unknown ${what}`,
  );
}
