import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from '../../files/index.ts';
import { type LogLine, readSince } from '../../log/index.ts';
import { compareText } from '../../text/compare-text.ts';
import { dataSize, decodeLine, withData } from './book/data-file.ts';
import { FOLDED_LOGS, foldLines, isArchiveRead, readArchive, readTombstones } from './book/fold-logs.ts';
import {
  type BookHead,
  dataPath,
  deleteData,
  headStamp,
  readHead,
  type SessionEntry,
  writeHead,
} from './book/head-file.ts';
import { readTally, SessionStore } from './book/session-store.ts';
import type { SessionDigest } from './session-digest.ts';
import { ProjectTally } from './tally/project-tally.ts';

/** What an update did. */
export interface BookUpdate {
  /** Sessions whose digests are new, in no particular order. */
  readonly changed: readonly string[];
  /** Everything was read again: digests that were there before may be gone. */
  readonly rebuilt: boolean;
  /** Records taken in, and lines that could not be used. */
  readonly records: number;
  readonly skipped: number;
}

const UNCHANGED: BookUpdate = { changed: [], rebuilt: false, records: 0, skipped: 0 };
/** A session that ended later than this from now ended at a time that a wrong clock told. */
const CLOCK_TOLERANCE_MS = 24 * 60 * 60 * 1000;

/**
 * The digests of a project's sessions, kept in derived files beside its logs. Opening reads their head alone;
 * `update` takes in what the logs have gained since, at a cost that follows the new records. The files are made
 * anew when they are missing, damaged, of another version, or when logs were rewritten.
 */
export class DigestStore {
  readonly #directory: string;
  #head: BookHead | undefined;
  #tally: ProjectTally | undefined;
  #byId: ReadonlyMap<string, SessionEntry> | undefined;
  #stamp = '';

  private constructor(directory: string) {
    this.#directory = directory;
    this.#load();
  }

  /** Opens the book of the project whose logs are in `directory`, as it was last updated. */
  static open(directory: string): DigestStore {
    return new DigestStore(directory);
  }

  /** How many sessions it holds. */
  get sessionCount(): number {
    return this.#head?.sessions.length ?? 0;
  }

  /** What all sessions add up to. */
  get tally(): ProjectTally {
    this.#tally ??= new ProjectTally(this.#head && readTally(this.#directory, this.#head));
    return this.#tally;
  }

