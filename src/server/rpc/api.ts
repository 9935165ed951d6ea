import type { ChatStatus } from '../../chat/chat-status.ts';
import type { Attempt, Message, Outcome, Role, SessionSummary, Usage, Warning } from '../../record/index.ts';
import type { SessionHits, Snippet } from '../../search/index.ts';

export type { Attempt, ChatStatus, Message, Outcome, Role, SessionHits, SessionSummary, Snippet };

/** A project as lists show it. */
export interface ProjectItem {
  readonly id: string;
  readonly name: string;
  readonly path: string;
  /** ISO 8601. */
  readonly lastActiveAt: string;
  /** As last synthesised; left out when that never happened. */
  readonly sessions?: number;
}

/** What went wrong, as `YoreError` has it. */
export interface ErrorInfo {
  /** An `ErrorCode` of yore. */
  readonly code: string;
  readonly message: string;
}

/** A message of the running chat. Ids are stable: the same message has the same id after a reconnect. */
export interface DisplayMessage {
  readonly id: string;
  readonly role: Role;
  readonly content: string;
  readonly timestamp?: string;
  /** Names for `/image/<project>/<name>`. */
  readonly imageRefs?: readonly string[];
  /** `checkpoint`: the summary of what was said before, after a compaction. */
  readonly kind?: 'checkpoint';
}

/** A reply that is being made, with what was said of it so far. */
export interface StreamingReply {
  readonly requestId: string;
  readonly text: string;
}

/** Everything a client needs to show the chat it has just connected to. */
export interface ChatSnapshot {
  readonly project: { readonly id: string; readonly name: string; readonly root: string };
  /** Left out before the first message of a session. */
  readonly sessionId?: string;
  /** What the user sees of the session: after a compaction its summary first, then what was kept. The latest ones. */
  readonly messages: readonly DisplayMessage[];
  /** So many messages come before the first of `messages`; `history.getSession` has them. */
  readonly earlier: number;
  readonly files: readonly string[];
  /** Null when no reply is being made. */
  readonly streaming: StreamingReply | null;
  readonly compacting: boolean;
  readonly status: ChatStatus;
  /** Methods that change something are refused. */
  readonly readOnly: boolean;
  /** Of the last `chat.event` that is part of this; later ones have a higher one. */
  readonly sequence: number;
}

