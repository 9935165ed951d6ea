import type { AgentName } from '../agent-name.ts';
import type { TranscriptEvent } from './transcript-event.ts';

/** Where an agent keeps its files: the user's home, the environment and the platform decide. */
export interface MachinePlaces {
  /** The user's home folder. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** Folders of projects that are known, for agents that keep their files there. */
  readonly projects: readonly string[];
}

/** One transcript on the machine: a file or a database, with whatever belongs to it. */
export interface TranscriptSource {
  readonly agent: AgentName;
  /** Absolute. Names the source for good. */
  readonly path: string;
  /** Bytes, for progress; of a database, its size. */
  readonly size: number;
  /** Changes whenever there may be something new, e.g. size and time of change. */
  readonly stamp: string;
  /** The folder its sessions work in, absolute: for transcripts that do not name it themselves. */
  readonly cwd?: string;
}

/** How far a source was read. Plain JSON, small (a few KB at most), kept between runs. */
export type ReadPosition = Readonly<Record<string, unknown>>;

/** A source that is being read. */
export interface TranscriptReading {
  /** Whether it goes on from the position given. False: it begins at the beginning, having none or none that fits. */
  readonly isResumed: boolean;
  /**
   * What is new, in order. One bad line or row is a `skip` event and never stops it; only a source that cannot be
   * opened throws STORAGE. To be gone through once, in bounded memory.
   */
  readonly events: Iterable<TranscriptEvent>;
  /** The position after the events handed out so far: reading from there gives what follows, and nothing twice. */
  position(): ReadPosition;
  /** Bytes read so far, counted from the start of the source: for progress. */
  bytesRead(): number;
  /** Lines (or rows, or messages of a document) read so far in this reading. */
  linesRead(): number;
}

/** What an agent left on the machine, and how it is read. */
export interface AgentTranscripts {
  readonly agent: AgentName;
  /** All sources on the machine. Missing folders are none; what cannot be read is left out. */
  find(places: MachinePlaces): readonly TranscriptSource[];
  /** Whether a file looks like one of this agent's transcripts; for files named by hand. Reads its beginning only. */
  recognises(path: string): boolean;
  /** Reads a source from a position on; from its beginning without one, or when the position no longer fits the file. */
  read(source: TranscriptSource, position?: ReadPosition): TranscriptReading;
}
