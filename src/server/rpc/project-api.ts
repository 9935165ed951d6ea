/* Types of the methods `project.*` and `memory.*`. */
import type { Conclusion } from '../../ask/conclusions.ts';
import type { FailureCause, PastFailure, PastFailures } from '../../ask/past-failures.ts';
import type {
  BlamedRange,
  ChangeOrigin,
  ChangesOfFile,
  FileBlame,
  RecordedChange,
  SessionCost,
  UsageGroup,
  UsageReport,
  UsageSums,
} from '../../project/index.ts';
import type { SessionSummary } from '../../record/index.ts';
import type { FileList, FileOfSessions, FileOrder } from '../../search/index.ts';

export type {
  BlamedRange,
  ChangeOrigin,
  ChangesOfFile,
  Conclusion,
  FailureCause,
  FileBlame,
  FileList,
  FileOfSessions,
  FileOrder,
  PastFailure,
  PastFailures,
  RecordedChange,
  SessionCost,
  UsageGroup,
  UsageReport,
  UsageSums,
};

/** A project as lists show it. */
export interface ProjectItem {
  readonly id: string;
  readonly name: string;
  /** The name; where several projects have it, after as many parent folders as tell them apart: `work/api`. */
  readonly label: string;
  readonly path: string;
  /** ISO 8601. */
  readonly lastActiveAt: string;
}

/** How much was done in a project, as far as it is indexed. */
export interface ProjectActivity {
  readonly id: string;
  readonly sessions: number;
  readonly failures: number;
  readonly successes: number;
  /** The agents of its sessions, the most used first. */
  readonly agents: readonly { readonly agent: string; readonly sessions: number }[];
  /** Sessions on each of the last 30 days (UTC), the latest last. */
  readonly days: readonly number[];
}

/** Activity of a project on one day. */
export interface DayCount {
  /** `2026-11-15`, UTC. */
  readonly day: string;
  readonly sessions: number;
  readonly failures: number;
  readonly successes: number;
  readonly commits: number;
}

/** The tech stack of a project, and how the work on it went. */
export interface OverviewResult {
  readonly project: ProjectItem;
  /** Empty when nothing is known yet. */
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
    readonly typecheckCommand?: string;
    readonly runCommand?: string;
    readonly packageManager?: string;
  };
  readonly practices: readonly { readonly pattern: string; readonly reason: string }[];
  /** What was learned to be avoided. */
  readonly antiPatterns: readonly {
    readonly pattern: string;
    readonly reason: string;
    readonly fix?: string;
  }[];
  readonly totals: {
    readonly sessions: number;
    readonly messages: number;
    readonly failures: number;
    readonly successes: number;
  };
  /** The earliest first, without days of no activity. */
  readonly days: readonly DayCount[];
  /** The most recently active sessions, the latest first. */
  readonly latest: readonly SessionSummary[];
  /** The first decisions and corrections that hold, as `memory.get` lists them, and how many there are. */
  readonly decisions: { readonly total: number; readonly first: readonly Conclusion[] };
  /** Failures that agents are warned of, the first of them as `memory.get` lists them, and how many there are. */
  readonly warnings: {
    readonly total: number;
    readonly first: readonly MemoryAntiPattern[];
    /** Why there are none, as what follows a colon; absent if there are. */
    readonly whyNone?: string;
  };
  /** What failed most often so far, by command and cause. */
  readonly failing: PastFailures;
  /** Agents of which whole transcripts or hook events were not understood lately, with a file as an example. */
  readonly notRecorded: readonly { readonly agent: string; readonly reason: string; readonly path: string }[];
}

/** An event on the timeline. */
export interface TimelineMark {
  readonly type: 'request' | 'commit' | 'failure' | 'resolution';
  readonly id: string;
  readonly at: string;
  readonly text: string;
  /** Of a resolution: id of the failure that it resolved. */
  readonly resolves?: string;
}

/** A session on the timeline. */
export interface TimelineSession {
  readonly sessionId: string;
  readonly from: string;
  readonly to: string;
  readonly agent?: string;
  readonly branch?: string;
  /** Its title, else its first request. */
  readonly preview: string;
  /** How many of its tool calls failed; of equal ones `marks` has only the last. */
  readonly failures: number;
  /** In chronological order. */
  readonly marks: readonly TimelineMark[];
}

