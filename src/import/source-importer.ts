import { setImmediate } from 'node:timers/promises';
import type { AgentName } from '../agents/agent-name.ts';
import { problem, type TranscriptReading, type TranscriptSource } from '../agents/transcript/transcript.ts';
import { statIfExists } from '../files/index.ts';
import { tryWithLockAsync } from '../files/lock.ts';
import type { Home } from '../project/index.ts';
import type { TypedPrompt } from '../prompts/index.ts';
import { omitUndefined, YoreError } from '../record/index.ts';
import { getOrAdd } from '../record/once.ts';
import { Checkouts } from '../recording/checkout.ts';
import { PositionStore } from '../recording/transcript/position-store.ts';
import { NOTHING_UNDERSTOOD } from '../recording/transcript/unknown-parts.ts';
import { createGitRunner } from '../registry/git-repository.ts';
import { EventRouter, type RouterOptions } from './event-router.ts';
import type { FoundSource } from './find-sources.ts';
import { type AgentReport, AgentReportBuilder } from './import-report.ts';
import { type TargetProject, TargetProjects } from './target-projects.ts';

/** Options of a {@link SourceImporter}. */
export interface SourceImporterOptions {
  readonly dryRun: boolean;
  readonly now: () => number;
  /** When the import started, in epoch milliseconds. */
  readonly startedAt: number;
  /** Working directories by session id. The importer adds to it. */
  readonly folders: Map<string, string>;
  /** Ids of projects that this import created before. */
  readonly newProjects?: ReadonlySet<string>;
}

/** A project with new records, and the times of the first and last one. */
export interface ProjectChange {
  /** A folder of the project. */
  readonly folder: string;
  /** Whether this import created it. */
  readonly isNew: boolean;
  readonly first: string;
  readonly last: string;
}

/** The result of a {@link SourceImporter}, as plain data that can be sent between threads. */
export interface ImportResult {
  readonly agents: readonly (AgentReport & { readonly sessionIds: readonly string[] })[];
  readonly changes: readonly ProjectChange[];
  /** Working directories by session id. */
  readonly folders: ReadonlyMap<string, string>;
  /** Number of prompts added to the prompt history. */
  readonly prompts: number;
}

/** A session may still be running if its transcript was modified this recently. */
const MAX_LIVE_AGE_MS = 3_600_000;
const PROMPT_BATCH_SIZE = 1000;
/** After each part, the position is stored and other work may run. */
const MAX_PART_MS = 300;
/** A call without a result is over when its session had no events for this long. */
const MAX_QUIET_MS = 24 * 3_600_000;
const EVENTS_PER_TIME_CHECK = 64;

/** Imports transcripts one after the other. Each thread of an import has one. */
export class SourceImporter {
  readonly targets: TargetProjects;
  readonly #home: Home;
  readonly #options: SourceImporterOptions;
  readonly #positions: PositionStore;
  readonly #router: RouterOptions;
  readonly #reports = new Map<AgentName, AgentReportBuilder>();
  readonly #changes = new Map<TargetProject, { first: string; last: string }>();
  #current: TranscriptSource | undefined;
  #typed: TypedPrompt[] = [];
  #prompts = 0;

