import { statIfExists } from '../../files/index.ts';
import { type LogName, openSegmentPath, readLines } from '../../log/index.ts';
import { parseWarningRecord, type RecordedWarning } from '../../memory/index.ts';
import { Spool } from '../../recording/spool.ts';

/** What was recorded in a project since the last poll. */
export interface ProjectChange {
  /** Sessions with new records; empty when too much changed to tell, undefined when there are none. */
  readonly sessionIds: readonly string[] | undefined;
  /** Time of the newest record of these sessions. */
  readonly newest: string | undefined;
  readonly warnings: readonly RecordedWarning[];
}

const MAX_SESSIONS = 100;

/** Follows the logs of one project. */
export class ProjectFollower {
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
      for (const value of growth.kind === 'lines' ? growth.values : []) {
        const { sessionId, timestamp } = Object(value) as Readonly<Record<string, unknown>>;
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
  | { readonly kind: 'lines'; readonly values: readonly unknown[] }
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
    const values: unknown[] = [];
    let offset = this.#offset;
    // Before reading, so that an unreadable log is reported once and not at every poll.
    this.#moveTo(found.ino, found.size, found.size);
    for (const line of readLines(this.#path, { from: offset })) {
      offset = line.end;
      values.push(parseJson(line.text));
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
