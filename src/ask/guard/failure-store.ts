import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseWarningRecord, type WarningRecord } from '../../facts/warning-record.ts';
import { tryWithLock } from '../../files/lock.ts';
import { type LogCursor, readSince } from '../../log/follow.ts';
import { findTimestamp } from '../../log/read.ts';
import { ATTEMPT_LOGS, type LogName } from '../../log/segments.ts';
import { YoreError } from '../../record/error.ts';
import { parseObject } from '../../record/object.ts';
import { parseAttempt } from '../../record/parse.ts';
import type { Attempt } from '../../record/record.ts';
import { compareText } from '../../text/compare-text.ts';
import { applyAttempt, applyWarning } from './apply-record.ts';
import { addTime, estimatePresent, FailureIndex, type NewestTimes } from './failure-index.ts';
import {
  FailureSnapshot,
  GUARD_LOGS,
  listFailures,
  listRequests,
  RECENT_FILE,
  type RecentChanges,
  readRecentChanges,
  SNAPSHOT_FILE,
  writeRecentChanges,
} from './failure-snapshot.ts';
import type { FailedRequest, KnownFailure } from './known-failure.ts';

const DAY_MS = 86_400_000;
/** A process that ends soon leaves at most this much, in characters, for every other process to read again. */
const MAX_REREAD = 256 * 1024;
/** Fewer new characters than this are not worth a new snapshot, however small it is. */
const MIN_WORTH_WRITING = 4 * 1024;
/** A long-lived process, which has read the logs already, writes a snapshot after this many new characters. */
const MAX_UNWRITTEN = 4 * 1024 * 1024;

/**
 * The {@link FailureIndex} of a project on disk: a snapshot (`guard.idx`), the changes since (`guard.recent`) and what
 * the logs have gained since that. Any number of processes may use it at once. A damaged snapshot is rebuilt from the
 * logs.
 */
export class FailureStore {
  readonly #directory: string;
  readonly #lookbackMs: number;
  readonly #isSnapshotOnly: boolean;
  #snapshot: FailureSnapshot | undefined;
  #index: FailureIndex = new FailureIndex();
  #isOpen = false;
  /** Whether the index continues from the snapshot on disk. */
  #isBasedOnSnapshot = false;
  #hasRecentChanges = false;
  #cursor: LogCursor | undefined;
  /** Characters read from the logs since the snapshot was written. */
  #unwritten = 0;
  /** The part of {@link #unwritten} that is not in `guard.recent`, either. */
  #unsaved = 0;
  /** {@link #unwritten} after this process had read the logs for the first time. */
  #reread: number | undefined;

  /** `isSnapshotOnly`: answers from the snapshot, which another process keeps up to date, and never reads the logs. */
  constructor(
    directory: string,
    lookbackDays: number,
    { isSnapshotOnly = false }: { readonly isSnapshotOnly?: boolean } = {},
  ) {
    this.#directory = directory;
    this.#lookbackMs = lookbackDays * DAY_MS;
    this.#isSnapshotOnly = isSnapshotOnly;
  }