  constructor(home: Home, options: SourceImporterOptions) {
    const { dryRun, now, folders } = options;
    this.#home = home;
    this.#options = options;
    this.#positions = new PositionStore(home.path);
    this.targets = new TargetProjects(home, { ...options, isLive: () => this.#isLive() });
    this.#router = {
      targets: this.targets,
      checkouts: new Checkouts(createGitRunner(home.env)),
      folders,
      dryRun,
      defaultTime: () => readModifiedTime(this.#current) ?? now(),
      onPrompt: ({ text, timestamp, uses }, target) => {
        const project = target?.project?.info.projectHash;
        this.#typed.push({ text, usedAt: Date.parse(timestamp), project, uses });
      },
    };
  }

  /**
   * Imports what is new in a transcript. If it cannot be read, the report says so. `onBytes` is called regularly with
   * the bytes done; it may throw to stop, and what was read until then is kept.
   */
  async importSource(found: FoundSource, onBytes: (bytes: number) => void): Promise<void> {
    const { source } = found;
    this.#current = source;
    const read = async (): Promise<true> => {
      await this.#read(found, (bytes) => onBytes(Math.min(bytes, source.size)));
      return true;
    };
    try {
      const lock = this.#positions.lockPath(source.path);
      const wasRead = await (this.#options.dryRun ? read() : tryWithLockAsync(lock, read));
      if (wasRead !== true) this.#addUnread(source, 'another process is reading it');
    } catch (error) {
      if (!(error instanceof YoreError) || error.code !== 'STORAGE') throw error;
      this.#addUnread(source, error.message);
    }
    onBytes(source.size);
    if (this.#typed.length >= PROMPT_BATCH_SIZE) this.savePrompts();
  }

  /** The result so far. Saves prompts. */
  result(): ImportResult {
    this.savePrompts();
    return {
      agents: [...this.#reports.values()].map((report) => ({ ...report.report(), sessionIds: report.sessionIds })),
      changes: [...this.#changes].map(([{ folder, isNew }, times]) => ({ folder, isNew, ...times })),
      folders: this.#options.folders,
      prompts: this.#prompts,
    };
  }

  /** Adds the collected prompts to the prompt history. Call it also when the import is stopped. */
  savePrompts(): void {
    if (this.#typed.length === 0 || this.#options.dryRun) return;
    this.#prompts += this.#home.prompts.upsertAll(this.#typed);
    this.#typed = [];
  }

  /** Reads and records a transcript part by part. Throws STORAGE when it cannot be read. */
  async #read({ transcripts, source }: FoundSource, onBytes: (bytes: number) => void): Promise<void> {
    const report = this.#report(source);
    const stored = this.#positions.read(source.path);
    const reading = transcripts.read(source, stored?.position);
    const states = reading.isResumed ? (stored?.sessions ?? []) : [];
    const router = new EventRouter(source, this.#router, report.counts, states);
    const firstByte = reading.bytesRead;
    let deadline = await startPart();
    let events = 0;
    let [problems, understood] = [0, 0];
    const addProblem = (reason: string): void => {
      problems++;
      report.addProblem({ path: source.path, line: reading.linesRead, reason, count: 1 });
    };
    for (const event of reading.events) {
      router.add(event);
      if (event.type === 'message' || event.type === 'call') understood++;
      if (event.type === 'skip' && event.isProblem === true) addProblem(event.reason);
      if (++events % EVENTS_PER_TIME_CHECK !== 0) continue;
      onBytes(reading.bytesRead);
      if (performance.now() < deadline) continue;
      router.flush();
      this.#storePosition(source, reading, router, { isComplete: false });
      deadline = await startPart();
    }
    if (problems > 0 && understood === 0 && !reading.isResumed) {
      router.add(problem(NOTHING_UNDERSTOOD));
      addProblem(NOTHING_UNDERSTOOD);
    }
    router.endOpenCalls(new Date(this.#options.now() - MAX_QUIET_MS).toISOString());
    router.flush();
    this.#storePosition(source, reading, router, { isComplete: true });
    report.read++;
    report.lines += reading.linesRead;
    report.bytes += reading.bytesRead - firstByte;
    this.#addRecorded(report, router);
  }

  #storePosition(
    { agent, path, stamp, isForeign }: TranscriptSource,
    reading: TranscriptReading,
    router: EventRouter,
    { isComplete }: { readonly isComplete: boolean },
  ): void {
    // If nothing was recorded because recording is off or the project is unknown, a later import tries again.
    if (this.#options.dryRun || router.isUnrecorded) return;
    this.#positions.write({
      agent,
      path,
      stamp: isComplete ? stamp : '',
      ...omitUndefined({ isForeign }),
      position: isComplete && router.isDeleted ? {} : reading.position(),
      sessions: router.sessions,
      lastRead: new Date(this.#options.now()).toISOString(),
    });
  }

  #addRecorded(report: AgentReportBuilder, { recorders }: EventRouter): void {
    for (const [target, { counts, touched }] of recorders) {
      report.counts.add(counts);
      const added = counts.messages + Object.values(counts.attempts).reduce((sum, count) => sum + count, 0);
      for (const { id, lastTime } of touched) {
        report.addSession(id);
        if (added > 0 && lastTime !== undefined) this.#addChange(target, lastTime);
      }
    }
  }

  #addUnread(source: TranscriptSource, reason: string): void {
    this.#report(source).unread.push({ path: source.path, reason });
  }

  #isLive(): boolean {
    return (readModifiedTime(this.#current) ?? 0) > this.#options.now() - MAX_LIVE_AGE_MS;
  }

  #addChange(target: TargetProject, timestamp: string): void {
    const known = this.#changes.get(target);
    if (known === undefined) this.#changes.set(target, { first: timestamp, last: timestamp });
    else if (timestamp < known.first) known.first = timestamp;
    else if (timestamp > known.last) known.last = timestamp;
  }

  #report({ agent }: TranscriptSource): AgentReportBuilder {
    return getOrAdd(this.#reports, agent, () => new AgentReportBuilder(agent));
  }
}

/** When a transcript was last modified, in epoch milliseconds. */
export function readModifiedTime(source: TranscriptSource | undefined): number | undefined {
  return source === undefined ? undefined : statIfExists(source.path)?.mtimeMs;
}

/** Lets other work run between two parts, such as handling Ctrl-C. Returns when the next part should end. */
async function startPart(): Promise<number> {
  await setImmediate();
  return performance.now() + MAX_PART_MS;
}
