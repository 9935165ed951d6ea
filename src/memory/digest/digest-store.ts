import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Progress } from '../../files/file-access.ts';
import { withLock } from '../../files/lock.ts';
import { isArchiveRead, type LogLine, readSince } from '../../log/follow.ts';
import { getOrAdd } from '../../record/once.ts';
import { compareText } from '../../text/compare-text.ts';
import type { SessionDigest } from './session-digest.ts';
import { aggregateLines, DIGESTED_LOGS, readArchive, readTombstones } from './store/aggregate-logs.ts';
import { SessionWriter } from './store/session-writer.ts';
import {
  type DigestHead,
  dataPath,
  dataSize,
  decodeLine,
  deleteData,
  headStamp,
  readHead,
  type SessionEntry,
  withData,
  writeHead,
} from './store/snapshot.ts';

/** The result of an update. */
export interface DigestUpdate {
  /** Sessions of work whose digests changed, in no particular order. */
  readonly changed: readonly string[];
  /** Everything was read again, so that earlier digests may be gone. */
  readonly rebuilt: boolean;
  /** Numbers of records read and of unreadable lines. */
  readonly records: number;
  readonly skipped: number;
}

const UNCHANGED: DigestUpdate = { changed: [], rebuilt: false, records: 0, skipped: 0 };
/** A session that ends later than this after the present was recorded with a wrong clock. */
const CLOCK_TOLERANCE_MS = 24 * 60 * 60 * 1000;

/**
 * The digests of a project's sessions, in a snapshot beside its logs. Opening reads only the head; `update` reads only
 * new records. The snapshot is rebuilt when it is missing, damaged or of another version, or when logs were rewritten.
 */
export class DigestStore {
  readonly #directory: string;
  #head: DigestHead | undefined;
  #byId: ReadonlyMap<string, SessionEntry> | undefined;
  #stamp = '';

  private constructor(directory: string) {
    this.#directory = directory;
    this.#load();
  }

  /** Opens the store of the project whose logs are in `directory`, as of its last update. */
  static open(directory: string): DigestStore {
    return new DigestStore(directory);
  }

  /** Number of sessions of work. */
  get sessionCount(): number {
    return this.#work().length;
  }

  /** Number of sessions of work that a user started: sub-agents are parts of them. */
  get userSessionCount(): number {
    return this.#work().filter(({ isSubAgent }) => !isSubAgent).length;
  }