  /** Runs a lookup in the index as it was last read. `now` brings it up to date first. */
  read<T>(lookup: (index: FailureIndex) => T, now?: number): T {
    return this.#retryAfterRepair(() => {
      if (now !== undefined) this.#catchUp(now);
      return lookup(this.#index);
    });
  }

  /** Whether the logs have been read. */
  get isRead(): boolean {
    return this.#reread !== undefined;
  }

  /** Reads what the logs have gained. */
  catchUp(now: number): void {
    this.#retryAfterRepair(() => this.#catchUp(now));
  }

  /** All known failures, newest first. */
  failures(now: number): readonly KnownFailure[] {
    return this.read((index) => listFailures(index, this.#snapshot?.failures() ?? []), now);
  }

  /** The known requests of the newest unresolved failures, newest first. A few hundred; much cheaper than all. */
  newestRequests(now: number): readonly FailedRequest[] {
    return this.read((index) => listRequests(index, this.#snapshot?.newestRequests() ?? []), now);
  }

  /**
   * Writes a new snapshot when the logs have grown enough. Takes too long to be done before a call. `isIdle`: nobody
   * waits, so that it is worth doing earlier, and changes that are not worth a snapshot are saved. Best-effort. Returns
   * whether a snapshot was due.
   */
  tidy(now: number, { isIdle = false }: { readonly isIdle?: boolean } = {}): boolean {
    if (Number.isNaN(now)) return false;
    let isDue = false;
    ignoreStorageErrors(() => {
      if (isIdle) this.catchUp(now);
      const maxReread = isIdle ? this.#worthWriting() : MAX_REREAD;
      isDue = (this.#reread ?? 0) > maxReread || this.#unwritten > MAX_UNWRITTEN;
      if (isDue) this.writeSnapshot(now);
      else if (isIdle) this.saveChanges(now);
    });
    return isDue;
  }

  /** A large snapshot is not rewritten for a few new lines. */
  #worthWriting(): number {
    const size = statSync(this.#snapshotPath, { throwIfNoEntry: false })?.size ?? 0;
    return Math.min(MAX_REREAD, Math.max(MIN_WORTH_WRITING, size / 100));
  }

  /**
   * Saves what the logs have gained since the snapshot in `guard.recent`, so that the next process need not read it.
   * Takes a few milliseconds. Best-effort.
   */
  saveChanges(now: number): void {
    if (Number.isNaN(now)) return;
    ignoreStorageErrors(() => {
      this.catchUp(now);
      const cursor = this.#cursor;
      if (cursor === undefined || this.#unsaved === 0) return;
      if (!this.#isBasedOnSnapshot || this.#unwritten > MAX_UNWRITTEN) {
        this.writeSnapshot(now);
        return;
      }
      const changes = { index: this.#index, cursor, size: this.#unwritten };
      writeRecentChanges(this.#recentPath, changes, this.#snapshot);
      this.#unsaved = 0;
    });
  }

  /** Writes a new snapshot. Does nothing while another process does. */
  writeSnapshot(now: number): void {
    this.#retryAfterRepair(() => {
      this.#catchUp(now);
      const cursor = this.#cursor;
      if (cursor === undefined) return;
      tryWithLock(join(this.#directory, 'guard.lock'), () => {
        const options = { cursor, now, lookbackMs: this.#lookbackMs };
        FailureSnapshot.write(this.#snapshotPath, this.#index, this.#snapshot, options);
        this.#snapshot?.close();
        this.#snapshot = FailureSnapshot.open(this.#snapshotPath);
        this.#index = new FailureIndex(this.#snapshot);
        this.#isBasedOnSnapshot = true;
        this.#unwritten = 0;
        this.#unsaved = 0;
        this.#reread = 0;
        rmSync(this.#recentPath, { force: true });
      });
    });
  }

  /** Forgets what was read, so that the logs are read again from the beginning. */
  reset(): void {
    this.#isOpen = true;
    this.#isBasedOnSnapshot = false;
    this.#hasRecentChanges = false;
    this.#snapshot?.close();
    this.#snapshot = undefined;
    this.#index = new FailureIndex();
    this.#cursor = undefined;
    this.#unwritten = 0;
    this.#unsaved = 0;
    this.#reread = undefined;
  }

  close(): void {
    this.#snapshot?.close();
    this.#snapshot = undefined;
  }

  /** Opened on first use: a process that only records needs no index. */
  #open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#isBasedOnSnapshot = true;
    this.#snapshot = FailureSnapshot.open(this.#snapshotPath);
    this.#continueFrom(readRecentChanges(this.#recentPath, this.#snapshot));
  }

  #continueFrom(recent: RecentChanges | undefined): void {
    this.#hasRecentChanges = recent !== undefined;
    this.#index = recent?.index ?? new FailureIndex(this.#snapshot);
    this.#cursor = recent?.cursor ?? this.#snapshot?.cursor;
    this.#unwritten = recent?.size ?? 0;
  }

  #catchUp(now: number): void {
    this.#open();
    if (this.#isSnapshotOnly) return;
    let found = readSince(this.#directory, GUARD_LOGS, this.#cursor);
    if (found.isRestarted && this.#hasRecentChanges) {
      this.#continueFrom(undefined);
      found = readSince(this.#directory, GUARD_LOGS, this.#cursor);
    }
    if (found.isRestarted) {
      this.reset();
      found = readSince(this.#directory, GUARD_LOGS);
    }
    if (found.hasPending) {
      const { earliest } = estimatePresent(now, this.#newestTimes());
      const oldest = earliest - this.#lookbackMs - DAY_MS;
      const records: (Attempt | WarningRecord)[] = [];
      for (const { log, line } of found.lines) {
        this.#unwritten += line.text.length;
        this.#unsaved += line.text.length;
        const record = parseGuardRecord(log, line.text, oldest);
        if (record !== undefined) records.push(record);
      }
      this.#cursor = found.cursor();
      records.sort((a, b) => compareText(a.timestamp, b.timestamp));
      for (const record of records) {
        if ('outcome' in record) applyAttempt(this.#index, record);
        else applyWarning(this.#index, record);
      }
    }
    this.#reread ??= this.#unwritten;
  }

  /** The newest times of what was read before; of all attempts in the logs if nothing was. */
  #newestTimes(): NewestTimes {
    if (this.#cursor !== undefined) return this.#index.newestTimes;
    const times: number[] = [];
    for (const { line } of readSince(this.#directory, ATTEMPT_LOGS).lines)
      addTime(times, findTimestamp(line.text) ?? Number.NaN);
    return times;
  }

  #retryAfterRepair<T>(work: () => T): T {
    this.#open();
    try {
      return work();
    } catch (error) {
      const isDamaged = this.#snapshot !== undefined && !(error instanceof YoreError);
      if (!isDamaged) throw error;
      this.reset();
      rmSync(this.#snapshotPath, { force: true });
      return work();
    }
  }

  get #snapshotPath(): string {
    return join(this.#directory, SNAPSHOT_FILE);
  }

  get #recentPath(): string {
    return join(this.#directory, RECENT_FILE);
  }
}

/** Without a new snapshot the logs are read again: slower, but correct. */
function ignoreStorageErrors(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof YoreError)) throw error;
  }
}

/**
 * Parses a line of one of the {@link GUARD_LOGS}; undefined when it is damaged, an attempt before `oldest`, or from a
 * transcript that is not the user's own.
 */
function parseGuardRecord(log: LogName, text: string, oldest: number): Attempt | WarningRecord | undefined {
  // Most lines of a long log are too old. Reading their timestamp first avoids parsing them.
  if (log !== 'warnings' && (findTimestamp(text) ?? oldest) < oldest) return undefined;
  const value = parseObject(text);
  if (log === 'warnings') return parseWarningRecord(value);
  const parsed = parseAttempt(value);
  return parsed.ok && !parsed.record.foreign ? parsed.record : undefined;
}
