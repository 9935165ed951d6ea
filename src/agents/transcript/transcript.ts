import type { CallResult } from '../../facts/call/tool-call.ts';
import type { Attempt, FileEdit, Role, Usage } from '../../record/index.ts';
import type { AgentName } from '../agent-name.ts';

/** What decides where agents keep their transcripts. */
export interface TranscriptLocations {
  /** The user's home folder. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** Folders of known projects, for agents that keep their transcripts there. */
  readonly projects: readonly string[];
}

/** One transcript on the machine: a file or a database, with whatever belongs to it. */
export interface TranscriptSource {
  readonly agent: AgentName;
  /** Absolute. Identifies the source. */
  readonly path: string;
  /** In bytes, for progress. */
  readonly size: number;
  /** Changes whenever there may be something new, e.g. size and modification time. */
  readonly stamp: string;
  /** The folder its sessions work in, absolute, for transcripts that do not name it themselves. */
  readonly cwd?: string;
  /** The one session to read of a transcript that holds many. */
  readonly sessionId?: string;
  /** It is not the user's own: what is recorded of it says so. */
  readonly isForeign?: true;
}

/** How far a source has been read: plain JSON of a few KB at most, stored between runs. */
export type ReadPosition = Readonly<Record<string, unknown>>;

/** A source that is being read. */
export interface TranscriptReading {
  /** Whether it resumes at the given position. False: it starts at the beginning, without a position that fits. */
  readonly isResumed: boolean;
  /**
   * What is new, in order. A bad line or row is a `skip` event and stops nothing; only a source that cannot be opened
   * throws STORAGE. Can be iterated once, in bounded memory.
   */
  readonly events: Iterable<TranscriptEvent>;
  /** The position after the events returned so far: reading from there returns what follows, and nothing twice. */
  position(): ReadPosition;
  /** Bytes read so far, counted from the start of the source, for progress. */
  readonly bytesRead: number;
  /** Lines, rows or messages read so far in this reading. */
  readonly linesRead: number;
}

/** The transcripts of an agent on the machine, and how they are read. */
export interface AgentTranscripts {
  readonly agent: AgentName;
  /** Finds all sources on the machine. Missing folders count as empty; what cannot be read is left out. */
  find(places: TranscriptLocations): readonly TranscriptSource[];
  /** Whether a file named by the user looks like a transcript of this agent. Reads only its beginning. */
  recognises(path: string): boolean;
  /** Reads a source from a position on; from its beginning without one, or when the position no longer fits the file. */
  read(source: TranscriptSource, position?: ReadPosition): TranscriptReading;
}

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
  /** The URL of the git remote there. */
  readonly remote?: string;
  readonly branch?: string;
  readonly model?: string;
  /** What the agent calls it. */
  readonly title?: string;
  /** The user chose the title. */
  readonly isTitleChosen?: boolean;
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
  /** The id is unique everywhere, and becomes the id of the record. */
  readonly keepsId?: true;
  /** How often the prompt was used in all, if the source counts. */
  readonly uses?: number;
  /** Files in context, files that the reply changed, and how, if the message itself says so. */
  readonly files?: readonly string[];
  readonly filesModified?: readonly string[];
  readonly editResults?: readonly FileEdit[];
  /** Written by the program rather than by a user or a model, and worth keeping: a compaction, a provider error. */
  readonly isSystem?: boolean;
}

/** What every message says. */
export type MessageBase = Pick<MessageEvent, 'type' | 'sessionId' | 'id' | 'timestamp'>;

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
  /** What the transcript itself says it is about. */
  readonly tags?: readonly string[];
}

/** Something that was learned: a practice, or what to avoid. */
export interface NoteEvent {
  readonly type: 'note';
  readonly sessionId: string;
  /** The same whenever it is read. */
  readonly id: string;
  readonly timestamp?: string;
  /** What else the record says. */
  readonly fields: Pick<Attempt, 'pattern' | 'description' | 'error' | 'result' | 'context' | 'tags' | 'args'>;
  /** `failure`: to be avoided. */
  readonly outcome: 'success' | 'failure';
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
export type TranscriptEvent = SessionEvent | MessageEvent | CallEvent | ResultEvent | NoteEvent | SkipEvent;

/** When an event happened, in epoch milliseconds; undefined when it has no valid time. */
export function findEventTime(event: TranscriptEvent): number | undefined {
  const time = 'timestamp' in event ? Date.parse(event.timestamp ?? '') : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** A part that is skipped on purpose. */
export function skip(reason: string): SkipEvent {
  return { type: 'skip', reason };
}

/** A table of types that are skipped, and why, from the types of each reason, separated by spaces. */
export function skipTable(typesOfReason: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  const pairs = Object.entries(typesOfReason).flatMap(([reason, types]) =>
    types.split(' ').map((type) => [type, reason] as const),
  );
  return new Map(pairs);
}

/** A part that should have been understood. */
export function problem(reason: string): SkipEvent {
  return { type: 'skip', reason, isProblem: true };
}

const NAME = /^[\w./:-]{1,40}$/;

/** A part of an unknown type, e.g. `unknown line: sparkle`. */
export function unknownType(what: string, type: unknown): SkipEvent {
  return problem(typeof type === 'string' && NAME.test(type) ? `unknown ${what}: ${type}` : `unknown ${what}`);
}

/** A part of a type that is skipped according to the table, or of an unknown type. */
export function skipKnown(table: ReadonlyMap<string, string>, what: string, type: unknown): SkipEvent {
  const reason = typeof type === 'string' ? table.get(type) : undefined;
  return reason === undefined ? unknownType(what, type) : skip(reason);
}