  /**
   * Reads the new records of the logs. A new `generation` of the project means that its logs were rewritten.
   * @throws BUSY when another process has been updating for several seconds
   */
  update(options: { readonly generation?: number; readonly onProgress?: Progress } = {}): DigestUpdate {
    if (!existsSync(this.#directory) || this.#isUpToDate(options.generation)) return UNCHANGED;
    return withLock(join(this.#directory, 'digest.lock'), () => {
      if (this.#stamp !== headStamp(this.#directory)) this.#load();
      return this.#isUpToDate(options.generation) ? UNCHANGED : this.#update(options.generation, options.onProgress);
    });
  }

  /** Number of bytes that an update would read. A long update is better left to a background process. */
  unreadBytes(): number {
    const head = this.#head;
    return (
      readSince(this.#directory, DIGESTED_LOGS, head?.logs).pendingBytes() +
      (head === undefined ? readArchive(this.#directory).pendingBytes() : 0)
    );
  }

  /** The digest of any session, if there is one. */
  digest(sessionId: string): SessionDigest | undefined {
    return this.#entries().has(sessionId) ? this.#read([sessionId])[0] : undefined;
  }

  /** The last `count` sessions of work before `now`, the latest first. `isOfUser`: without those of sub-agents. */
  recent(
    count: number,
    now: number,
    { isOfUser = false }: { readonly isOfUser?: boolean } = {},
  ): readonly SessionDigest[] {
    const latest = new Date(now + CLOCK_TOLERANCE_MS).toISOString();
    const work = this.#work().filter(({ isSubAgent }) => !(isOfUser && isSubAgent));
    const entries = work.toSorted(
      (a, b) =>
        Number(a.endedAt > latest) - Number(b.endedAt > latest) ||
        compareText(b.endedAt, a.endedAt) ||
        compareText(a.sessionId, b.sessionId),
    );
    return this.#read(entries.slice(0, count).map(({ sessionId }) => sessionId));
  }

  /** The digests of all sessions of work, by the end of the session. */
  all(): readonly SessionDigest[] {
    const entries = this.#work().toSorted(
      (a, b) => compareText(a.endedAt, b.endedAt) || compareText(a.sessionId, b.sessionId),
    );
    return this.#read(entries.map(({ sessionId }) => sessionId));
  }

  #load(): void {
    // Before reading, so that a head that is replaced meanwhile is read again next time.
    this.#stamp = headStamp(this.#directory);
    this.#head = readHead(this.#directory);
    this.#byId = undefined;
  }

  #isUpToDate(generation: number | undefined): boolean {
    const head = this.#head;
    if (!head) return !DIGESTED_LOGS.some((log) => readSince(this.#directory, [log]).hasPending);
    if (generation !== undefined && generation !== head.generation) return false;
    const logs = readSince(this.#directory, DIGESTED_LOGS, head.logs);
    const archive = readArchive(this.#directory, head.archive);
    return !(logs.hasPending || logs.isRestarted || archive.hasPending || archive.isRestarted);
  }

  #update(generation: number | undefined, onProgress: Progress | undefined): DigestUpdate {
    const head = this.#head;
    const isRewritten = generation !== undefined && head !== undefined && generation !== head.generation;
    const grown = head && !isRewritten ? this.#aggregate(head, head.generation, onProgress) : undefined;
    const update = grown ?? this.#aggregate(undefined, generation ?? head?.generation ?? 0, onProgress);
    return update ?? UNCHANGED;
  }

  /** Continues from `head`, or starts from scratch without one. Undefined when `head` cannot be continued. */
  #aggregate(
    head: DigestHead | undefined,
    generation: number,
    onProgress: Progress | undefined,
  ): DigestUpdate | undefined {
    const directory = this.#directory;
    const archive = readArchive(directory, head?.archive);
    const logs = readSince(directory, DIGESTED_LOGS, head?.logs);
    const writer = new SessionWriter(directory, head, (this.#head?.data ?? 0) + 1);
    const isIntact = !logs.isRestarted && !archive.isRestarted && writer.isComplete();
    if (head && !(isIntact && isArchiveRead(directory, head.logs, head.archive))) return undefined;
    const tombstones = head ? new Map(Object.entries(head.tombstones)) : readTombstones(directory);
    const target = { writer, tombstones };
    const total = onProgress === undefined ? 0 : logs.pendingBytes();
    const onRead = onProgress && ((bytes: number) => onProgress(Math.min(bytes, total), total));
    // With a head, archived segments have been read before they were moved; only the cursor advances.
    const archived = aggregateLines(head ? skipLines(archive.lines) : archive.lines, target);
    const read = aggregateLines(logs.lines, target, onRead);
    if (archived.mustRestart || read.mustRestart) return undefined;
    const { changed, ...ranges } = writer.close();
    this.#head = writeHead(directory, {
      generation,
      ...ranges,
      logs: logs.cursor(),
      archive: archive.cursor(),
      tombstones: Object.fromEntries(tombstones),
    });
    if (ranges.data !== head?.data) deleteData(directory, ranges.data);
    this.#stamp = headStamp(directory);
    this.#byId = undefined;
    const records = archived.records + read.records;
    return { changed, rebuilt: head === undefined, records, skipped: archived.skipped + read.skipped };
  }

  /** Damaged digests are left out until the snapshot is rebuilt. */
  #read(sessionIds: readonly string[]): readonly SessionDigest[] {
    const path = (): string => dataPath(this.#directory, this.#head?.data ?? 0);
    // Another process has compacted the data into a new file since the head was read.
    if (sessionIds.length > 0 && dataSize(path()) === undefined) this.#load();
    const entries = this.#entries();
    return withData(path(), (read) =>
      sessionIds.flatMap((sessionId) => {
        const entry = entries.get(sessionId);
        if (!entry) return [];
        const digest = decodeLine(read({ offset: entry.offset + entry.stateLength, length: entry.digestLength }));
        return digest === undefined ? [] : [digest as SessionDigest];
      }),
    );
  }

  #work(): readonly SessionEntry[] {
    return this.#head?.sessions.filter((entry) => entry.isWork) ?? [];
  }

  #entries(): ReadonlyMap<string, SessionEntry> {
    this.#byId ??= new Map(this.#head?.sessions.map((entry) => [entry.sessionId, entry]));
    return this.#byId;
  }
}

/** Consumes all lines, so that the cursor is behind them, and returns none. */
function skipLines(entries: Iterable<LogLine>): readonly LogLine[] {
  for (const _ of entries);
  return [];
}

/** Creates a function that reads digests by the folder of a project's logs and session id, opening each store once. */
export function createDigestReader(): (directory: string, sessionId: string) => SessionDigest | undefined {
  const stores = new Map<string, DigestStore>();
  return (directory, sessionId) => getOrAdd(stores, directory, () => DigestStore.open(directory)).digest(sessionId);
}
