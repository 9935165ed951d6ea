import type { ChatStatus } from '../../chat/chat-status.ts';
import type {
  Attempt,
  Diagnostic,
  Outcome,
  Message as RecordedMessage,
  Role,
  SessionSummary,
  Usage,
} from '../../record/index.ts';
import type { SessionFacets, SessionHits, Snippet } from '../../search/index.ts';

import type {
  ChangedFilesParams,
  ChangesOfFile,
  CommitChanges,
  Evidence,
  FileBlame,
  FileChangesParams,
  FileList,
  MemoryResult,
  MemoryWarning,
  OverviewResult,
  ProjectActivity,
  ProjectItem,
  ProjectTimeline,
  UsageParams,
  UsageReport,
  UsageSums,
} from './project-api.ts';
import type {
  ExportedSession,
  SessionDeletion,
  SessionFindings,
  SessionOutline,
  SessionRowsPage,
} from './reader-api.ts';
import type { AgentStatus, RedactedText, SettingsResult } from './settings-api.ts';

export type * from './project-api.ts';
export type * from './reader-api.ts';
export type * from './settings-api.ts';
export type { Attempt, ChatStatus, Outcome, Role, SessionFacets, SessionHits, SessionSummary, Snippet, Usage };

/** A `YoreError` as JSON. */
export interface ErrorInfo {
  readonly code: string;
  readonly message: string;
}

/** A message as the chat shows it. It has the same id after a reconnect. */
export interface DisplayMessage {
  readonly id: string;
  readonly role: Role;
  readonly content: string;
  readonly timestamp?: string;
  /** Names of images, for `/image/<project>/<name>`. */
  readonly imageRefs?: readonly string[];
  /** Data URIs; only from `context.loadSession`, for as many of the latest images as a response may hold. */
  readonly images?: readonly string[];
  /** `checkpoint`: the summary that a compaction made of earlier messages. */
  readonly kind?: SentMessage['kind'];
  /** The lines of a reply that suggest a shell command: their index, counted by line breaks, and the command. */
  readonly commands?: readonly { readonly line: number; readonly command: string }[];
}

/** What the guard says about a command. */
export interface CommandCheck {
  /** The known failure that the command would repeat; absent if there is none. */
  readonly warning?: {
    readonly failureId: string;
    readonly failed: string;
    readonly reason: string;
    readonly failedAt: string;
    /** What worked instead. */
    readonly fix?: string;
    /** The name of the project it failed in, if it is another one. */
    readonly project?: string;
  };
  /** What is known of a command that there is no warning of, as a sentence; absent if it never failed. */
  readonly known?: string;
  /** Why the guard says nothing at all: the setting that turns it off, or `recording`. */
  readonly off?: string;
}

/** A reply that is being streamed, with its text so far. */
export interface StreamingReply {
  readonly requestId: string;
  readonly text: string;
}

/** Everything a client needs to show a chat after connecting. */
export interface ChatSnapshot {
  readonly project: { readonly id: string; readonly name: string; readonly root: string };
  /** Absent before the first message of a session. */
  readonly sessionId?: string;
  /** The latest messages; after a compaction its summary and the messages that were kept. */
  readonly messages: readonly DisplayMessage[];
  /** How many messages come before these; `history.getSession` returns them. */
  readonly earlier: number;
  readonly files: readonly string[];
  /** Null when no reply is being streamed. */
  readonly streaming: StreamingReply | null;
  readonly compacting: boolean;
  readonly status: ChatStatus;
  /** Methods that change something are refused. */
  readonly readOnly: boolean;
  /** Sequence number of the last `chat.event` that this state includes. */
  readonly sequence: number;
}

