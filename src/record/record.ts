/** Schema version written into every record as `v`. Readers upgrade older records and leave newer ones alone. */
export const RECORD_VERSION = 1;

/** Who spoke. */
export type Role = 'user' | 'assistant';

/** What a reply cost, as the provider reported it. */
export interface Usage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  /** Those of `cacheWriteTokens` that are kept for an hour, which costs more. */
  readonly cacheHourTokens?: number;
  /** How many replies report only the first of their output tokens, as agents do that record while a reply is streamed. */
  readonly incompleteReplies?: number;
}

/** What a reply did to a file. */
export interface FileEdit {
  /** Relative to the checkout, if it is inside. */
  readonly path: string;
  readonly change?: 'created' | 'deleted';
  /** The changed lines, with `-` and `+`. Bounded in size. */
  readonly diff?: string;
  /** How it ended: `failed`, or in the words of the source. Without one it was made. */
  readonly status?: string;
}

/** What sources call an edit that was made. */
const APPLIED: ReadonlySet<string> = new Set(['applied', 'already_applied', 'success', 'ok']);

/** Whether an edit was made. */
export function isApplied({ status }: Pick<FileEdit, 'status'>): boolean {
  return status === undefined || APPLIED.has(status.toLowerCase());
}

/**
 * Set when a record is from a transcript that is not the user's own, such as one that came with a repository. It is kept,
 * found and shown as such, but nothing is learned from it.
 */
export type Foreign = true;

/** Whose record it is, in the local copy of a team's records: a colleague's pseudonym, or the name that they chose. */
export type Author = string;

/** What the user's own records are filtered by, which have no author. No name contains it. */
export const OWN_AUTHOR = '~';

/** Something a user or an agent said. Empty optional fields are omitted. */
export interface Message {
  readonly v: number;
  /** `{epochMs}-{uuid8}`, or the agent's own id when imported. */
  readonly id: string;
  readonly sessionId: string;
  /** ISO 8601, UTC. */
  readonly timestamp: string;
  readonly role: Role;
  readonly content: string;
  /**
   * `checkpoint`: the session was compacted here. `content` is the summary of the messages dropped from the context
   * (may be empty), `keptFrom` the id of the first message that stayed in it.
   * `title`: names the session; `content` is what the agent (role assistant) or the user (role user) called it. Empty
   * when the record only says how the user labelled the session. Not part of the conversation.
   */
  readonly kind?: 'checkpoint' | 'title';
  readonly keptFrom?: string;
  /** The user's labels of the session, in a record of kind `title`. The latest record with either has them all. */
  readonly starred?: boolean;
  readonly tags?: readonly string[];
  readonly usage?: Usage;
  /** The session that started this one as a sub-agent, or that this one was forked from. */
  readonly parentSessionId?: string;
  /** Set when the session was forked from its parent. */
  readonly isFork?: boolean;
  /** Names of files in the project's images folder. */
  readonly imageRefs?: readonly string[];
  /** Legacy count of attached images; read, never written. */
  readonly images?: number;
  /** Files in context (user messages). */
  readonly files?: readonly string[];
  /** Files changed by the reply (assistant messages). */
  readonly filesModified?: readonly string[];
  /** What the reply did to them. Those of an imported history keep the fields of their source. */
  readonly editResults?: readonly FileEdit[];
  readonly agent?: string;
  readonly model?: string;
  readonly branch?: string;
  readonly turnId?: string;
  /** Said by the program, not by a person or a model. */
  readonly systemEvent?: boolean;
  readonly foreign?: Foreign;
  readonly author?: Author;
}

/** Marks a deleted session: its records up to `timestamp` are gone, and no import brings them back. */
export interface Tombstone {
  readonly v: number;
  readonly kind: 'tombstone';
  readonly sessionId: string;
  readonly timestamp: string;
}

/** A line of the history log. */
export type HistoryRecord = Message | Tombstone;

/** All ways a tool call can end. */
export const OUTCOMES = [
  'success',
  'failure',
  'rejected',
  'denied',
  'interrupted',
  'cancelled',
  'noMatch',
  'unclear',
] as const;

/**
 * How a tool call ended. The guard warns of `failure` only. `unclear`: a pipe hid the exit code while the output looks
 * like a failure, or the result was never seen.
 */
