import { setImmediate } from 'node:timers/promises';
import type { AgentName } from '../agents/agent-name.ts';
import type { TranscriptSource } from '../agents/transcript/transcript-source.ts';
import { statIfExists } from '../files/index.ts';
import type { Home } from '../project/index.ts';
import type { TypedPrompt } from '../prompts/index.ts';
import { YoreError } from '../record/index.ts';
import { PositionStore } from '../recording/transcript/position-store.ts';
import type { RouterSurroundings } from './event-router.ts';
import type { FoundSource } from './find-sources.ts';
import { type AgentReport, AgentTally } from './import-report.ts';
import { type ProjectPlace, ProjectPlaces } from './project-places.ts';
import { type SourceReader, SourceReading } from './source-reading.ts';

/** What a {@link SourceTaker} needs to know. */
export interface TakerOptions {
  readonly dryRun: boolean;
  readonly now: () => number;
  /** When the import began, in epoch milliseconds. */
  readonly startedAt: number;
  /** Where sessions work, by their ids, as far as it is known; what is found out is added. */
  readonly folders: Map<string, string>;
  /** Ids of projects that became known by this import before. */
  readonly newProjects?: ReadonlySet<string>;
}

/** A project that gained something, and the times of that. */
export interface ProjectGain {
  /** A folder of the project. */
  readonly folder: string;
  /** Became known by this import. */
  readonly isNew: boolean;
  readonly first: string;
  readonly last: string;
}

/** What was made of sources, as plain data. */
export interface TakenSources {
  readonly agents: readonly (AgentReport & { readonly sessionIds: readonly string[] })[];
  readonly gains: readonly ProjectGain[];
  /** Where sessions work, by their ids. */
  readonly folders: ReadonlyMap<string, string>;
  /** How many went into the prompt history. */
  readonly prompts: number;
}

/** A transcript that was written to so lately may be of a session that still goes on. */
const LIVE_MS = 3_600_000;
const PROMPTS_AT_ONCE = 1000;

/** Takes in sources, one after the other. Each thread of an import has one. */
export class SourceTaker {
  readonly places: ProjectPlaces;
  readonly #home: Home;
  readonly #options: TakerOptions;
  readonly #positions: PositionStore;
  readonly #surroundings: RouterSurroundings;
  readonly #tallies = new Map<AgentName, AgentTally>();
  readonly #gains = new Map<ProjectPlace, { first: string; last: string }>();
  /** The source that is being read. */
  #current: TranscriptSource | undefined;
  #typed: TypedPrompt[] = [];
  #prompts = 0;

  constructor(home: Home, options: TakerOptions) {
    const { dryRun, now, folders } = options;
    this.#home = home;
    this.#options = options;
    this.#positions = new PositionStore(home.path);
    this.places = new ProjectPlaces(home, { ...options, isLive: () => this.#isLive() });
    this.#surroundings = {
      places: this.places,
      folders,
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

  /**
   * Takes in what is new in a source. One that cannot be read is noted as left. `onBytes` is told now and then how many
   * bytes of it are done; it may throw, to stop: what was read by then is kept.
   */
  async take({ transcripts, source }: FoundSource, onBytes: (bytes: number) => void): Promise<void> {
    const reader: SourceReader = {
      transcripts,
      positions: this.#positions,
      surroundings: this.#surroundings,
      tally: this.#tally(source),
      now: this.#options.now,
      onBytes: (bytes) => onBytes(Math.min(bytes, source.size)),
      onGain: (place, timestamp) => this.#noteGain(place, timestamp),
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
    onBytes(source.size);
    if (this.#typed.length >= PROMPTS_AT_ONCE) this.savePrompts();
  }

  /** What was made of the sources so far. */
  taken(): TakenSources {
    this.savePrompts();
    return {
      agents: [...this.#tallies.values()].map((tally) => ({
        ...tally.report(),
        sessionIds: tally.sessionIds,
      })),
      gains: [...this.#gains].map(([{ folder, isNew }, times]) => ({ folder, isNew, ...times })),
      folders: this.#options.folders,
      prompts: this.#prompts,
    };
  }

  /** Adds what was typed to the prompt history; needed when not all sources are taken in. */
  savePrompts(): void {
    if (this.#typed.length === 0 || this.#options.dryRun) return;
    this.#prompts += this.#home.prompts.upsertAll(this.#typed);
    this.#typed = [];
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
    return this.#options.dryRun ? await work() : await this.#positions.tryWithLockAsync(source.path, work);
  }

  #leave(source: TranscriptSource, reason: string): void {
    this.#tally(source).left.push({ path: source.path, reason });
  }

  #isLive(): boolean {
    return (changedAt(this.#current) ?? 0) > this.#options.now() - LIVE_MS;
  }

  #noteGain(place: ProjectPlace, timestamp: string): void {
    const known = this.#gains.get(place);
    if (known === undefined) this.#gains.set(place, { first: timestamp, last: timestamp });
    else if (timestamp < known.first) known.first = timestamp;
    else if (timestamp > known.last) known.last = timestamp;
  }

  #tally({ agent }: TranscriptSource): AgentTally {
    const tally = this.#tallies.get(agent) ?? new AgentTally(agent);
    this.#tallies.set(agent, tally);
    return tally;
  }
}

/** When a source was written to last, in epoch milliseconds. */
export function changedAt(source: TranscriptSource | undefined): number | undefined {
  return source === undefined ? undefined : statIfExists(source.path)?.mtimeMs;
}
