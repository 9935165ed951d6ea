import type { AgentName } from '../agent-name.ts';
import type { TranscriptEvent } from './transcript-event.ts';

/** What decides where agents keep their transcripts. */
export interface MachinePlaces {
  /** The user's home folder. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** Folders of known projects, for agents that keep their transcripts there. */
  readonly projects: readonly string[];
}

/** One transcript on the machine: a file or a database, with whatever belongs to it. */
export interface TranscriptSource {
  readonly agent: AgentName;
  /** Absolute. Identifies the source. */
  readonly path: string;
  /** In bytes, for progress. */
  readonly size: number;
  /** Changes whenever there may be something new, e.g. size and modification time. */
  readonly stamp: string;
  /** The folder its sessions work in, absolute, for transcripts that do not name it themselves. */
  readonly cwd?: string;
}

/** How far a source has been read: plain JSON of a few KB at most, stored between runs. */
export type ReadPosition = Readonly<Record<string, unknown>>;

/** A source that is being read. */
export interface TranscriptReading {
  /** Whether it resumes at the given position. False: it starts at the beginning, without a position that fits. */
  readonly isResumed: boolean;
  /**
   * What is new, in order. A bad line or row is a `skip` event and stops nothing; only a source that cannot be opened
   * throws STORAGE. Can be iterated once, in bounded memory.
   */
  readonly events: Iterable<TranscriptEvent>;
  /** The position after the events returned so far: reading from there returns what follows, and nothing twice. */
  position(): ReadPosition;
  /** Bytes read so far, counted from the start of the source, for progress. */
  bytesRead(): number;
  /** Lines, rows or messages read so far in this reading. */
  linesRead(): number;
}

/** The transcripts of an agent on the machine, and how they are read. */
export interface AgentTranscripts {
  readonly agent: AgentName;
  /** Finds all sources on the machine. Missing folders count as empty; what cannot be read is left out. */
  find(places: MachinePlaces): readonly TranscriptSource[];
  /** Whether a file named by the user looks like a transcript of this agent. Reads only its beginning. */
  recognises(path: string): boolean;
  /** Reads a source from a position on; from its beginning without one, or when the position no longer fits the file. */
  read(source: TranscriptSource, position?: ReadPosition): TranscriptReading;
}