/** An event of a chat. A request ends with exactly one `complete` or `failed`. */
export type ChatNotification = {
  readonly project: string;
  /** Increases by one with each event of any project while the server runs. */
  readonly sequence: number;
} & (
  | { readonly type: 'asked'; readonly requestId: string; readonly message: DisplayMessage }
  | { readonly type: 'notice'; readonly text: string }
  | {
      readonly type: 'chunk';
      readonly requestId: string;
      readonly text: string;
      /** Length of the reply before this chunk, in UTF-16 units. */
      readonly offset: number;
    }
  | {
      readonly type: 'complete';
      readonly reply: {
        readonly requestId: string;
        readonly text: string;
        readonly cancelled: boolean;
        readonly usage?: Usage;
        readonly message?: DisplayMessage;
      };
    }
  | { readonly type: 'failed'; readonly requestId: string; readonly error: ErrorInfo }
  | { readonly type: 'compaction-start' }
  | {
      readonly type: 'compaction-complete';
      readonly case: 'truncate' | 'summarise' | 'none';
      readonly summary: string;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
    }
  | { readonly type: 'compaction-error'; readonly error: ErrorInfo }
  | { readonly type: 'session'; readonly sessionId?: string }
);

/** A recorded message. */
export type SentMessage = Omit<RecordedMessage, 'images'> & {
  /** Data URIs; `imageRefs` has their names. Absent when they are too large for a response. */
  readonly images?: readonly string[];
};

/** A record of a session. */
export type SessionItem =
  | { readonly type: 'message'; readonly message: SentMessage }
  | { readonly type: 'attempt'; readonly attempt: Attempt };

/** One page of a session. */
export interface SessionRecordsPage {
  readonly summary: SessionSummary;
  /** In chronological order. Fewer than asked for when they are large, but at least one if there is any. */
  readonly records: readonly SessionItem[];
  /** Index of the first record in the session. */
  readonly offset: number;
  /** How many records the session has. */
  readonly total: number;
  /** Id of the record that `around` found; absent when there is none. */
  readonly around?: string;
  /** What the session used and cost; absent without a usable index. */
  readonly usage?: UsageSums;
}

/** Filters of lists and searches. All that are given must match. */
export interface SessionFilters {
  /** Id of a project. */
  readonly project?: string;
  readonly agent?: string;
  /** Whose sessions: a colleague's name or pseudonym, or `~` for the user's own. */
  readonly author?: string;
  /** A search returns messages of this role; a list returns sessions that have one. */
  readonly role?: Role;
  /** Only sessions that the user starred. */
  readonly starred?: boolean;
  /** Only sessions that the user gave this tag. */
  readonly tag?: string;
  /** A search returns attempts with this outcome; a list returns sessions that have one. */
  readonly outcome?: Outcome;
  /** ISO 8601. */
  readonly since?: string;
  /** ISO 8601. */
  readonly until?: string;
}

/** A list of sessions, the most recently active first. */
export interface SessionListing {
  readonly sessions: readonly SessionSummary[];
  /** How many sessions match, regardless of limit and offset. */
  readonly total: number;
  /** False while the index is behind the logs; `history.indexed` reports when it has caught up. */
  readonly complete: boolean;
}

/** A session with search hits. */
export type SessionMatch = SessionHits & {
  /** Absent when there is no index. */
  readonly summary?: SessionSummary;
  /** It is the session of a chat that is not recorded: `state.get` returns its messages, `history.getSession` does not. */
  readonly isInMemory?: true;
};

/** The results of a search, by session, the one with the best hit first. */
export interface SearchResults {
  readonly sessions: readonly SessionMatch[];
  /** Whether the query was answered as a question: by what is most likely about it, whether or not it has all words. */
  readonly isQuestion: boolean;
  /** Words of a question that nothing mentions. */
  readonly missing: readonly string[];
  /** Folded words to highlight: those of the query that matter, with their other forms. */
  readonly terms: readonly string[];
  /** Number of hits in all sessions. */
  readonly total: number;
  readonly warnings: readonly Diagnostic[];
}

/** Selects the chat of a project. Default: the project of the folder the server was started in. */
interface InProject {
  readonly project?: string;
}

