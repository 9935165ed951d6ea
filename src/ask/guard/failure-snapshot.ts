import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseWarningRecord } from '../../facts/warning-record.ts';
import { readBytes, writeFileAtomic } from '../../files/file-access.ts';
import { BloomFilter, KeyedFile, writeKeyedFile } from '../../files/keyed-file.ts';
import { type LogCursor, type NewLines, readSince } from '../../log/follow.ts';
import { ATTEMPT_LOGS, type LogName } from '../../log/segments.ts';
import {
  estimatePresent,
  FailureIndex,
  type FailureSource,
  type NewestTimes,
  type PresentRange,
  type SessionTrace,
} from './failure-index.ts';
import {
  type FailedRequest,
  type FailureChoice,
  failedRequest,
  isOngoing,
  type KnownFailure,
  type TrackRecord,
} from './known-failure.ts';

/** Incremented when the contents, or the analysis of calls, change: older snapshots are rebuilt. */
const SNAPSHOT_VERSION = 7;
/** The trace of a session is kept for as long as the session may run. */
const MAX_SESSION_MS = 24 * 60 * 60_000;
/** Anything further in the future was recorded with a wrong clock. */
const MAX_CLOCK_SKEW_MS = 24 * 60 * 60_000;

/** The logs that the guard learns from. */
export const GUARD_LOGS: readonly LogName[] = [...ATTEMPT_LOGS, 'warnings'];

/** File names beside the logs. */
export const SNAPSHOT_FILE = 'guard.idx';
export const RECENT_FILE = 'guard.recent';

/** Removes the snapshot of a project's failures, so that it is rebuilt from the logs. */
export function removeFailureSnapshot(directory: string): void {
  for (const name of [SNAPSHOT_FILE, RECENT_FILE]) rmSync(join(directory, name), { force: true });
}

/** The requests of the newest failures are also stored together in one entry, for readers that need no others. */
const NEWEST_KEY = 'newest:';
const MAX_NEWEST_REQUESTS = 300;

interface Header {
  readonly version: number;
  readonly cursor: LogCursor;
  readonly lastTimes: readonly (readonly [string, number])[];
  readonly trackRecords: readonly (readonly [string, TrackRecord])[];
  /** A Bloom filter in Base64. */
  readonly seenPaths: string;
  readonly newestTimes: NewestTimes;
}

/**
 * `guard.idx`: a {@link FailureIndex} as it was when it was last written, read entry by entry. Failures are stored by
 * their key, everything else under a key with a prefix (`session:`, `choice:`, `similar:`, `newest:`).
 */
export class FailureSnapshot implements FailureSource {
  /** Up to where the logs had been read. */
  readonly cursor: LogCursor;
  readonly #file: KeyedFile;
  readonly #header: Header;
  readonly #lastTimes: ReadonlyMap<string, number>;
  readonly #trackRecords: ReadonlyMap<string, TrackRecord>;

  private constructor(file: KeyedFile, header: Header) {
    this.#file = file;
    this.#header = header;
    this.cursor = header.cursor;
    this.#lastTimes = new Map(header.lastTimes);
    this.#trackRecords = new Map(header.trackRecords);
  }

  /** Undefined when the file is missing, damaged or of another version. */
  static open(path: string): FailureSnapshot | undefined {
    const file = KeyedFile.open(path);
    if (file === undefined) return undefined;
    const header = file.header as Header;
    if (header?.version === SNAPSHOT_VERSION) return new FailureSnapshot(file, header);
    file.close();
    return undefined;
  }

  failure(key: string): KnownFailure | undefined {
    return this.#file.get(key) as KnownFailure | undefined;
  }

  session(id: string): SessionTrace | undefined {
    const stored = this.#file.get(`session:${id}`);
    return stored === undefined ? undefined : restoreSession(stored);
  }

  lastTime(name: string): number | undefined {
    return this.#lastTimes.get(name);
  }

  trackRecord(kind: string): TrackRecord | undefined {
    return this.#trackRecords.get(kind);
  }

  choice(key: string): FailureChoice | undefined {
    return this.#file.get(`choice:${key}`) as FailureChoice | undefined;
  }

  similarCalls(name: string): readonly string[] | undefined {
    return this.#file.get(`similar:${name}`) as readonly string[] | undefined;
  }

