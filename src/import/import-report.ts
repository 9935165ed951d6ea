import type { AgentName } from '../agents/agent-name.ts';
import { ImportCounter, type ImportCounts } from '../recording/transcript/import-counts.ts';

/** Something in a transcript that should have been understood. */
export interface TranscriptProblem {
  readonly path: string;
  /** Of the part read in this import; counted from 1. */
  readonly line: number;
  readonly reason: string;
}

/** A source that was not taken in, and why. */
export interface LeftSource {
  readonly path: string;
  readonly reason: string;
}

/** What was made of the transcripts of one agent. */
export interface AgentReport {
  readonly agent: AgentName;
  readonly found: number;
  /** Sources of which something was read. */
  readonly read: number;
  /** Sources that have not changed since they were read last. */
  readonly unchanged: number;
  /** Sources that `since` left out. */
  readonly older: number;
  /** Sources that were not read: they cannot be opened, another process reads them, recording is off there. */
  readonly left: readonly LeftSource[];
  readonly bytes: number;
  readonly lines: number;
  readonly sessions: number;
  readonly counts: ImportCounts;
  /** The first thousand. `counts.problems` says how many there are. */
  readonly problems: readonly TranscriptProblem[];
}

/** What an import did. */
export interface ImportReport {
  /** One for each agent of which anything was found. */
  readonly agents: readonly AgentReport[];
  /** Names of the projects that gained something. */
  readonly projects: readonly string[];
  /** Prompts that went into the prompt history. */
  readonly prompts: number;
  readonly isDryRun: boolean;
}

const MOST_PROBLEMS = 1000;

/** Counts what becomes of one agent's transcripts. */
export class AgentTally implements AgentReport {
  readonly agent: AgentName;
  found = 0;
  read = 0;
  unchanged = 0;
  older = 0;
  bytes = 0;
  lines = 0;
  readonly left: LeftSource[] = [];
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
    if (this.problems.length < MOST_PROBLEMS) this.problems.push(problem);
  }

  /** Adds what another one counted of the same agent's transcripts. */
  add(other: AgentReport & { readonly sessionIds: readonly string[] }): void {
    this.read += other.read;
    this.bytes += other.bytes;
    this.lines += other.lines;
    this.left.push(...other.left);
    this.counts.add(other.counts);
    for (const problem of other.problems) this.addProblem(problem);
    for (const id of other.sessionIds) this.#sessions.add(id);
  }

  /** As plain data. */
  report(): AgentReport {
    const { agent, found, read, unchanged, older, left, bytes, lines, sessions, counts, problems } = this;
    return { agent, found, read, unchanged, older, left, bytes, lines, sessions, counts, problems };
  }
}