  /**
   * Takes in what is new in the logs. `generation` is that of the project: when it is another than before, the
   * logs were rewritten. Throws BUSY when another process updates for more than a few seconds.
   */
  update(options: { readonly generation?: number } = {}): BookUpdate {
    if (!existsSync(this.#directory) || this.#isUpToDate(options.generation)) return UNCHANGED;
    return withLock(join(this.#directory, 'digest.lock'), () => {
      if (this.#stamp !== headStamp(this.#directory)) this.#load();
      return this.#isUpToDate(options.generation) ? UNCHANGED : this.#update(options.generation);
    });
  }

  /** How many bytes of the logs an update would read. What is much is better left to a process that nobody waits for. */
  unreadBytes(): number {
    const head = this.#head;
    return (
      readSince(this.#directory, FOLDED_LOGS, head?.logs).pendingBytes() +
      (head === undefined ? readArchive(this.#directory).pendingBytes() : 0)
    );
  }

  /** The digest of a session; undefined when there is none. */
  digest(sessionId: string): SessionDigest | undefined {
    return this.#entries().has(sessionId) ? this.#read([sessionId])[0] : undefined;
  }

  /** The `count` sessions that ended last before `now`, the latest first. */
  recent(count: number, now: number): readonly SessionDigest[] {
    const latest = new Date(now + CLOCK_TOLERANCE_MS).toISOString();
    const entries = (this.#head?.sessions ?? []).toSorted(
      (a, b) =>
        Number(a.endedAt > latest) - Number(b.endedAt > latest) ||
        compareText(b.endedAt, a.endedAt) ||
        compareText(a.sessionId, b.sessionId),
    );
    return this.#read(entries.slice(0, count).map(({ sessionId }) => sessionId));
  }

  /** All digests, those that ended first first. */
  all(): readonly SessionDigest[] {
    const entries = (this.#head?.sessions ?? []).toSorted(
      (a, b) => compareText(a.endedAt, b.endedAt) || compareText(a.sessionId, b.sessionId),
    );
    return this.#read(entries.map(({ sessionId }) => sessionId));
  }

  #load(): void {
    // Taken first: a head that is replaced in between is read again next time.
    this.#stamp = headStamp(this.#directory);
    this.#head = readHead(this.#directory);
    this.#tally = undefined;
    this.#byId = undefined;
  }

  #isUpToDate(generation: number | undefined): boolean {
    const head = this.#head;
    if (!head) return !FOLDED_LOGS.some((log) => readSince(this.#directory, [log]).hasPending);
    if (generation !== undefined && generation !== head.generation) return false;
    const logs = readSince(this.#directory, FOLDED_LOGS, head.logs);
    const archive = readArchive(this.#directory, head.archive);
    return !(logs.hasPending || logs.isRestarted || archive.hasPending || archive.isRestarted);
  }

  #update(generation: number | undefined): BookUpdate {
    const head = this.#head;
    const isRewritten = generation !== undefined && head !== undefined && generation !== head.generation;
    const grown = head && !isRewritten ? this.#fold(head, head.generation) : undefined;
    const update = grown ?? this.#fold(undefined, generation ?? head?.generation ?? 0);
    return update ?? UNCHANGED;
  }

  /** Goes on from `head`, or begins anew without one. Undefined when it has to begin anew. */
  #fold(head: BookHead | undefined, generation: number): BookUpdate | undefined {
    const directory = this.#directory;
    const store = new SessionStore(directory, head, (this.#head?.data ?? 0) + 1);
    const archive = readArchive(directory, head?.archive);
    const logs = readSince(directory, FOLDED_LOGS, head?.logs);
    const stored = head && readTally(directory, head);
    const isIntact = !logs.isRestarted && !archive.isRestarted && store.isWhole();
    if (head && !(isIntact && stored && isArchiveRead(directory, head.logs, head.archive))) return undefined;
    const tombstones = head ? new Map(Object.entries(head.tombstones)) : readTombstones(directory);
    const target = { store, tally: new ProjectTally(stored), tombstones };
    // With a head, segments were moved here after they had been read; they are only passed over.
    const archived = foldLines(head ? passedOver(archive.lines) : archive.lines, target);
    const folded = foldLines(logs.lines, target);
    if (archived.again || folded.again) return undefined;
    const { changed, ...places } = store.close(target.tally);
    this.#head = writeHead(directory, {
      generation,
      ...places,
      logs: logs.cursor(),
      archive: archive.cursor(),
      tombstones: Object.fromEntries(tombstones),
    });
    if (places.data !== head?.data) deleteData(directory, places.data);
    this.#stamp = headStamp(directory);
    this.#tally = target.tally;
    this.#byId = undefined;
    const records = archived.records + folded.records;
    return { changed, rebuilt: head === undefined, records, skipped: archived.skipped + folded.skipped };
  }

  /** Digests that are damaged are left out until the book is made anew. */
  #read(sessionIds: readonly string[]): readonly SessionDigest[] {
    const path = (): string => dataPath(this.#directory, this.#head?.data ?? 0);
    // Another process has put the data into a new file since the head was read.
    if (sessionIds.length > 0 && dataSize(path()) === undefined) this.#load();
    const entries = this.#entries();
    return withData(path(), (read) =>
      sessionIds.flatMap((sessionId) => {
        const entry = entries.get(sessionId);
        if (!entry) return [];
        const digest = decodeLine(
          read({ offset: entry.offset + entry.stateLength, length: entry.digestLength }),
        );
        return digest === undefined ? [] : [digest as SessionDigest];
      }),
    );
  }

  #entries(): ReadonlyMap<string, SessionEntry> {
    this.#byId ??= new Map(this.#head?.sessions.map((entry) => [entry.sessionId, entry]));
    return this.#byId;
  }
}

/** Goes through all entries, so that the cursor stands behind them, and gives none. */
function passedOver(entries: Iterable<LogLine>): readonly LogLine[] {
  for (const _ of entries);
  return [];
}