/** Names a session; without a project, it is looked for in all of them. */
interface OfSession {
  readonly id: string;
  readonly project?: string;
}

/** Names a failure or a note of a project. */
interface PatternId {
  readonly project: string;
  readonly id: string;
}

type Nothing = Readonly<Record<never, never>>;

/** The projects, and how each of them went: `methods/project.ts`. */
export interface ProjectMethods {
  'project.list': (params: Nothing) => {
    readonly projects: readonly ProjectItem[];
    /** The project of the folder the server was started in, if there is one. */
    readonly current?: string;
    /** The home is that of the demo: nothing in it is real. */
    readonly isDemo?: true;
    /** How the user starts yore here: `yore`, or the script of a checkout. */
    readonly command: string;
  };
  'project.activity': (params: Nothing) => { readonly projects: readonly ProjectActivity[] };
  'project.warnings': (params: Nothing) => {
    /** How many failures agents would be warned of, by project; projects without any are omitted. */
    readonly projects: readonly { readonly id: string; readonly warnings: number }[];
  };
  'project.overview': (params: { readonly project: string }) => OverviewResult;
  'project.timeline': (params: {
    readonly project: string;
    readonly since?: string;
    readonly until?: string;
    /** Maximum number of sessions. Default 200, at most 500. */
    readonly limit?: number;
  }) => ProjectTimeline;
}

/** The files that sessions changed: `methods/changes.ts`. */
export interface ChangeMethods {
  'changes.files': (params: ChangedFilesParams) => FileList;
  'changes.file': (params: FileChangesParams) => ChangesOfFile;
  'changes.blame': (params: { readonly project: string; readonly path: string }) => FileBlame;
  'changes.commit': (params: { readonly project: string; readonly hash: string }) => CommitChanges;
}

/** Lists of sessions, searches and usage: `methods/history.ts`. */
export interface HistoryMethods {
  'usage.get': (params: UsageParams) => UsageReport;
  'history.search': (
    params: SessionFilters & {
      readonly query: string;
      /** Default 50, at most 200. */
      readonly limit?: number;
    },
  ) => SearchResults;
  'history.listSessions': (
    params: SessionFilters & {
      /** Default 50, at most 500. */
      readonly limit?: number;
      readonly offset?: number;
    },
  ) => SessionListing;
  'history.facets': (params: SessionFilters) => SessionFacets;
  'history.findSessions': (params: {
    readonly query: string;
    readonly project?: string;
    /** Default 10, at most 50. */
    readonly limit?: number;
  }) => { readonly sessions: readonly SessionSummary[] };
  'history.getSession': (params: {
    readonly id: string;
    readonly project?: string;
    /** Default 0. */
    readonly offset?: number;
    /** Default 200, at most 500. */
    readonly limit?: number;
    /** Returns the page around this message or attempt (its id), or around a time (ISO 8601). */
    readonly around?: string;
    /** Whether messages come with their images. Default true. */
    readonly images?: boolean;
  }) => SessionRecordsPage;
}

/** A session as the app shows it: `methods/session-reader.ts`. */
export interface ReaderMethods {
  'history.readSession': (
    params: OfSession & {
      /** Default 0. */
      readonly offset?: number;
      /** Default 200, at most 500. */
      readonly limit?: number;
      /** Returns the page around this message or attempt (its id), or around a time (ISO 8601). */
      readonly around?: string;
    },
  ) => SessionRowsPage;
  'history.outline': (params: OfSession) => SessionOutline;
  'history.findInSession': (params: OfSession & { readonly query: string }) => SessionFindings;
}

/** What the user does to a session: `methods/manage-session.ts`. */
export interface ManageMethods {
  'history.label': (
    params: OfSession & {
      readonly title?: string;
      readonly starred?: boolean;
      readonly tags?: readonly string[];
    },
  ) => null;
  'history.planDeletion': (params: OfSession) => SessionDeletion;
  'history.deleteSession': (params: OfSession) => null;
  'history.export': (params: OfSession & { readonly format: 'markdown' | 'html' | 'json' }) => ExportedSession;
}

