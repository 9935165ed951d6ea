import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { failureId } from '../../ask/guard/warning.ts';
import { parseWarningRecord, type RecordedWarning } from '../../facts/warning-record.ts';
import { statIfExists } from '../../files/index.ts';
import { type LogName, openSegmentPath, readLogLines } from '../../log/index.ts';
import type { Home } from '../../project/index.ts';
import { type JsonObject, omitUndefined, parseObject } from '../../record/index.ts';
import { Spool } from '../../recording/spool.ts';
import { projectById } from '../find-project.ts';
import { toMemoryWarning } from '../methods/memory.ts';
import type { Notifications } from '../rpc/api.ts';

interface LogWatcherOptions {
  readonly home: Home;
  readonly now: () => number;
  readonly intervalMs: number;
  readonly notify: <N extends 'history.changed' | 'warning.given'>(name: N, params: Notifications[N]) => void;
  /** Drains the spools of all projects. */
  readonly drain: () => Promise<unknown>;
  readonly onError: (error: unknown) => void;
}

/** Projects in which something happened this recently are polled every time. */
const HOT_MS = 10 * 60_000;
/** How many of the other projects are polled at a time, in turn. */
const COLD_BATCH = 100;
/** All projects are listed once per this many polls: those that keep their data in the repository are found only then. */
const POLLS_PER_LISTING = 20;

/**
 * Polls the logs of all projects and reports what is new. Polling compares only file sizes until something has changed;
 * file system events work differently, or not at all, on each platform.
 */
export class LogWatcher {
  readonly #options: LogWatcherOptions;
  readonly #projects = new Map<string, ProjectFollower>();
  #timer: NodeJS.Timeout | undefined;
  #polls = 0;
  #isDraining = false;
  /** Where the next batch of cold projects begins. */
  #nextCold = 0;

  constructor(options: LogWatcherOptions) {
    this.#options = options;
  }

  /** Starts polling. What the logs hold already is not reported. */
  start(): void {
    this.stop();
    this.#projects.clear();
    this.#try(() => this.#followAll({ fromEnd: true }));
    this.#try(() => this.#followNew({ fromEnd: true }));
    this.#timer = setInterval(() => this.#try(() => this.#poll()), this.#options.intervalMs);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #poll(): void {
    this.#polls += 1;
    if (this.#polls % POLLS_PER_LISTING === 0) this.#followAll({ fromEnd: false });
    else this.#followNew({ fromEnd: false });
    const now = this.#options.now();
    const all = [...this.#projects.values()];
    const cold = all.filter(({ lastChange }) => now - lastChange >= HOT_MS);
    if (this.#nextCold >= cold.length) this.#nextCold = 0;
    const batch = cold.slice(this.#nextCold, this.#nextCold + COLD_BATCH);
    this.#nextCold += batch.length;
    const hot = all.filter(({ lastChange }) => now - lastChange < HOT_MS);
    for (const project of [...hot, ...batch]) this.#try(() => this.#pollProject(project, now));
  }

  #pollProject(project: ProjectFollower, now: number): void {
    if (project.hasSpooledCalls) {
      project.lastChange = now;
      this.#drain();
    }
    const change = project.poll();
    if (change === undefined) return;
    project.lastChange = now;
    const { id } = project;
    const { sessionIds, newest, warnings } = change;
    if (sessionIds !== undefined) {
      this.#options.notify('history.changed', { project: id, sessionIds, ...omitUndefined({ newest }) });
    }
    for (const warning of warnings) {
      const shown = toMemoryWarning({ warning, failureId: failureId(warning.key) }, now);
      this.#options.notify('warning.given', { project: id, warning: shown });
    }
  }

  #drain(): void {
    if (this.#isDraining) return;
    this.#isDraining = true;
    const { drain, onError } = this.#options;
    void drain()
      .catch(onError)
      .finally(() => {
        this.#isDraining = false;
      });
  }

  /** Follows new projects in the home, found by the names of their folders alone. */
  #followNew(options: { readonly fromEnd: boolean }): void {
    const folder = join(this.#options.home.path, 'projects');
    for (const name of readNames(folder)) {
      if (/^[0-9a-f]{8,64}$/.test(name)) this.#follow(name, () => join(folder, name), options);
    }
  }

  /** Follows all registered projects. */
  #followAll(options: { readonly fromEnd: boolean }): void {
    const { home } = this.#options;
    for (const { projectHash } of home.projects()) {
      this.#follow(projectHash, () => projectById(home, projectHash).directory, options);
    }
  }

  #follow(id: string, directory: () => string, options: { readonly fromEnd: boolean }): void {
    if (!this.#projects.has(id)) this.#projects.set(id, new ProjectFollower(id, directory(), options));
  }

  /** What cannot be read now may be readable at the next poll. */
  #try(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#options.onError(error);
    }
  }
}

function readNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** What was recorded in a project since the last poll. */
interface ProjectChange {
  /** Sessions with new records; empty when too much changed to tell, undefined when there are none. */
  readonly sessionIds: readonly string[] | undefined;
  /** Time of the newest record of these sessions. */
  readonly newest: string | undefined;
  readonly warnings: readonly RecordedWarning[];
}

const MAX_SESSIONS = 100;

/** Follows the logs of one project. */
class ProjectFollower {
  readonly id: string;
  /** When something was last new, in epoch milliseconds; 0 for never. */
  lastChange = 0;
  readonly #records: readonly LogFollower[];
  readonly #warnings: LogFollower;
  readonly #spool: Spool;

  /** With `fromEnd`, what the logs hold already does not count as new. */
  constructor(id: string, directory: string, options: { readonly fromEnd: boolean }) {
    this.id = id;
    this.#records = (['history', 'failures', 'successes'] as const).map(
      (log) => new LogFollower(directory, log, options),
    );
    this.#warnings = new LogFollower(directory, 'warnings', options);
    this.#spool = new Spool(directory);
  }

  /** Whether hooks have spooled calls that are not in the logs yet. */
  get hasSpooledCalls(): boolean {
    return !this.#spool.isEmpty();
  }

  /** Returns what is new; undefined when nothing is. */
  poll(): ProjectChange | undefined {
    const growths = this.#records.map((log) => log.poll());
    const given = this.#warnings.poll();
    if ([...growths, given].every(({ kind }) => kind === 'none')) return undefined;
    const sessions = new Set<string>();
    let newest: string | undefined;
    for (const growth of growths) {
      for (const { sessionId, timestamp } of growth.kind === 'lines' ? growth.values : []) {
        if (typeof sessionId === 'string') sessions.add(sessionId);
        if (typeof timestamp === 'string' && (newest === undefined || timestamp > newest)) newest = timestamp;
      }
    }
    const isBulk = growths.some(({ kind }) => kind === 'bulk') || sessions.size > MAX_SESSIONS;
    const hasRecords = growths.some(({ kind }) => kind !== 'none');
    return {
      sessionIds: !hasRecords ? undefined : isBulk ? [] : [...sessions],
      newest,
      warnings: given.kind === 'lines' ? given.values.flatMap(toWarnings) : [],
    };
  }
}

function toWarnings(value: unknown): readonly RecordedWarning[] {
  const record = parseWarningRecord(value);
  return record?.kind === 'warning' ? [record] : [];
}

type LogGrowth =
  | { readonly kind: 'none' }
  | { readonly kind: 'lines'; readonly values: readonly JsonObject[] }
  /** The log was rewritten or rotated, or gained more than is worth reading. */
  | { readonly kind: 'bulk' };

const NONE: LogGrowth = { kind: 'none' };
const BULK: LogGrowth = { kind: 'bulk' };
/** More than this at once is an import, which is not reported session by session. */
const MAX_BYTES = 2 * 1024 * 1024;

/** Follows the open segment of one log. A poll costs one `stat` when nothing is new. */
class LogFollower {
  readonly #path: string;
  #inode = 0;
  #size = 0;
  /** All lines up to here were read. */
  #offset = 0;

  constructor(directory: string, log: LogName, options: { readonly fromEnd: boolean }) {
    this.#path = openSegmentPath(directory, log);
    const found = options.fromEnd ? statIfExists(this.#path) : undefined;
    if (found !== undefined) this.#moveTo(found.ino, found.size, found.size);
  }

  /** Returns what is new. Throws STORAGE, once for each change, when the log cannot be read. */
  poll(): LogGrowth {
    const found = statIfExists(this.#path);
    if (found === undefined || (found.ino === this.#inode && found.size === this.#size)) return NONE;
    const isReplaced = this.#inode !== 0 && found.ino !== this.#inode;
    if (isReplaced || found.size < this.#offset || found.size - this.#offset > MAX_BYTES) {
      this.#moveTo(found.ino, found.size, found.size);
      return BULK;
    }
    const values: JsonObject[] = [];
    let offset = this.#offset;
    // Before reading, so that an unreadable log is reported once and not at every poll.
    this.#moveTo(found.ino, found.size, found.size);
    for (const line of readLogLines(this.#path, { from: offset })) {
      offset = line.end;
      values.push(parseObject(line.text) ?? {});
    }
    this.#moveTo(found.ino, found.size, offset);
    return values.length === 0 ? NONE : { kind: 'lines', values };
  }

  #moveTo(inode: number, size: number, offset: number): void {
    this.#inode = inode;
    this.#size = size;
    this.#offset = offset;
  }
}
