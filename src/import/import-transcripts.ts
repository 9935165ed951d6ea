import { setImmediate } from 'node:timers/promises';
import type { AgentName } from '../agents/agent-name.ts';
import type { MachinePlaces, TranscriptSource } from '../agents/transcript/transcript-source.ts';
import { statIfThere } from '../files/index.ts';
import { PositionStore, type StoredPosition } from '../intake/index.ts';
import type { Home } from '../project/index.ts';
import type { TypedPrompt } from '../prompts/index.ts';
import { YoreError } from '../record/index.ts';
import { loadAgents } from './agent-table.ts';
import type { RouterSurroundings } from './event-router.ts';
import { type FoundSource, findSources, namedSources } from './find-sources.ts';
import type { ImportProgress } from './import-progress.ts';
import { AgentTally, type ImportReport } from './import-report.ts';
import { Learner } from './learn.ts';
import { orderSources } from './order-sources.ts';
import { ProjectPlaces } from './project-places.ts';
import { readPart, type SourceReader } from './read-source.ts';

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
    await this.#readAll(orderSources(wanted));
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
    const tally = this.#tally(source);
    const reader: SourceReader = {
      transcripts,
      positions: this.#positions,
      surroundings: this.#surroundings,
      tally,
      now: this.#now,
      onBytes,
      onGain: (place, timestamp) => this.#learner.note(place, timestamp),
    };
    this.#current = source;
    try {
      let before: StoredPosition | undefined;
      for (let isComplete = false; !isComplete; ) {
        // Others get a turn: Ctrl-C, a hook that waits for the lock.
        await setImmediate();
        const part = this.#locked(source, () =>
          readPart(source, this.#surroundings.dryRun ? before : this.#positions.read(source.path), reader),
        );
        if (part === undefined) {
          this.#leave(source, 'another process is reading it');
          return;
        }
        before = part.stored;
        isComplete = part.isComplete;
      }
      tally.read++;
    } catch (error) {
      if (!(error instanceof YoreError) || error.code !== 'STORAGE') throw error;
      this.#leave(source, error.message);
    }
  }

  #locked<T>(source: TranscriptSource, work: () => T): T | undefined {
    return this.#surroundings.dryRun ? work() : this.#positions.locked(source.path, work);
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

function changedAt(source: TranscriptSource | undefined): number | undefined {
  return source === undefined ? undefined : statIfThere(source.path)?.mtimeMs;
}