  seenPaths(): BloomFilter {
    return new BloomFilter(Buffer.from(this.#header.seenPaths, 'base64'));
  }

  newestTimes(): NewestTimes {
    return this.#header.newestTimes;
  }

  /** All failures, in no particular order. */
  *failures(): Generator<KnownFailure> {
    for (const [key, value] of this.#file.entries()) if (isFailureKey(key)) yield value as KnownFailure;
  }

  /** The known requests of the newest unresolved failures, newest first, as of the time of writing. */
  newestRequests(): readonly FailedRequest[] {
    return (this.#file.get(NEWEST_KEY) as readonly FailedRequest[] | undefined) ?? [];
  }

  /** Writes an index that continues from `before`. Failures older than `lookbackMs` are dropped unless pinned. */
  static write(
    path: string,
    index: FailureIndex,
    before: FailureSnapshot | undefined,
    options: { readonly cursor: LogCursor; readonly now: number; readonly lookbackMs: number },
  ): void {
    const present = estimatePresent(options.now, index.newestTimes);
    const header: Header = {
      ...toHeader(index, options.cursor),
      lastTimes: [...new Map([...(before === undefined ? [] : before.#lastTimes), ...index.lastTimes])].filter(
        ([, at]) => at === 0 || isWithin(at, present, options.lookbackMs),
      ),
      trackRecords: [...new Map([...(before === undefined ? [] : before.#trackRecords), ...index.trackRecords])],
    };
    const entries = (before === undefined ? [...toEntries(index)] : [...before.#mergeEntries(index)]).filter(
      ([key, value]) => {
        if (key.startsWith('choice:')) return value !== 'none';
        if (key.startsWith('similar:')) return true;
        const { lastAt } = value as { readonly lastAt: number };
        if (key.startsWith('session:')) return isWithin(lastAt, present, MAX_SESSION_MS);
        return isWithin(lastAt, present, options.lookbackMs) || index.choice(key) === 'pin';
      },
    );
    writeKeyedFile(path, header, [...entries, [NEWEST_KEY, newestOf(entries)]]);
  }

  /** The entries of an index, and those of this file that the index does not replace. */
  *#mergeEntries(index: FailureIndex): Generator<Entry> {
    yield* toEntries(index);
    for (const entry of this.#file.entries()) if (!hasEntry(index, entry[0])) yield entry;
  }

  close(): void {
    this.#file.close();
  }
}

type Entry = readonly [key: string, value: unknown];

function isFailureKey(key: string): boolean {
  return !/^(?:session|choice|similar|newest):/.test(key);
}

function newestOf(entries: readonly Entry[]): readonly FailedRequest[] {
  return entries
    .filter(([key]) => isFailureKey(key))
    .map(([, value]) => value as KnownFailure)
    .flatMap((failure) => (isOngoing(failure) ? (failedRequest(failure) ?? []) : []))
    .sort((a, b) => b.lastAt - a.lastAt)
    .slice(0, MAX_NEWEST_REQUESTS);
}

function isWithin(at: number, { earliest, latest }: PresentRange, spanMs: number): boolean {
  return earliest - at < spanMs && at - latest < MAX_CLOCK_SKEW_MS;
}

/** Where the entry with a key is in an index, and under which name. */
function locate(index: FailureIndex, key: string): { readonly map: Map<string, unknown>; readonly name: string } {
  const colon = key.indexOf(':');
  const name = key.slice(colon + 1);
  switch (key.slice(0, colon)) {
    case 'session':
      return { map: index.sessions, name };
    case 'choice':
      return { map: index.choices, name };
    case 'similar':
      return { map: index.similar, name };
    default:
      return { map: index.failures, name: key };
  }
}

function hasEntry(index: FailureIndex, key: string): boolean {
  const { map, name } = locate(index, key);
  return key === NEWEST_KEY || map.has(name);
}

function addEntry(index: FailureIndex, [key, value]: Entry): void {
  const { map, name } = locate(index, key);
  map.set(name, map === index.sessions ? restoreSession(value) : value);
}

function* toEntries(index: FailureIndex): Generator<Entry> {
  yield* index.failures;
  for (const [id, trace] of index.sessions)
    yield [`session:${id}`, { ...trace, read: [...trace.read], shown: [...trace.shown] }];
  for (const [key, choice] of index.choices) yield [`choice:${key}`, choice];
  for (const [name, keys] of index.similar) yield [`similar:${name}`, keys];
}

function toHeader(index: FailureIndex, cursor: LogCursor): Header {
  return {
    version: SNAPSHOT_VERSION,
    cursor,
    lastTimes: [...index.lastTimes],
    trackRecords: [...index.trackRecords],
    seenPaths: Buffer.from(index.seenPaths.bytes).toString('base64'),
    newestTimes: index.newestTimes,
  };
}

function restoreSession(value: unknown): SessionTrace {
  const stored = value as Omit<SessionTrace, 'read' | 'shown'> & { read: string[]; shown: string[] };
  return { ...stored, read: new Set(stored.read), shown: new Set(stored.shown) };
}

/** `guard.recent`: the changes since a snapshot, so that the next process has less of the logs to read. */
export interface RecentChanges {
  readonly index: FailureIndex;
  readonly cursor: LogCursor;
  /** Characters of the records that it holds on top of the snapshot. */
  readonly size: number;
}

interface StoredChanges extends Header {
  /** Identifies the snapshot it is based on; empty for none. */
  readonly base: string;
  readonly size: number;
  readonly entries: readonly Entry[];
}

/**
 * Reads what {@link writeRecentChanges} left. Undefined when there is nothing for this version and this snapshot; then
 * the logs are read again. Never throws.
 */
export function readRecentChanges(path: string, base: FailureSnapshot | undefined): RecentChanges | undefined {
  try {
    const text = readDoubled(path);
    const stored = text === undefined ? undefined : (JSON.parse(text) as StoredChanges);
    if (stored?.version !== SNAPSHOT_VERSION || stored.base !== identify(base)) return undefined;
    const seenPaths = new BloomFilter(Buffer.from(stored.seenPaths, 'base64'));
    const index = new FailureIndex(base, seenPaths, stored.newestTimes);
    for (const [name, at] of stored.lastTimes) index.lastTimes.set(name, at);
    for (const [kind, record] of stored.trackRecords) index.trackRecords.set(kind, record);
    for (const entry of stored.entries) addEntry(index, entry);
    return { index, cursor: stored.cursor, size: stored.size };
  } catch {
    return undefined;
  }
}

/**
 * Writes what an index holds on top of `base`. Small, and not synced to disk. If two processes write at once, the last
 * one wins; the logs hold what is missing.
 */
export function writeRecentChanges(
  path: string,
  { index, cursor, size }: RecentChanges,
  base: FailureSnapshot | undefined,
): void {
  const stored: StoredChanges = {
    ...toHeader(index, cursor),
    base: identify(base),
    size,
    entries: [...toEntries(index)],
  };
  const text = JSON.stringify(stored);
  writeFileAtomic(path, text + text, { durable: false });
}

/** Snapshots are told apart by their position in the logs. */
function identify(base: FailureSnapshot | undefined): string {
  return base === undefined ? '' : JSON.stringify(base.cursor);
}

/** A text that was written twice in a row; undefined when the copies differ. Much faster than a checksum. */
function readDoubled(path: string): string | undefined {
  // A failed read takes much longer than this check.
  if (!existsSync(path)) return undefined;
  const bytes = readBytes(path);
  const half = bytes.length / 2;
  return bytes.subarray(0, half).equals(bytes.subarray(half)) ? bytes.toString('utf8', 0, half) : undefined;
}

/**
 * Looks something up in the snapshot of a project's failures, for a process that must be fast: no code is loaded that
 * analyses failures. Undefined when the snapshot is damaged or does not cover the logs. Never throws.
 */
export function withCurrentIndex<T>(
  directory: string,
  lookup: (index: FailureIndex, snapshot: FailureSnapshot | undefined) => T,
): T | undefined {
  let snapshot: FailureSnapshot | undefined;
  try {
    snapshot = FailureSnapshot.open(join(directory, SNAPSHOT_FILE));
    const recent = readRecentChanges(join(directory, RECENT_FILE), snapshot);
    const found = readSince(directory, GUARD_LOGS, recent?.cursor ?? snapshot?.cursor);
    if (found.isRestarted || (found.hasPending && hasNews(found))) return undefined;
    return lookup(recent?.index ?? new FailureIndex(snapshot), snapshot);
  } catch {
    return undefined;
  } finally {
    snapshot?.close();
  }
}

/** A warning that was given, as in the rest of a turn after one, does not change what fails. */
function hasNews({ lines }: NewLines): boolean {
  for (const { log, line } of lines) {
    if (log !== 'warnings' || parseWarningRecord(JSON.parse(line.text))?.kind !== 'warning') return true;
  }
  return false;
}

/** Failures of a snapshot with those that have changed since, newest first. */
export function listFailures(index: FailureIndex, ofSnapshot: Iterable<KnownFailure>): readonly KnownFailure[] {
  return mergeChanges(index, ofSnapshot, (failure) => failure);
}

/** Requests of failures in a snapshot with those that have changed since, newest first. */
export function listRequests(index: FailureIndex, ofSnapshot: Iterable<FailedRequest>): readonly FailedRequest[] {
  return mergeChanges(index, ofSnapshot, failedRequest);
}

function mergeChanges<T extends Pick<KnownFailure, 'key' | 'lastAt'>>(
  index: FailureIndex,
  ofSnapshot: Iterable<T>,
  convert: (failure: KnownFailure) => T | undefined,
): readonly T[] {
  const found = new Map<string, T>();
  for (const each of ofSnapshot) found.set(each.key, each);
  for (const [key, failure] of index.failures) {
    const changed = convert(failure);
    if (changed === undefined) found.delete(key);
    else found.set(key, changed);
  }
  return [...found.values()].sort((a, b) => b.lastAt - a.lastAt);
}
