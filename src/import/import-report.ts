import type { AgentName } from '../agents/agent-name.ts';
import { ImportCounter, type ImportCounts } from '../recording/transcript/import-counts.ts';

/** A transcript that was not read, and why. */
export interface UnreadSource {
  readonly path: string;
  readonly reason: string;
  /** It is not the user's own, and is imported only if it is named. */
  readonly isForeign?: true;
}

/** Parts of transcripts that could not be understood for the same reason. `path` is where the first one is. */
export interface TranscriptProblem extends UnreadSource {
  /** Line number within the part read by this import, counted from 1. */
  readonly line: number;
  readonly count: number;
}

/** The result for the transcripts of one agent. Numbers are of transcripts unless stated otherwise. */
export interface AgentReport {
  readonly agent: AgentName;
  readonly found: number;
  readonly read: number;
  /** Not changed since the last import. */
  readonly unchanged: number;
  /** Excluded by `since`. */
  readonly older: number;
  /** Not read because they cannot be opened, another process is reading them, recording is paused, or they are foreign. */
  readonly unread: readonly UnreadSource[];
  /** Bytes read. */
  readonly bytes: number;
  /** Lines read. */
  readonly lines: number;
  /** Number of sessions. */
  readonly sessions: number;
  readonly counts: ImportCounts;
  /** One for each reason, at most 1,000; `counts.problems` is the number of parts. */
  readonly problems: readonly TranscriptProblem[];
}

/** The result of an import. */
export interface ImportReport {
  /** One for each agent that has transcripts. */
  readonly agents: readonly AgentReport[];
  /** Names of the projects with new records. */
  readonly projects: readonly string[];
  /** Number of prompts added to the prompt history. */
  readonly prompts: number;
  readonly isDryRun: boolean;
}

const MAX_PROBLEMS = 1000;

/** Mutable {@link AgentReport}. */
export class AgentReportBuilder implements AgentReport {
  readonly agent: AgentName;
  found = 0;
  read = 0;
  unchanged = 0;
  older = 0;
  bytes = 0;
  lines = 0;
  readonly unread: UnreadSource[] = [];
  readonly counts: ImportCounter = new ImportCounter();
  readonly problems: TranscriptProblem[] = [];
  readonly #sessions = new Set<string>();

  constructor(agent: AgentName) {
    this.agent = agent;
  }

  get sessions(): number {
    return this.#sessions.size;
  }

  get sessionIds(): readonly string[] {
    return [...this.#sessions];
  }

  addSession(sessionId: string): void {
    this.#sessions.add(sessionId);
  }

  addProblem(problem: TranscriptProblem): void {
    const index = this.problems.findIndex(({ reason }) => reason === problem.reason);
    const known = this.problems[index];
    if (known !== undefined) this.problems[index] = { ...known, count: known.count + problem.count };
    else if (this.problems.length < MAX_PROBLEMS) this.problems.push(problem);
  }

  /** Adds the report of another thread. */
  add(other: AgentReport & { readonly sessionIds: readonly string[] }): void {
    this.read += other.read;
    this.bytes += other.bytes;
    this.lines += other.lines;
    this.unread.push(...other.unread);
    this.counts.add(other.counts);
    for (const problem of other.problems) this.addProblem(problem);
    for (const id of other.sessionIds) this.#sessions.add(id);
  }

  /** The report as plain data. */
  report(): AgentReport {
    return { ...this, sessions: this.#sessions.size };
  }
}

/** The progress of an import. */
export interface ImportProgress {
  /** `reading` transcripts, `learning` from new records, `indexing` them. */
  readonly phase: 'reading' | 'learning' | 'indexing';
  /** In bytes, or in projects while learning. */
  readonly done: number;
  readonly total: number;
}
