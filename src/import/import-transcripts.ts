import { basename, dirname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { AgentName } from '../agents/agent-name.ts';
import type {
  AgentTranscripts,
  MachinePlaces,
  TranscriptSource,
} from '../agents/transcript/transcript-source.ts';
import { statIfThere } from '../files/index.ts';
import { PositionStore } from '../intake/index.ts';
import type { Home } from '../project/index.ts';
import type { TypedPrompt } from '../prompts/index.ts';
import { YoreError } from '../record/index.ts';
import { loadAgents } from './agent-table.ts';
import { PROMPTS_ONLY, type RouterSurroundings } from './event-router.ts';
import { type FoundSource, findSources, namedSources } from './find-sources.ts';
import type { ImportProgress } from './import-progress.ts';
import { AgentTally, type ImportReport } from './import-report.ts';
import { Learner } from './learn.ts';
import { orderSources } from './order-sources.ts';
import { ProjectPlaces } from './project-places.ts';
import { type SourceReader, SourceReading } from './source-reading.ts';

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
  /** May throw, to stop: what was read by then is kept. */
  readonly onProgress?: (progress: ImportProgress) => void;
  /** Default: the clock. */
  readonly now?: () => number;
}

/** A transcript that was written to so lately may be of a session that still goes on. */
const LIVE_MS = 3_600_000;
const PROMPTS_AT_ONCE = 1000;

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
  readonly #now: () => number;
  readonly #positions: PositionStore;
  readonly #surroundings: RouterSurroundings;
  readonly #learner: Learner;
  readonly #tallies = new Map<AgentName, AgentTally>();
  /** The source that is being read. */
  #current: TranscriptSource | undefined;
  #typed: TypedPrompt[] = [];
  #prompts = 0;

  constructor(home: Home, options: ImportOptions) {
    const { dryRun = false, now = Date.now } = options;
    this.#home = home;
    this.#options = options;
    this.#now = now;
    this.#positions = new PositionStore(home.path);
    this.#learner = new Learner(home);
    this.#surroundings = {
      places: new ProjectPlaces(home, { dryRun, startedAt: now(), isLive: () => this.#isLive() }),
      folders: new Map(),
      dryRun,
      clock: () => changedAt(this.#current) ?? now(),
      onPrompt: (text, timestamp, place) => {
        const project = place?.project?.info.projectHash;
        this.#typed.push({
          text,
          usedAt: Date.parse(timestamp),
          ...(project === undefined ? {} : { project }),
        });
      },
    };
  }

  async run(): Promise<ImportReport> {
    const { places, paths } = this.#options;
    const agents = await loadAgents(this.#options.agents);
    const found = paths === undefined ? findSources(agents, places) : namedSources(agents, paths, places);
    for (const { source } of found) this.#tally(source).found++;
    const wanted = this.#isPaused() ? [] : found.filter((entry) => this.#isWanted(entry));
    if (this.#isPaused()) for (const { source } of found) this.#leave(source, 'recording is paused');
    if (wanted.length > 0) this.#home.catchUp();
    const { sources, withoutFolder } = orderSources(wanted);
    await this.#readAll(sources);
    await this.#readAll(this.#housed(withoutFolder, agents));
    this.#savePrompts();
    if (!this.#surroundings.dryRun && this.#options.learn !== false) {
      await this.#learner.learn((progress) => this.#options.onProgress?.(progress));
    }
    return {
      agents: [...this.#tallies.values()].map((tally) => tally.report()),
      projects: this.#learner.names,
      prompts: this.#prompts,
      isDryRun: this.#surroundings.dryRun,
    };
  }

  /**
   * The folders that other sessions work in may tell where these belong: some agents keep only a hash of it. What still
   * has none belongs to the folder that its transcript is in.
   */
  #housed(sources: readonly FoundSource[], agents: readonly AgentTranscripts[]): readonly FoundSource[] {
    if (sources.length === 0) return [];
    const { places } = this.#options;
    const projects = [...new Set([...places.projects, ...this.#surroundings.folders.values()])];
    const again = findSources(agents, { ...places, projects });
    const found = new Map(again.map((entry) => [entry.source.path, entry]));
    return sources.map((entry) => {
      const { transcripts, source } = found.get(entry.source.path) ?? entry;
      if (source.cwd !== undefined || PROMPTS_ONLY.has(source.agent)) return { transcripts, source };
      return { transcripts, source: { ...source, cwd: folderOf(source.path) } };
    });
  }

  async #readAll(sources: readonly FoundSource[]): Promise<void> {
    const total = sources.reduce((sum, { source }) => sum + source.size, 0);
    let done = 0;
    for (const found of sources) {
      const { source } = found;
      const report = (bytes: number): void =>
        this.#options.onProgress?.({ phase: 'reading', done: done + Math.min(bytes, source.size), total });
      await this.#readSource(found, report);
      done += source.size;
      report(0);
      if (this.#typed.length >= PROMPTS_AT_ONCE) this.#savePrompts();
    }
  }

  async #readSource({ transcripts, source }: FoundSource, onBytes: (bytes: number) => void): Promise<void> {
    const reader: SourceReader = {
      transcripts,
      positions: this.#positions,
      surroundings: this.#surroundings,
      tally: this.#tally(source),
      now: this.#now,
      onBytes,
      onGain: (place, timestamp) => this.#learner.note(place, timestamp),
    };
    this.#current = source;
    try {
      const isFree = await this.#locked(source, async () => {
        await this.#readParts(new SourceReading(source, this.#positions.read(source.path), reader), source);
        return true;
      });
      if (isFree !== true) this.#leave(source, 'another process is reading it');
    } catch (error) {
      if (!(error instanceof YoreError) || error.code !== 'STORAGE') throw error;
      this.#leave(source, error.message);
    }
  }

  async #readParts(reading: SourceReading, source: TranscriptSource): Promise<void> {
    try {
      // Others get a turn in between, Ctrl-C among them.
      do await setImmediate();
      while (reading.next());
      this.#tally(source).read++;
    } finally {
      reading.close();
    }
  }

  async #locked(source: TranscriptSource, work: () => Promise<true>): Promise<true | undefined> {
    return this.#surroundings.dryRun ? await work() : await this.#positions.lockedHeld(source.path, work);
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

  #isLive(): boolean {
    return (changedAt(this.#current) ?? 0) > this.#now() - LIVE_MS;
  }

  #tally({ agent }: TranscriptSource): AgentTally {
    const tally = this.#tallies.get(agent) ?? new AgentTally(agent);
    this.#tallies.set(agent, tally);
    return tally;
  }

  #savePrompts(): void {
    if (this.#typed.length === 0 || this.#surroundings.dryRun) return;
    this.#prompts += this.#home.prompts.upsertAll(this.#typed);
    this.#typed = [];
  }
}

/** The folder that stands for the project of a transcript; its sessions may have one of their own. */
function folderOf(path: string): string {
  const folder = dirname(path);
  return basename(folder) === 'chats' ? dirname(folder) : folder;
}

function changedAt(source: TranscriptSource | undefined): number | undefined {
  return source === undefined ? undefined : statIfThere(source.path)?.mtimeMs;
}
