import { availableParallelism } from 'node:os';
import { basename, dirname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import type { AgentName } from '../agents/agent-name.ts';
import { AGENTS, loadTranscripts } from '../agents/registry.ts';
import type { AgentTranscripts, TranscriptLocations } from '../agents/transcript/transcript.ts';
import type { Home } from '../project/index.ts';
import { getOrAdd } from '../record/once.ts';
import { PositionStore } from '../recording/transcript/position-store.ts';
import { addUnknownParts, NOTHING_UNDERSTOOD } from '../recording/transcript/unknown-parts.ts';
import { earlierOf, laterOf } from '../text/compare-text.ts';
import {
  type FoundSource,
  findNamedSources,
  findSources,
  groupSources,
  type ScannedSource,
  sortSources,
  totalBytes,
} from './find-sources.ts';
import { findForeignReason } from './foreign-transcript.ts';
import { AgentReportBuilder, type ImportProgress, type ImportReport } from './import-report.ts';
import { canUseThreads, importInThreads } from './import-threads.ts';
import {
  type ImportResult,
  type ProjectChange,
  readModifiedTime,
  SourceImporter,
  type SourceImporterOptions,
} from './source-importer.ts';
import type { TargetProject, TargetProjects } from './target-projects.ts';

/** What to import. */
export interface ImportOptions {
  /** Default: all agents. */
  readonly agents?: readonly AgentName[];
  /**
   * Absolute paths of transcripts. Default: all that are found on the machine, except those that are not the user's own.
   */
  readonly paths?: readonly string[];
  readonly places: TranscriptLocations;
  /** Only transcripts modified since, in epoch milliseconds. */
  readonly since?: number;
  /** Only count, write nothing. Default false. */
  readonly dryRun?: boolean;
  /** Update knowledge and index at once. Default true; otherwise they are updated when needed. */
  readonly learn?: boolean;
  /**
   * Number of threads including this one. Default: one per processor, at most three, and at most one per 32 MB. The
   * transcripts of a project are read by one thread.
   */
  readonly threads?: number;
  /** May throw to stop the import; what was read until then is kept. */
  readonly onProgress?: (progress: ImportProgress) => void;
  /** Default `Date.now`. */
  readonly now?: () => number;
}

/** A worker needs half a second to reach full speed. */
const BYTES_PER_THREAD = 32 * 1024 * 1024;
/** Below this, little memory is used anyway, and slow heap growth would cost a tenth of the speed. */
const MIN_BYTES_FOR_SLOW_HEAP_GROWTH = 256 * 1024 * 1024;
/** More threads increase memory more than speed. */
const MAX_THREADS = 3;

/**
 * Imports the transcripts of agents: messages, calls and their outcomes. Idempotent, and reads only what is new. A
 * transcript that cannot be read does not stop the import; the report lists it.
 */
export async function importTranscripts(home: Home, options: ImportOptions): Promise<ImportReport> {
  return await new Import(home, options).run();
}

class Import {
  readonly #home: Home;
  readonly #options: ImportOptions;
  readonly #importing: SourceImporterOptions;
  readonly #positions: PositionStore;
  readonly #changed: ChangedProjects;
  readonly #reports = new Map<AgentName, AgentReportBuilder>();
  #prompts = 0;

  constructor(home: Home, options: ImportOptions) {
    const { dryRun = false, now = Date.now } = options;
    this.#home = home;
    this.#options = options;
    this.#importing = { dryRun, now, startedAt: now(), folders: new Map() };
    this.#positions = new PositionStore(home.path);
    this.#changed = new ChangedProjects(home);
  }

  async run(): Promise<ImportReport> {
    const { places, paths } = this.#options;
    const agents = await loadTranscripts(this.#options.agents);
    const found = paths === undefined ? findSources(agents, places) : findNamedSources(agents, paths, places);
    for (const { source } of found) this.#report(source).found++;
    const wanted = found.filter((entry) => this.#isWanted(entry)).flatMap((entry) => this.#checkOrigin(entry) ?? []);
    if (wanted.length > 0) this.#home.catchUp();
    const work = async (): Promise<void> => {
      await this.#importAll(wanted, agents);
      if (this.#importing.dryRun || this.#options.learn === false) return;
      await this.#changed.update((progress) => this.#options.onProgress?.(progress));
    };
    await (totalBytes(wanted) < MIN_BYTES_FOR_SLOW_HEAP_GROWTH ? work() : withSlowHeapGrowth(work));
    if (!this.#importing.dryRun) this.#noteUnknownParts();
    return {
      agents: [...this.#reports.values()].map((report) => report.report()),
      projects: this.#changed.names,
      prompts: this.#prompts,
      isDryRun: this.#importing.dryRun,
    };
  }

  #noteUnknownParts(): void {
    const { now } = this.#importing;
    const lastAt = now();
    for (const { agent, problems } of this.#reports.values()) {
      const parts = problems.map(({ reason, count, path }) => ({
        reason,
        count,
        path,
        lastAt,
        isWhole: reason === NOTHING_UNDERSTOOD,
      }));
      addUnknownParts(this.#home.path, agent, parts, lastAt);
    }
  }

  async #importAll(wanted: readonly FoundSource[], agents: readonly AgentTranscripts[]): Promise<void> {
    const { sources, withoutFolder } = sortSources(wanted);
    const importer = new SourceImporter(this.#home, this.#importing);
    // First, so that transcripts that do not name the remote of the same folder find its project.
    for (const { folder, remote, source } of sources)
      if (folder !== undefined && remote !== undefined && !source.isForeign) importer.targets.find(folder, remote);
    const others = await this.#importInParallel(sources, importer);
    for (const { folders } of others) for (const entry of folders) this.#importing.folders.set(...entry);
    const remaining = this.#findFolders(withoutFolder, agents);
    const last = remaining.length > 0 && others.length > 0 ? this.#createNextImporter(importer) : importer;
    await this.#importInOrder(remaining, last);
    for (const each of new Set([importer, last])) this.#addResult(each.result(), importer.targets);
    for (const result of others) this.#addResult(result, importer.targets);
  }

  /** Imports in several threads if that is worthwhile. Returns the results of the other threads. */
  async #importInParallel(
    sources: readonly ScannedSource[],
    importer: SourceImporter,
  ): Promise<readonly ImportResult[]> {
    const threads = this.#chooseThreads(sources);
    const getProject = (folder: string): string => {
      const target = importer.targets.find(folder);
      return target === undefined ? folder : target.directory || target.name;
    };
    const groups = threads > 1 ? groupSources(sources, getProject) : [];
    if (groups.length < 2) {
      await this.#importInOrder(sources, importer);
      return [];
    }
    const total = totalBytes(sources);
    return await importInThreads({
      ...this.#importing,
      home: this.#home,
      groups,
      threads: Math.min(threads, groups.length),
      importer,
      onBytes: (done) => this.#options.onProgress?.({ phase: 'reading', done, total }),
    });
  }

  #chooseThreads(sources: readonly ScannedSource[]): number {
    if (!canUseThreads()) return 1;
    const worthwhile = Math.ceil(totalBytes(sources) / BYTES_PER_THREAD);
    return this.#options.threads ?? Math.min(MAX_THREADS, availableParallelism(), worthwhile);
  }

  /** An importer that knows what all threads have recorded. */
  #createNextImporter(importer: SourceImporter): SourceImporter {
    this.#home.catchUp();
    return new SourceImporter(this.#home, { ...this.#importing, newProjects: importer.targets.newProjects });
  }

  async #importInOrder(sources: readonly FoundSource[], importer: SourceImporter): Promise<void> {
    const total = totalBytes(sources);
    let done = 0;
    try {
      for (const found of sources) {
        await importer.importSource(found, (bytes) =>
          this.#options.onProgress?.({ phase: 'reading', done: done + bytes, total }),
        );
        done += found.source.size;
      }
    } finally {
      importer.savePrompts();
    }
  }

  #addResult({ agents, changes, prompts }: ImportResult, targets: TargetProjects): void {
    for (const report of agents) this.#report(report).add(report);
    for (const change of changes) {
      const target = targets.find(change.folder);
      if (target !== undefined) this.#changed.add(target, change);
    }
    this.#prompts += prompts;
  }

  /**
   * Finds the working directories of transcripts without one. Some agents store only a hash of it, which the directories
   * of other sessions may match. As a fallback, the folder of the transcript is used.
   */
  #findFolders(sources: readonly FoundSource[], agents: readonly AgentTranscripts[]): readonly FoundSource[] {
    if (sources.length === 0) return [];
    const { places } = this.#options;
    const projects = [...new Set([...places.projects, ...this.#importing.folders.values()])];
    const foundAgain = findSources(agents, { ...places, projects });
    const found = new Map(foundAgain.map((entry) => [entry.source.path, entry]));
    return sources.map((entry) => {
      const { transcripts, source } = entry.source.isForeign ? entry : (found.get(entry.source.path) ?? entry);
      if (source.cwd !== undefined || AGENTS[source.agent].hasPromptsOnly) return { transcripts, source };
      const folder = dirname(source.path);
      const cwd = basename(folder) === 'chats' ? dirname(folder) : folder;
      return { transcripts, source: { ...source, cwd } };
    });
  }

  /** Whether a transcript may contain something new. */
  #isWanted({ source }: FoundSource): boolean {
    const report = this.#report(source);
    const { since } = this.#options;
    if (!this.#home.config.get('recording.enabled')) {
      report.unread.push({ path: source.path, reason: 'recording is paused' });
      return false;
    }
    if (since !== undefined && (readModifiedTime(source) ?? since) < since) {
      report.older++;
      return false;
    }
    if (this.#positions.read(source.path)?.stamp !== source.stamp) return true;
    report.unchanged++;
    return false;
  }

  /** A transcript that is not the user's own is read only if it was named, and what is recorded of it is marked. */
  #checkOrigin(entry: FoundSource): FoundSource | undefined {
    const reason = findForeignReason(entry, { environment: this.#home.env, home: this.#home.path });
    if (reason === undefined) return entry;
    const { source } = entry;
    if (this.#options.paths !== undefined) return { ...entry, source: { ...source, isForeign: true } };
    this.#report(source).unread.push({ path: source.path, reason, isForeign: true });
    return undefined;
  }

  #report({ agent }: { readonly agent: AgentName }): AgentReportBuilder {
    return getOrAdd(this.#reports, agent, () => new AgentReportBuilder(agent));
  }
}

/** Collects the projects with new records, and updates their knowledge and the index. */
class ChangedProjects {
  readonly #home: Home;
  readonly #changes = new Map<TargetProject, ProjectChange>();

  constructor(home: Home) {
    this.#home = home;
  }

  get names(): readonly string[] {
    return [...this.#changes.keys()].map(({ name }) => name);
  }

  add(target: TargetProject, change: ProjectChange): void {
    const known = this.#changes.get(target) ?? change;
    this.#changes.set(target, {
      folder: change.folder,
      first: earlierOf(known.first, change.first),
      last: laterOf(known.last, change.last),
      isNew: known.isNew || change.isNew,
    });
  }

  async update(onProgress: (progress: ImportProgress) => void): Promise<void> {
    let done = 0;
    for (const [target, { first, last, isNew }] of this.#changes) {
      onProgress({ phase: 'learning', done: done++, total: this.#changes.size });
      await setImmediate();
      if (target.project === undefined) continue;
      this.#home.noteActivity(target.project, { first, last, isNew });
      target.project.maintain();
    }
    if (done === 0) return;
    this.#home.catchUp((bytes, total) => onProgress({ phase: 'indexing', done: bytes, total }));
  }
}

/**
 * Runs `work` while the heaps of all threads grow by at most a quarter between garbage collections. By default V8 lets
 * them grow fourfold, which is too much for several threads that produce a lot of garbage.
 */
async function withSlowHeapGrowth<T>(work: () => Promise<T>): Promise<T> {
  setFlagsFromString('--heap-growing-percent=25');
  try {
    return await work();
  } finally {
    setFlagsFromString('--heap-growing-percent=0');
  }
}
