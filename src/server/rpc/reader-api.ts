/* Types of the methods that read one session. */
import type { ChangedFile, ReaderRow, SessionCall, SessionDeletion, UsageSums } from '../../project/index.ts';
import type { SessionSummary } from '../../record/index.ts';

export type { DiffHunk, DiffLine } from '../../text/line-diff.ts';
export type { ChangedFile, ReaderRow, SessionCall, SessionDeletion };
export type ReaderChange = SessionCall['changes'][number];

/** One page of a session as it is read. */
export interface SessionRowsPage {
  readonly summary: SessionSummary;
  /** Fewer than asked for when they are large, but at least one if there is any. */
  readonly rows: readonly ReaderRow[];
  /** Index of the first row. */
  readonly offset: number;
  /** How many rows the session has. */
  readonly total: number;
  /** Id of the record that `around` found; absent when there is none. */
  readonly around?: string;
}

/** A row of a session that can be jumped to. */
export interface SessionAnchor {
  readonly row: number;
  /** Id of the message or attempt. */
  readonly id: string;
  readonly at: string;
  /** On one line. */
  readonly text: string;
}

/** What a session was about and what it changed, without reading all of it. */
export interface SessionOutline {
  readonly summary: SessionSummary;
  /** In order of their first reply. */
  readonly models: readonly string[];
  /** What it used and cost, as `usage.get` lists it; absent without a usable index. */
  readonly usage?: UsageSums;
  readonly files: readonly ChangedFile[];
  readonly prompts: readonly SessionAnchor[];
  /** `isFixed`: a later call solved it, or the same call worked again. */
  readonly failures: readonly (SessionAnchor & { readonly isFixed: boolean })[];
  /** The command that resumes the session in its agent, where the agent has one. */
  readonly resume?: string;
}

/** A session as a document. */
export interface ExportedSession {
  /** A name for the file. */
  readonly name: string;
  readonly type: string;
  readonly text: string;
}

/** Where a text occurs in a session. */
export interface SessionFindings {
  /** The records that contain it, in order of time. */
  readonly matches: readonly { readonly row: number; readonly id: string; readonly count: number }[];
  readonly total: number;
}