/** The history of a project over time. */
export interface ProjectTimeline {
  readonly days: readonly DayCount[];
  /** The latest sessions of the span, in order of their start. */
  readonly sessions: readonly TimelineSession[];
  /** How many sessions there are in the span. */
  readonly total: number;
}

/** An attempt or note that something was learned from. */
export interface Evidence {
  readonly sessionId: string;
  /** Id of the attempt. */
  readonly id: string;
  readonly at: string;
  readonly text: string;
}

/** A failure, or something that the user asked to avoid. */
export interface MemoryAntiPattern {
  /** For `memory.evidence`, `memory.dismiss`, `memory.pin`, `memory.reset` and `memory.forget`. */
  readonly id: string;
  /** `note`: entered by the user; it can be forgotten, but not pinned or dismissed. */
  readonly kind: 'failure' | 'note';
  readonly pattern: string;
  readonly reason: string;
  readonly count: number;
  readonly occurredAt: string;
  readonly confidence: number;
  /** What worked instead. */
  readonly fix?: string;
  readonly state: 'active' | 'pinned' | 'dismissed';
  /** Ids of the sessions in which it failed. */
  readonly sessions: readonly string[];
  /** The colleague on whose machine it failed. */
  readonly author?: string;
}

/** A best practice of the project. */
export interface MemoryPractice {
  readonly pattern: string;
  readonly reason: string;
  readonly confidence: number;
  /** How often it was seen, and when last. */
  readonly evidence: string;
  /** For `memory.forget`; only notes of the user have one. */
  readonly id?: string;
}

/** A warning that was given to an agent, and how it ended. */
export interface MemoryWarning {
  readonly id: string;
  /** The failure that it was about, for `memory.dismiss` and `memory.pin`. */
  readonly failureId: string;
  readonly at: string;
  readonly command: string;
  /** The text that the agent got. */
  readonly reason: string;
  /** `open`: too recent to tell. */
  readonly ended: 'heeded' | 'overridden-failed' | 'overridden-succeeded' | 'open';
  readonly sessionId: string;
  readonly agent?: string;
}

/** What the memory of a project holds. */
export interface MemoryResult {
  /** The decisions and corrections that hold, pinned ones and the latest first, at most 200. */
  readonly decisions: readonly Conclusion[];
  /** What agents are warned about now, notes to avoid something, and failures that were pinned or dismissed. */
  readonly antiPatterns: readonly MemoryAntiPattern[];
  /** Why agents are warned about no failure now, as what follows a colon; absent if they are. */
  readonly whyNone?: string;
  /** What has failed so far, however old, the most frequent first. */
  readonly past: PastFailures;
  readonly bestPractices: readonly MemoryPractice[];
  /** The latest first, at most 200. */
  readonly warnings: readonly MemoryWarning[];
  /** How many warnings ended in each way, including those that `warnings` omits. */
  readonly warningTotals: {
    readonly heeded: number;
    readonly overriddenFailed: number;
    readonly overriddenSucceeded: number;
    readonly open: number;
  };
}

/** Which changed files to list. */
export interface ChangedFilesParams {
  readonly project: string;
  /** Files whose path contains this. */
  readonly query?: string;
  /** Default `recent`. */
  readonly order?: FileOrder;
  /** Default 200, at most 5,000. */
  readonly limit?: number;
}

/** Which changes of a file to return. */
export interface FileChangesParams {
  readonly project: string;
  readonly path: string;
  /** Default 50, at most 200. */
  readonly limit?: number;
  /** Default 0. */
  readonly offset?: number;
}

/** The calls that made a commit, the earliest first. */
export interface CommitChanges {
  readonly changes: readonly ChangeOrigin[];
}

/** Which usage to add up. */
export interface UsageParams {
  /** Id of a project. Default: all projects. */
  readonly project?: string;
  /** ISO 8601. */
  readonly since?: string;
  /** ISO 8601. */
  readonly until?: string;
  /** IANA name of the time zone that days are in. Default UTC. */
  readonly timeZone?: string;
  /** How many of the most expensive sessions are listed. Default 10, at most 100. */
  readonly limit?: number;
}
