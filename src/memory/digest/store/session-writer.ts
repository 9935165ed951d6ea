import { isWork } from '../../../record/record.ts';
import { newSessionState, type SessionState } from '../aggregate/session.ts';
import { buildDigest } from '../build-digest.ts';
import {
  type DataRange,
  type DigestHead,
  dataPath,
  dataSize,
  decodeLine,
  encodeLine,
  type SessionEntry,
  withData,
  writeData,
} from './snapshot.ts';

/** States kept in memory while logs are read; beyond that they are written and read again when needed. */
const MAX_IN_MEMORY = 1_000;
/** Less obsolete data than this is not worth a compaction. */
const MIN_DEAD_BYTES = 1024 * 1024;

/**
 * Updates the states and digests of sessions, and the counts of the project, in the data file. Changes are appended;
 * when more than half of the file is obsolete, it is compacted.
 */
export class SessionWriter {
  readonly #directory: string;
  readonly #entries: Map<string, SessionEntry>;
  readonly #changed = new Map<string, SessionState>();
  readonly #touched = new Set<string>();
  #number: number;
  #size: number;
  #dead: number;

  /** Continues the data file of `head`, or starts a new one with `number`. */
  constructor(directory: string, head: DigestHead | undefined, number: number) {
    this.#directory = directory;
    this.#entries = new Map(head?.sessions.map((entry) => [entry.sessionId, entry]));
    this.#number = head?.data ?? number;
    this.#size = head?.size ?? 0;
    this.#dead = head?.dead ?? 0;
  }

  /** Whether the data file has the size that the head records. */
  isComplete(): boolean {
    return this.#size === 0 || (dataSize(this.#path) ?? -1) >= this.#size;
  }

  has(sessionId: string): boolean {
    return this.#entries.has(sessionId) || this.#changed.has(sessionId);
  }

  /** The state of a session, to be changed by the caller; undefined when it is damaged. */
  open(sessionId: string): SessionState | undefined {
    const changed = this.#changed.get(sessionId);
    if (changed) return changed;
    const entry = this.#entries.get(sessionId);
    const state = entry ? this.#read(entry) : newSessionState(sessionId);
    if (!state) return undefined;
    if (this.#changed.size >= MAX_IN_MEMORY) this.#flush();
    this.#changed.set(sessionId, state);
    this.#touched.add(sessionId);
    return state;
  }

  /** Writes all changes, compacts the file if necessary, and returns the fields of the head. */
  close(): Pick<DigestHead, 'data' | 'size' | 'dead' | 'sessions'> & {
    readonly changed: readonly string[];
  } {
    this.#flush();
    if (this.#dead > MIN_DEAD_BYTES && this.#dead > this.#size / 2) this.#compact();
    return {
      data: this.#number,
      size: this.#size,
      dead: this.#dead,
      sessions: [...this.#entries.values()],
      changed: [...this.#touched].filter((sessionId) => this.#entries.get(sessionId)?.isWork),
    };
  }

  get #path(): string {
    return dataPath(this.#directory, this.#number);
  }

  #flush(): void {
    const lines: Buffer[] = [];
    let offset = this.#size;
    for (const [sessionId, state] of this.#changed) {
      const digest = buildDigest(state);
      const stateLine = encodeLine(state);
      const digestLine = encodeLine(digest);
      const former = this.#entries.get(sessionId);
      if (former) this.#dead += former.stateLength + former.digestLength;
      const { length: stateLength } = stateLine;
      const { length: digestLength } = digestLine;
      const { endedAt, agent, counts, isSubAgent = false } = digest;
      const location = { offset, stateLength, digestLength };
      const entry = { sessionId, endedAt, isWork: isWork({ agent, ...counts }), isSubAgent, ...location };
      this.#entries.set(sessionId, entry);
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
    const state = withData(this.#path, (read) => decodeLine(read({ offset, length }))) as SessionState | undefined;
    return state?.sessionId === sessionId ? state : undefined;
  }

  /** Copies the current data to a new file, without disturbing readers of the old one. */
  #compact(): void {
    const source = this.#path;
    this.#number++;
    this.#size = 0;
    this.#dead = 0;
    withData(source, (read) => {
      const copy = (range: DataRange): number => {
        const offset = this.#size;
        this.#append([read(range) ?? Buffer.alloc(0)]);
        return offset;
      };
      for (const [sessionId, entry] of this.#entries) {
        const length = entry.stateLength + entry.digestLength;
        this.#entries.set(sessionId, { ...entry, offset: copy({ offset: entry.offset, length }) });
      }
    });
  }
}