/** What happens in a chat. A request ends with exactly one `complete` or `failed`. */
export type ChatNotification = {
  readonly project: string;
  /** Rises by one with each event, whichever the project, as long as the server runs. */
  readonly sequence: number;
} & (
  | { readonly type: 'asked'; readonly requestId: string; readonly message: DisplayMessage }
  | { readonly type: 'notice'; readonly text: string }
  | {
      readonly type: 'chunk';
      readonly requestId: string;
      readonly text: string;
      /** Length of the reply before this piece, in UTF-16 units. */
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

/** What a session consists of, in the order of time. */
export type SessionItem =
  | { readonly type: 'message'; readonly message: Message }
  | { readonly type: 'attempt'; readonly attempt: Attempt };

/** A part of a session. */
export interface SessionPage {
  readonly summary: SessionSummary;
  /** At most what was asked for; less when they are large, but at least one where there is one. */
  readonly entries: readonly SessionItem[];
  /** Place of the first of `entries` in the session. */
  readonly offset: number;
  /** How many the session has. */
  readonly total: number;
  /** Id of the record that `around` meant; left out when there is none. */
  readonly around?: string;
}

/** Filters of lists and searches; those that are given must all hold. */
export interface SessionFilters {
  /** Id of a project. */
  readonly project?: string;
  readonly agent?: string;
  /** Of a message: in lists, of one of the session. */
  readonly role?: Role;
  /** Of an attempt: in lists, of one of the session. */
  readonly outcome?: Outcome;
  /** ISO 8601. */
  readonly since?: string;
  /** ISO 8601. */
  readonly until?: string;
}

/** Sessions, most recently active first. */
export interface SessionListing {
  readonly sessions: readonly SessionSummary[];
  /** How many there are without limit and offset. */
  readonly total: number;
  /** False: the search index is still behind the logs. `history.indexed` tells when it no longer is. */
  readonly complete: boolean;
}

/** A session in which something was found. */
export type SessionMatch = SessionHits & {
  /** Left out when there is no search index. */
  readonly summary?: SessionSummary;
};

/** What a search found, by session, the one with the best hit first. */
export interface SearchResults {
  readonly sessions: readonly SessionMatch[];
  /** Hits of all sessions. */
  readonly total: number;
  readonly warnings: readonly Warning[];
}

/** One day of a project. */
export interface DayCount {
  /** `2026-11-15`, UTC. */
  readonly day: string;
  readonly sessions: number;
  readonly failures: number;
  readonly successes: number;
  readonly commits: number;
}

/** What a project is and how it went. */
export interface ProjectOverview {
  readonly project: ProjectItem;
  /** Empty when nothing is known. */
  readonly summary: string;
  readonly stack: {
    readonly languages: readonly string[];
    readonly frameworks: readonly string[];
    readonly tools: readonly string[];
  };
  readonly commands: {
    readonly testCommand?: string;
    readonly buildCommand?: string;
    readonly lintCommand?: string;
    readonly formatCommand?: string;
    readonly packageManager?: string;
  };
  readonly practices: readonly { readonly pattern: string; readonly reason: string }[];
  readonly antiPatterns: readonly {
    readonly pattern: string;
    readonly reason: string;
    readonly alternative?: string;
  }[];
  readonly totals: {
    readonly sessions: number;
    readonly messages: number;
    readonly failures: number;
    readonly successes: number;
  };
  /** The earliest first; days without activity are left out. */
  readonly days: readonly DayCount[];
}

/** A point on the timeline. */
export interface TimelineMark {
  readonly type: 'request' | 'commit' | 'failure' | 'resolution';
  readonly id: string;
  readonly at: string;
  readonly text: string;
  /** Id of the failure that it put right. */
  readonly resolves?: string;
}

/** A session on the timeline. */
export interface TimelineSession {
  readonly sessionId: string;
  readonly from: string;
  readonly to: string;
  readonly agent?: string;
  readonly branch?: string;
  /** The first request. */
  readonly preview: string;
  /** In the order of time. */
  readonly marks: readonly TimelineMark[];
}

/** How a project evolved. */
export interface ProjectTimeline {
  readonly days: readonly DayCount[];
  /** The latest of the span, those that began first first. */
  readonly sessions: readonly TimelineSession[];
  /** How many sessions the span has. */
  readonly total: number;
}

/** A record that something was learned from. */
export interface Evidence {
  readonly sessionId: string;
  /** Of the attempt. */
  readonly id: string;
  readonly at: string;
  readonly text: string;
}

/** Something that fails in the project, or that the user asked to avoid. */
export interface MemoryAntiPattern {
  /** For `memory.evidence`, `memory.dismiss`, `memory.pin`, `memory.reset` and `memory.forget`. */
  readonly id: string;
  /** `note`: said by the user; it can be forgotten, but neither pinned nor dismissed. */
  readonly kind: 'failure' | 'note';
  readonly pattern: string;
  readonly reason: string;
  readonly count: number;
  readonly occurredAt: string;
  readonly confidence: number;
  /** What worked instead. */
  readonly alternative?: string;
  readonly state: 'active' | 'pinned' | 'dismissed';
  /** Sessions in which it failed. */
  readonly sessions: readonly string[];
}

/** Something that works in the project. */
export interface MemoryPractice {
  readonly pattern: string;
  readonly reason: string;
  readonly confidence: number;
  /** How often and when last. */
  readonly evidence: string;
  /** For `memory.forget`; only of what the user asked to remember. */
  readonly id?: string;
}

/** A warning that was given, and how it ended. */
export interface MemoryWarning {
  readonly id: string;
  /** Of the failure it was about, for `memory.dismiss` and `memory.pin`. */
  readonly failureId: string;
  readonly at: string;
  readonly command: string;
  /** As the agent was told. */
  readonly reason: string;
  /** `open`: too young to tell. */
  readonly ended: 'heeded' | 'overridden-failed' | 'overridden-succeeded' | 'open';
  readonly sessionId: string;
  readonly agent?: string;
}

/** What the project's memory holds. */
export interface ProjectMemory {
  readonly antiPatterns: readonly MemoryAntiPattern[];
  readonly bestPractices: readonly MemoryPractice[];
  /** The latest first. */
  readonly warnings: readonly MemoryWarning[];
  /** How all warnings ended, also those that `warnings` leaves out. */
  readonly warningTotals: {
    readonly heeded: number;
    readonly overriddenFailed: number;
    readonly overriddenSucceeded: number;
    readonly open: number;
  };
}

/** The chat of which project is meant. Default: that of the folder the server was started in. */
interface OfProject {
  readonly project?: string;
}

/** The methods of the server, each with its parameters and its answer. */
export interface Methods {
  'state.get': (params: OfProject) => ChatSnapshot;
  'project.list': (params: Readonly<Record<never, never>>) => {
    readonly projects: readonly ProjectItem[];
    /** The project of the folder the server was started in, if it is known. */
    readonly current?: string;
  };
  'project.overview': (params: { readonly project: string }) => ProjectOverview;
  'project.timeline': (params: {
    readonly project: string;
    readonly since?: string;
    readonly until?: string;
    /** Most sessions. Default 200, at most 500. */
    readonly limit?: number;
  }) => ProjectTimeline;
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
  'history.getSession': (params: {
    readonly id: string;
    readonly project?: string;
    /** Default 0. */
    readonly offset?: number;
    /** Default 200, at most 500. */
    readonly limit?: number;
    /** Id of a message or attempt, or a time (ISO 8601): the page that holds it, or the first record from then on. */
    readonly around?: string;
  }) => SessionPage;
  'history.newSession': (params: OfProject) => null;
  'history.status': (params: OfProject) => ChatStatus;
  'context.loadSession': (params: OfProject & { readonly id: string }) => SessionSummary;
  'chat.send': (
    params: OfProject & { readonly prompt: string /** Data URIs. */; readonly images?: readonly string[] },
  ) => { readonly requestId: string };
  'chat.cancel': (params: OfProject) => { readonly cancelled: boolean };
  'chat.compact': (params: OfProject) => { readonly compacted: boolean };
  'files.list': (params: OfProject & { readonly query?: string }) => { readonly files: readonly string[] };
  'files.add': (params: OfProject & { readonly path: string }) => { readonly files: readonly string[] };
  'files.drop': (params: OfProject & { readonly path: string }) => { readonly files: readonly string[] };
  'prompts.recall': (params: OfProject & { readonly limit?: number }) => {
    readonly prompts: readonly string[];
  };
  'prompts.suggest': (params: OfProject & { readonly prefix: string }) => {
    readonly prompts: readonly string[];
  };
  'memory.get': (params: { readonly project: string }) => ProjectMemory;
  'memory.evidence': (params: { readonly project: string; readonly id: string }) => {
    readonly evidence: readonly Evidence[];
  };
  'memory.dismiss': (params: { readonly project: string; readonly id: string }) => null;
  'memory.pin': (params: { readonly project: string; readonly id: string }) => null;
  'memory.reset': (params: { readonly project: string; readonly id: string }) => null;
  'memory.forget': (params: { readonly project: string; readonly id: string }) => null;
}

/** What the server says unasked, over a WebSocket. */
export interface Notifications {
  'chat.event': ChatNotification;
  /** The logs of a project have grown or changed. */
  'history.changed': {
    readonly project: string;
    /** Sessions with new records; empty when too much changed to tell. */
    readonly sessionIds: readonly string[];
    /** Time of the newest record among them. */
    readonly newest?: string;
  };
  /** The search index takes in what it lacked when a client was answered: `done` of `total` bytes, at the end all. */
  'history.indexed': { readonly done: number; readonly total: number };
  'warning.given': { readonly project: string; readonly warning: MemoryWarning };
}