/** The chat: messages, files and prompts: `methods/chat.ts`. */
export interface ChatMethods {
  'state.get': (params: InProject) => ChatSnapshot;
  'history.newSession': (params: InProject) => { readonly sessionId: string };
  'history.status': (params: InProject) => ChatStatus;
  'context.loadSession': (params: InProject & { readonly id: string }) => SessionSummary & {
    /** The session of another agent that it is a copy of. */
    readonly forkedFrom?: string;
    /** The latest messages, as `state.get` returns them, with their images. */
    readonly messages: readonly DisplayMessage[];
  };
  'chat.send': (
    params: InProject & {
      readonly prompt: string;
      /** Data URIs. */
      readonly images?: readonly string[];
    },
  ) => { readonly requestId: string };
  'chat.cancel': (params: InProject) => { readonly cancelled: boolean };
  'chat.compact': (params: InProject) => { readonly compacted: boolean };
  'chat.check': (params: InProject & { readonly command: string }) => CommandCheck;
  'files.list': (params: InProject & { readonly query?: string }) => { readonly files: readonly string[] };
  'files.add': (params: InProject & { readonly path: string }) => { readonly files: readonly string[] };
  'files.drop': (params: InProject & { readonly path: string }) => { readonly files: readonly string[] };
  'prompts.recall': (params: InProject & { readonly limit?: number }) => {
    readonly prompts: readonly string[];
  };
  'prompts.suggest': (params: InProject & { readonly prefix: string }) => {
    readonly prompts: readonly string[];
  };
}

/** What the memory of a project holds, and the user's choices about it: `methods/memory.ts`. */
export interface MemoryMethods {
  'memory.get': (params: { readonly project: string }) => MemoryResult;
  'memory.chooseDecision': (params: {
    readonly project: string;
    readonly id: string;
    readonly choice: 'edit' | 'pin' | 'dismiss' | 'undo';
    /** Its new text, for `edit`. */
    readonly text?: string;
  }) => null;
  'memory.evidence': (params: PatternId) => { readonly evidence: readonly Evidence[] };
  'memory.dismiss': (params: PatternId) => null;
  'memory.pin': (params: PatternId) => null;
  'memory.reset': (params: PatternId) => null;
  'memory.forget': (params: PatternId) => null;
}

/** Settings, agents and redaction: `methods/settings.ts`. */
export interface SettingsMethods {
  'settings.get': (params: Nothing) => SettingsResult;
  'settings.agents': (params: Nothing) => {
    /** Absent when the server was started without a way to find out. */
    readonly agents?: readonly AgentStatus[];
  };
  'settings.set': (params: {
    readonly key: string;
    /** As on a command line. Default: the setting is removed, so that its default applies. */
    readonly value?: string;
  }) => null;
  'settings.record': (params: {
    readonly on: boolean;
    /** Default: everywhere. */
    readonly project?: string;
  }) => null;
  'settings.redact': (params: { readonly text: string }) => RedactedText;
}

/** All methods of the server, each with its parameters and its result. */
export interface Methods
  extends ProjectMethods,
    ChangeMethods,
    HistoryMethods,
    ReaderMethods,
    ManageMethods,
    ChatMethods,
    MemoryMethods,
    SettingsMethods {}

/** The notifications of the server, sent over WebSockets. */
export interface Notifications {
  'chat.event': ChatNotification;
  /** New records in a project. */
  'history.changed': {
    readonly project: string;
    /** Ids of the sessions with new records; empty when too much has changed to tell. */
    readonly sessionIds: readonly string[];
    /** Time of the newest record. */
    readonly newest?: string;
  };
  /** Progress of the index, in bytes, after a client got an incomplete result. At the end both are equal. */
  'history.indexed': { readonly done: number; readonly total: number };
  'warning.given': { readonly project: string; readonly warning: MemoryWarning };
}
