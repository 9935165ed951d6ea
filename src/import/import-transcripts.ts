import { availableParallelism } from 'node:os';
import { basename, dirname } from 'node:path';
import type { AgentName } from '../agents/agent-name.ts';
import { AGENTS, loadTranscripts } from '../agents/registry.ts';
import type {
  AgentTranscripts,
  MachinePlaces,
  TranscriptSource,
} from '../agents/transcript/transcript-source.ts';
import type { Home } from '../project/index.ts';
import { PositionStore } from '../recording/transcript/position-store.ts';
import { type FoundSource, findSources, namedSources } from './find-sources.ts';
import { bytesOf, groupSources } from './group-sources.ts';
import type { ImportProgress } from './import-progress.ts';
import { AgentTally, type ImportReport } from './import-report.ts';
import { hasThreads, takeInThreads } from './import-threads.ts';
import { withLeanHeap } from './lean-heap.ts';
import { Learner } from './learn.ts';
import { type BegunSource, orderSources } from './order-sources.ts';
import type { ProjectPlaces } from './project-places.ts';
import { changedAt, SourceTaker, type TakenSources, type TakerOptions } from './source-taker.ts';

/** What to import. */
export interface ImportOptions {
  /** Default: all. */
  readonly agents?: readonly AgentName[];
  /** Transcripts named by hand, absolute. Default: what the agents left on the machine. */
  readonly paths?: readonly string[];
  readonly places: MachinePlaces;
  /** Only transcripts that were written to since, in epoch milliseconds. */
  readonly since?: number;
  /** Only count. Default false. */
  readonly dryRun?: boolean;
  /** Whether knowledge and index follow at once. Default true; else they do when they are needed. */
  readonly learn?: boolean;
  /**
   * How many threads read, this one included. Default: as many as there are processors, at most three, and one for each
   * 32 MB. Sources of one project are read by one thread.
   */
  readonly threads?: number;
  /** May throw, to stop: what was read by then is kept. */
  readonly onProgress?: (progress: ImportProgress) => void;
  /** Default: the clock. */
  readonly now?: () => number;
}

/** A worker takes half a second until it is as fast as it gets. */
const BYTES_FOR_A_THREAD = 32 * 1024 * 1024;
/** It costs a tenth of the speed; less than this is read in little memory anyway. */
const BYTES_FOR_LEAN_HEAP = 256 * 1024 * 1024;
/** Beyond it memory grows more than speed. */
const MOST_THREADS = 3;

/**
 * Takes in what agents left on the machine: messages, calls and their outcomes, each once, however often it is called.
 * Reads only what is new. One source that cannot be read does not stop it: the report says so.
 */
export async function importTranscripts(home: Home, options: ImportOptions): Promise<ImportReport> {
  return await new Import(home, options).run();
}

class Import {
  readonly #home: Home;
  readonly #options: ImportOptions;
  readonly #taking: TakerOptions;
  readonly #positions: PositionStore;
  readonly #learner: Learner;
  readonly #tallies = new Map<AgentName, AgentTally>();
  #prompts = 0;

  constructor(home: Home, options: ImportOptions) {
    const { dryRun = false, now = Date.now } = options;
    this.#home = home;
    this.#options = options;
    this.#taking = { dryRun, now, startedAt: now(), folders: new Map() };
    this.#positions = new PositionStore(home.path);
    this.#learner = new Learner(home);
  }