export type Outcome = (typeof OUTCOMES)[number];

/** A commit, as its repository has it. */
export interface Commit {
  readonly hash: string;
  /** The first line. */
  readonly message: string;
  /** The files that it changed, relative to the checkout. */
  readonly files: readonly string[];
}

/** A tool call with its outcome, or a practice noted without one. Empty optional fields are omitted. */
export interface Attempt {
  readonly v: number;
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly timestamp: string;
  readonly sessionId: string;
  readonly outcome: Outcome;
  /** The agent's id of the call. Recording is idempotent by `sessionId` and `callId`. */
  readonly callId?: string;
  /** The session that started this one as a sub-agent. */
  readonly parentSessionId?: string;
  readonly agent?: string;
  readonly tool?: string;
  readonly command?: string;
  readonly path?: string;
  readonly args?: Readonly<Record<string, unknown>>;
  readonly error?: string;
  readonly result?: string;
  readonly exitCode?: number;
  readonly durationMs?: number;
  /** The user's request that the call served. */
  readonly context?: string;
  readonly tags?: readonly string[];
  readonly branch?: string;
  /** The commit that it made, if its repository could be asked. */
  readonly commit?: Commit;
  /** The test files that it ran, as far as it or its output names them. */
  readonly testFiles?: readonly string[];
  /** Working directory, relative to the project. */
  readonly cwd?: string;
  /** Names of environment variables that were set, sandbox, worktree, machine. */
  readonly circumstances?: readonly string[];
  readonly signature?: string;
  readonly errorSignature?: string;
  /**
   * The class of a failure (`FailureClass`), what a success achieved (`Action`: test, build, commit), or `feedback` and
   * `note` for what is no tool call. Not the kind of a cause (`FailureKind`), which says what was missing.
   */
  readonly kind?: string;
  /** A practice noted without a tool call. */
  readonly pattern?: string;
  readonly description?: string;
  readonly foreign?: Foreign;
  readonly author?: Author;
}

/** A session as lists show it. */
export interface SessionSummary {
  readonly sessionId: string;
  /** Time of the first message. */
  readonly timestamp: string;
  /** Time of the last message or attempt. */
  readonly lastActivity: string;
  readonly messageCount: number;
  /** What the agent or the user called it; else made from the first request, else the preview. */
  readonly title: string;
  /** About the first 100 characters of the first message, on one line. */
  readonly preview: string;
  readonly firstRole: Role;
  /** Id of the project. */
  readonly project: string;
  readonly agent?: string;
  readonly branch?: string;
  readonly failures: number;
  readonly successes: number;
  /** Set when the user starred it. */
  readonly starred?: true;
  /** The tags that the user gave it. Left out without any. */
  readonly tags?: readonly string[];
  readonly foreign?: Foreign;
  readonly author?: Author;
}

/** What people and agents are shown of a role or an outcome: whether it is from a foreign transcript or a colleague. */
export function labelOrigin(
  label: string,
  { foreign, author }: { readonly foreign?: Foreign | undefined; readonly author?: Author | undefined },
): string {
  if (author !== undefined) return `${label} of ${author}`;
  return foreign ? `foreign ${label}` : label;
}

/** The id of a colleague's session on other machines: nobody can add to somebody else's session, or to the user's own. */
export function teamSessionId(sessionId: string, pseudonym: string): string {
  return `${sessionId}@${pseudonym}`;
}

/** Whether a record is a tool call: feedback and notes of the user are not counted as failures or successes. */
export function isToolCall({ kind, pattern }: Pick<Attempt, 'kind' | 'pattern'>): boolean {
  return kind !== 'feedback' && pattern === undefined;
}

/** How many of the records are tool calls that ended in `outcome`. */
export function countCalls(attempts: readonly Attempt[], outcome: Outcome): number {
  return attempts.filter((attempt) => attempt.outcome === outcome && isToolCall(attempt)).length;
}

/** The agent name of yore's own chat. */
export const CHAT_AGENT = 'yore';

/** Session id of notes that the user adds outside of a session. Searched, but not listed or counted as a session. */
export const NOTES_SESSION = 'notes';
