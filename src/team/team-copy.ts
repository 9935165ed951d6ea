import { rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { withLock } from '../files/index.ts';
import {
  AppendBuffer,
  archiveFolder,
  archiveOldRecords,
  listSegments,
  openSegmentPath,
  readBackwards,
  readLogLines,
  rewriteSegment,
  rotate,
  teamFolder,
} from '../log/index.ts';
import { parseShared, type SharedLog, type StreamRow } from '../postgres/index.ts';
import { deleteQuotesOfCopy, removeSnapshots } from '../project/forget.ts';
import { isObject, parseObject, teamSessionId } from '../record/index.ts';
import { LETTERS } from '../text/letters.ts';

const LOGS: readonly SharedLog[] = ['history', 'failures', 'successes'];
/** Enough to contain the last complete line. */
const TAIL_BYTES = 3 * 1024 * 1024;
const DAY_MS = 86_400_000;
const ARCHIVE_AFTER_DAYS = 30;

const MAX_NAME_LENGTH = 40;

/** A name that a colleague chose, without anything but letters, digits and what names contain: it is shown in many places. */
export function plainName(name = ''): string {
  const plain = name.replace(new RegExp(`[^${LETTERS} ._@'-]`, 'gu'), '');
  return [...plain].slice(0, MAX_NAME_LENGTH).join('').trim();
}

function recordKey(log: string, id: string, timestamp: string): string {
  return `${log} ${id} ${timestamp}`;
}

/** The local copy of what other machines have shared of a project: logs of the same form as the user's own. */
export class TeamCopy {
  /** The folder of the copy. */
  readonly directory: string;
  readonly #scope: { readonly directory: string; readonly directories: readonly string[] };
  readonly #written = new Map<SharedLog, number>();
  #isChanged = false;

  /** `directory` is the project's data folder, and `directories` are those of all projects. */
  constructor(directory: string, directories: readonly string[] = [directory]) {
    this.directory = teamFolder(directory);
    this.#scope = { directory, directories };
  }

  /** Whether records were added or deleted since it was opened. */
  get isChanged(): boolean {
    return this.#isChanged;
  }

  /**
   * Adds rows in the order of the stream. Skips those that are there already, because a sync was interrupted, and those of
   * `author`, whose machine this is, that the own logs have: a copy of this home may have sent them. They are on disk when it
   * returns. Returns how many were new.
   */
  add(rows: readonly StreamRow[], author: string): number {
    let added = 0;
    const buffers = new Map(LOGS.map((log) => [log, new AppendBuffer(openSegmentPath(this.directory, log))]));
    const flush = (): void => {
      for (const buffer of buffers.values()) buffer.flush({ durable: true });
    };
    const ownRows = rows.filter((row) => row.author === author && row.log !== 'deletions');
    const own = ownRows.length === 0 ? new Set<string>() : this.#findOwn(ownRows);
    for (const row of rows) {
      if (row.log === 'deletions') {
        flush();
        this.#delete(row);
        added++;
        continue;
      }
      const buffer = buffers.get(row.log);
      const record = parseShared(row.log, row.body, row.author, plainName(row.name) || row.author);
      if (buffer === undefined || record === undefined || row.seq <= this.#lastSeq(row.log)) continue;
      if (row.author === author && own.has(recordKey(row.log, record.id, record.timestamp))) continue;
      buffer.add({ ...record, seq: row.seq });
      added++;
      this.#isChanged = true;
    }
    flush();
    for (const { log, seq } of rows) if (log !== 'deletions') this.#written.set(log, seq);
    return added;
  }

  /** Keys of the records in the own logs that may be among some rows. */
  #findOwn(rows: readonly StreamRow[]): ReadonlySet<string> {
    const times = rows.map(({ body }) => Date.parse(String(parseObject(body)?.timestamp)));
    const oldest = Math.min(...times.filter(Number.isFinite)) - DAY_MS;
    const directory = dirname(this.directory);
    const found = new Set<string>();
    for (const folder of [directory, archiveFolder(directory)]) {
      for (const log of new Set(rows.map((row) => row.log as SharedLog))) {
        // A record is written when it is made, or later.
        const segments = listSegments(folder, log).filter(({ path }) => statSync(path).mtimeMs >= oldest);
        for (const { path } of segments) {
          for (const { text } of readLogLines(path)) {
            const { id, timestamp } = parseObject(text) ?? {};
            if (typeof id === 'string' && typeof timestamp === 'string') found.add(recordKey(log, id, timestamp));
          }
        }
      }
    }
    return found;
  }

  /** The number of the last record of a log, from its last complete line. */
  #lastSeq(log: SharedLog): number {
    const known = this.#written.get(log);
    if (known !== undefined) return known;
    const last = this.#findLastSeq(log);
    this.#written.set(log, last);
    return last;
  }

  #findLastSeq(log: SharedLog): number {
    for (const { path } of listSegments(this.directory, log).toReversed()) {
      for (const line of readBackwards(path, TAIL_BYTES)) {
        const { seq } = parseObject(line) ?? {};
        if (typeof seq === 'number') return seq;
      }
    }
    return 0;
  }

  /** Deletes what its author deleted: only records of the same author. */
  #delete({ author, body }: StreamRow): void {
    const { sessions, ids, until } = parseObject(body) ?? {};
    if (!Array.isArray(sessions) || !Array.isArray(ids) || typeof until !== 'string') return;
    const time = Date.parse(until);
    const deleted = new Set(sessions.map((session) => teamSessionId(String(session), author)));
    const deletedIds = new Set(ids);
    const suffix = teamSessionId('', author);
    this.remove(({ sessionId, id, timestamp }) => {
      if (typeof sessionId !== 'string' || !sessionId.endsWith(suffix)) return false;
      const isOld = typeof timestamp !== 'string' || !(Date.parse(timestamp) > time);
      return deletedIds.has(id) || (isOld && deleted.has(sessionId));
    });
  }

  /** Removes records from all logs of the copy, the snapshots that were made of them, and what the user's logs quote. */
  remove(shouldRemove: (record: Readonly<Record<string, unknown>>) => boolean): void {
    const folders = [this.directory, archiveFolder(this.directory)];
    const isRemoved = (line: string): boolean => {
      const record = parseObject(line);
      return isObject(record) && shouldRemove(record);
    };
    deleteQuotesOfCopy(this.#scope, shouldRemove);
    withLock(join(this.directory, 'maintenance.lock'), () => {
      // Where to go on is in the lines themselves.
      for (const log of LOGS) this.#lastSeq(log);
      for (const folder of folders) for (const log of LOGS) rotate(folder, log);
      const segments = folders.flatMap((folder) => LOGS.flatMap((log) => listSegments(folder, log)));
      const removed = segments.reduce((sum, { path }) => sum + rewriteSegment(path, isRemoved).removed, 0);
      if (removed === 0) return;
      removeSnapshots(this.directory);
      this.#isChanged = true;
    });
  }

  /** Deletes the whole copy. */
  clear(): void {
    for (const folder of [this.directory, archiveFolder(this.directory)]) {
      for (const log of LOGS) for (const { path } of listSegments(folder, log)) rmSync(path, { force: true });
    }
    removeSnapshots(this.directory);
    this.#written.clear();
    this.#isChanged = true;
  }

  /** Archives old failures. */
  archive(now: number): void {
    archiveOldRecords(this.directory, 'failures', now - ARCHIVE_AFTER_DAYS * DAY_MS);
  }
}
