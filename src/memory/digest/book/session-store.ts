import { digestOf } from '../digest-of.ts';
import { newSessionState, type SessionState } from '../session-state.ts';
import type { ProjectTally, StoredTally } from '../tally/project-tally.ts';
import { dataSize, decodeLine, encodeLine, type Place, withData, writeData } from './data-file.ts';
import { type BookHead, dataPath, type SessionEntry } from './head-file.ts';

/** States kept in memory while logs are read; more are written out and read again when needed. */
const MOST_IN_MEMORY = 1_000;
/** Former states below this are not worth the copying. */
const LEAST_DEAD_BYTES = 1024 * 1024;

/**
 * The states and digests of sessions, and the tally of the project, while a book is updated. What changed is
 * written at the end of the data file; what it was before stays there until more than half of the file is like
 * that.
 */
export class SessionStore {
  readonly #directory: string;
  readonly #entries: Map<string, SessionEntry>;
  readonly #changed = new Map<string, SessionState>();
  readonly #touched = new Set<string>();
  #tally: Place;
  #number: number;
  #size: number;
  #dead: number;

  /** Continues the data file of `head`, or begins that of `number`. */
  constructor(directory: string, head: BookHead | undefined, number: number) {
    this.#directory = directory;
    this.#entries = new Map(head?.sessions.map((entry) => [entry.sessionId, entry]));
    this.#tally = head?.tally ?? { offset: 0, length: 0 };
    this.#number = head?.data ?? number;
    this.#size = head?.size ?? 0;
    this.#dead = head?.dead ?? 0;
  }

  /** Whether the data file holds what the head says. */
  isWhole(): boolean {
    return this.#size === 0 || (dataSize(this.#path) ?? -1) >= this.#size;
  }

  /** Whether there is a session of that id. */
  has(sessionId: string): boolean {
    return this.#entries.has(sessionId) || this.#changed.has(sessionId);
  }

  /** The state of a session, to be changed; undefined when it is damaged. */
  open(sessionId: string): SessionState | undefined {
    const changed = this.#changed.get(sessionId);
    if (changed) return changed;
    const entry = this.#entries.get(sessionId);
    const state = entry ? this.#read(entry) : newSessionState(sessionId);
    if (!state) return undefined;
    if (this.#changed.size >= MOST_IN_MEMORY) this.#flush();
    this.#changed.set(sessionId, state);
    this.#touched.add(sessionId);
    return state;
  }

  /** Writes what changed, and leaves out what it was before when that is too much. Returns what the head says of it. */
  close(tally: ProjectTally): Pick<BookHead, 'data' | 'size' | 'dead' | 'sessions' | 'tally'> & {
    readonly changed: readonly string[];
  } {
    this.#flush();
    this.#dead += this.#tally.length;
    const line = encodeLine(tally.toJSON());
    this.#tally = { offset: this.#size, length: line.length };
    this.#append([line]);
    if (this.#dead > LEAST_DEAD_BYTES && this.#dead > this.#size / 2) this.#compact();
    return {
      data: this.#number,
      size: this.#size,
      dead: this.#dead,
      tally: this.#tally,
      sessions: [...this.#entries.values()],
      changed: [...this.#touched],
    };
  }

  get #path(): string {
    return dataPath(this.#directory, this.#number);
  }

  #flush(): void {
    const lines: Buffer[] = [];
    let offset = this.#size;
    for (const [sessionId, state] of this.#changed) {
      const digest = digestOf(state);
      const stateLine = encodeLine(state);
      const digestLine = encodeLine(digest);
      const former = this.#entries.get(sessionId);
      if (former) this.#dead += former.stateLength + former.digestLength;
      const { length: stateLength } = stateLine;
      const { length: digestLength } = digestLine;
      this.#entries.set(sessionId, { sessionId, endedAt: digest.endedAt, offset, stateLength, digestLength });
      lines.push(stateLine, digestLine);
      offset += stateLength + digestLength;
    }
    this.#changed.clear();
    this.#append(lines);
  }

  #append(lines: readonly Buffer[]): void {
    if (lines.length === 0) return;
    writeData(this.#path, this.#size, lines);
    this.#size += lines.reduce((sum, line) => sum + line.length, 0);
  }

  #read({ sessionId, offset, stateLength: length }: SessionEntry): SessionState | undefined {
    const state = withData(this.#path, (read) => decodeLine(read({ offset, length }))) as
      | SessionState
      | undefined;
    return state?.sessionId === sessionId ? state : undefined;
  }

  /** Copies what counts to a new file; readers of the old one are not disturbed. */
  #compact(): void {
    const source = this.#path;
    this.#number++;
    this.#size = 0;
    this.#dead = 0;
    withData(source, (read) => {
      const copy = (place: Place): number => {
        const offset = this.#size;
        this.#append([read(place) ?? Buffer.alloc(0)]);
        return offset;
      };
      for (const [sessionId, entry] of this.#entries) {
        const length = entry.stateLength + entry.digestLength;
        this.#entries.set(sessionId, { ...entry, offset: copy({ offset: entry.offset, length }) });
      }
      this.#tally = { ...this.#tally, offset: copy(this.#tally) };
    });
  }
}

/** The tally that the head names; undefined when it is damaged. */
export function readTally(directory: string, head: BookHead): StoredTally | undefined {
  return withData(dataPath(directory, head.data), (read) => decodeLine(read(head.tally))) as
    | StoredTally
    | undefined;
}
