import { parseWarningRecord, type RecordedWarning } from '../../memory/index.ts';
import { Spool } from '../../recording/spool.ts';
import { FollowedLog } from './followed-log.ts';

/** What is new in a project. */
export interface ProjectChange {
  /** Sessions with new records; empty when too much changed to tell, undefined when none did. */
  readonly sessionIds: readonly string[] | undefined;
  /** Time of the newest record among them. */
  readonly newest: string | undefined;
  readonly warnings: readonly RecordedWarning[];
}

const MOST_SESSIONS = 100;

/** The logs of a project, looked at from time to time. */
export class FollowedProject {
  readonly id: string;
  /** Epoch milliseconds of the last time something was new; 0 when nothing was. */
  lastChange = 0;
  readonly #records: readonly FollowedLog[];
  readonly #warnings: FollowedLog;
  readonly #spool: Spool;

  constructor(id: string, directory: string, options: { readonly fromEnd: boolean }) {
    this.id = id;
    this.#records = (['history', 'failures', 'successes'] as const).map(
      (log) => new FollowedLog(directory, log, options),
    );
    this.#warnings = new FollowedLog(directory, 'warnings', options);
    this.#spool = new Spool(directory);
  }

  /** Whether hooks have left something that is not in the logs yet. */
  get isWaiting(): boolean {
    return !this.#spool.isEmpty();
  }

  /** Undefined when nothing is new. */
  look(): ProjectChange | undefined {
    const growths = this.#records.map((log) => log.look());
    const given = this.#warnings.look();
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
    const isMuch = growths.some(({ kind }) => kind === 'much') || sessions.size > MOST_SESSIONS;
    const isAny = growths.some(({ kind }) => kind !== 'none');
    return {
      sessionIds: !isAny ? undefined : isMuch ? [] : [...sessions],
      newest,
      warnings: given.kind === 'lines' ? given.values.flatMap(warningIn) : [],
    };
  }
}

function warningIn(value: unknown): readonly RecordedWarning[] {
  const entry = parseWarningRecord(value);
  return entry?.kind === 'warning' ? [entry] : [];
}