  async run(): Promise<ImportReport> {
    const { places, paths } = this.#options;
    const agents = await loadTranscripts(this.#options.agents);
    const found = paths === undefined ? findSources(agents, places) : namedSources(agents, paths, places);
    for (const { source } of found) this.#tally(source).found++;
    const wanted = this.#isPaused() ? [] : found.filter((entry) => this.#isWanted(entry));
    if (this.#isPaused()) for (const { source } of found) this.#leave(source, 'recording is paused');
    if (wanted.length > 0) this.#home.catchUp();
    const work = (): Promise<void> => this.#takeAndLearn(wanted, agents);
    await (bytesOf(wanted) < BYTES_FOR_LEAN_HEAP ? work() : withLeanHeap(work));
    return {
      agents: [...this.#tallies.values()].map((tally) => tally.report()),
      projects: this.#learner.names,
      prompts: this.#prompts,
      isDryRun: this.#taking.dryRun,
    };
  }

  async #takeAndLearn(wanted: readonly FoundSource[], agents: readonly AgentTranscripts[]): Promise<void> {
    await this.#takeAll(wanted, agents);
    if (this.#taking.dryRun || this.#options.learn === false) return;
    await this.#learner.learn((progress) => this.#options.onProgress?.(progress));
  }

  async #takeAll(wanted: readonly FoundSource[], agents: readonly AgentTranscripts[]): Promise<void> {
    const { sources, withoutFolder } = orderSources(wanted);
    const taker = new SourceTaker(this.#home, this.#taking);
    const others = await this.#takeTogether(sources, taker);
    for (const { folders } of others) for (const entry of folders) this.#taking.folders.set(...entry);
    const housed = this.#housed(withoutFolder, agents);
    const last = housed.length > 0 && others.length > 0 ? this.#nextTaker(taker) : taker;
    await this.#takeInOrder(housed, last);
    for (const each of new Set([taker, last])) this.#add(each.taken(), taker.places);
    for (const taken of others) this.#add(taken, taker.places);
  }

  /** Takes in sources, in several threads where that is worth it. Returns what other threads made of theirs. */
  async #takeTogether(sources: readonly BegunSource[], taker: SourceTaker): Promise<readonly TakenSources[]> {
    const most = this.#mostThreads(sources);
    const projectOf = (folder: string): string => {
      const place = taker.places.placeOf(folder);
      return place === undefined ? folder : place.directory || place.name;
    };
    const groups = most > 1 ? groupSources(sources, projectOf) : [];
    if (groups.length < 2) {
      await this.#takeInOrder(sources, taker);
      return [];
    }
    const total = bytesOf(sources);
    return await takeInThreads({
      ...this.#taking,
      home: this.#home,
      groups,
      threads: Math.min(most, groups.length),
      taker,
      onBytes: (done) => this.#options.onProgress?.({ phase: 'reading', done, total }),
    });
  }

  #mostThreads(sources: readonly BegunSource[]): number {
    if (!hasThreads()) return 1;
    const worthwhile = Math.ceil(bytesOf(sources) / BYTES_FOR_A_THREAD);
    return this.#options.threads ?? Math.min(MOST_THREADS, availableParallelism(), worthwhile);
  }

  /** One that knows what all threads have recorded. */
  #nextTaker(taker: SourceTaker): SourceTaker {
    this.#home.catchUp();
    return new SourceTaker(this.#home, { ...this.#taking, newProjects: taker.places.newProjects });
  }

  async #takeInOrder(sources: readonly FoundSource[], taker: SourceTaker): Promise<void> {
    const total = bytesOf(sources);
    let done = 0;
    try {
      for (const found of sources) {
        await taker.take(found, (bytes) =>
          this.#options.onProgress?.({ phase: 'reading', done: done + bytes, total }),
        );
        done += found.source.size;
      }
    } finally {
      taker.savePrompts();
    }
  }

  /** Adds what was made of sources to the report. */
  #add({ agents, gains, prompts }: TakenSources, places: ProjectPlaces): void {
    for (const report of agents) this.#tally(report).add(report);
    for (const gain of gains) {
      const place = places.placeOf(gain.folder);
      if (place !== undefined) this.#learner.note(place, gain);
    }
    this.#prompts += prompts;
  }

  /**
   * The folders that other sessions work in may tell where these belong: some agents keep only a hash of it. What still
   * has none belongs to the folder that its transcript is in.
   */
  #housed(sources: readonly FoundSource[], agents: readonly AgentTranscripts[]): readonly FoundSource[] {
    if (sources.length === 0) return [];
    const { places } = this.#options;
    const projects = [...new Set([...places.projects, ...this.#taking.folders.values()])];
    const again = findSources(agents, { ...places, projects });
    const found = new Map(again.map((entry) => [entry.source.path, entry]));
    return sources.map((entry) => {
      const { transcripts, source } = found.get(entry.source.path) ?? entry;
      if (source.cwd !== undefined || AGENTS[source.agent].hasPromptsOnly) return { transcripts, source };
      return { transcripts, source: { ...source, cwd: folderOf(source.path) } };
    });
  }

  /** Whether there may be something new in a source. */
  #isWanted({ source }: FoundSource): boolean {
    const tally = this.#tally(source);
    const { since } = this.#options;
    if (since !== undefined && (changedAt(source) ?? since) < since) {
      tally.older++;
      return false;
    }
    if (this.#positions.read(source.path)?.stamp !== source.stamp) return true;
    tally.unchanged++;
    return false;
  }

  #isPaused(): boolean {
    return !this.#home.config.get('recording.enabled');
  }

  #leave(source: TranscriptSource, reason: string): void {
    this.#tally(source).left.push({ path: source.path, reason });
  }

  #tally({ agent }: { readonly agent: AgentName }): AgentTally {
    const tally = this.#tallies.get(agent) ?? new AgentTally(agent);
    this.#tallies.set(agent, tally);
    return tally;
  }
}

/** The folder that stands for the project of a transcript; its sessions may have one of their own. */
function folderOf(path: string): string {
  const folder = dirname(path);
  return basename(folder) === 'chats' ? dirname(folder) : folder;
}
