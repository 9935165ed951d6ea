import { activeByHour, hourOf, replyUsage } from '../../history/usage.ts';
import { NOTES_SESSION, type Usage } from '../../record/index.ts';
import { getOrAdd } from '../../record/once.ts';
import type { SqlValue } from '../../sqlite/database.ts';
import { isAttempt, type Searchable } from '../searchable.ts';
import type { Connection } from './connection.ts';

interface UsageSums {
  readonly session: number;
  readonly hour: number;
  readonly model: string;
  replies: number;
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
}

/** The usage of sessions that records add up to, until it is saved. */
export class SessionUsage {
  readonly #sums = new Map<string, UsageSums>();

  /** Adds a record of a session. Attempts have no usage. */
  add(session: number, time: number, record: Searchable): void {
    const usage = isAttempt(record) ? undefined : replyUsage(record);
    if (usage === undefined) return;
    const { model, tokens } = usage;
    const hour = hourOf(time);
    const sums = getOrAdd(this.#sums, `${session} ${hour} ${model}`, () => ({
      session,
      hour,
      model,
      replies: 0,
      inputTokens: 0,
      outputTokens: 0,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
    }));
    sums.replies++;
    sums.inputTokens += tokens.inputTokens;
    sums.outputTokens += tokens.outputTokens;
    sums.cacheReadTokens += tokens.cacheReadTokens;
    sums.cacheWriteTokens += tokens.cacheWriteTokens;
  }

  /** Adds everything to what the index has of these sessions. */
  save(connection: Connection): void {
    for (const sums of this.#sums.values()) {
      const { session, hour, model, replies, inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = sums;
      connection.run(
        `INSERT INTO usage VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
           replies = replies + excluded.replies, inputTokens = inputTokens + excluded.inputTokens,
           outputTokens = outputTokens + excluded.outputTokens,
           cacheReadTokens = cacheReadTokens + excluded.cacheReadTokens,
           cacheWriteTokens = cacheWriteTokens + excluded.cacheWriteTokens`,
        session,
        hour,
        model,
        replies,
        inputTokens,
        outputTokens,
        cacheReadTokens,
        cacheWriteTokens,
      );
    }
  }
}

/** Computes the active time of a session again from the times of its documents. */
export function saveActivity(connection: Connection, session: number): void {
  connection.run('DELETE FROM activity WHERE session = ?', session);
  const times = connection.numbers('SELECT time FROM document WHERE session = ? ORDER BY time', session);
  for (const [hour, activeMs] of activeByHour(times.map(([time = 0]) => time)))
    connection.run('INSERT INTO activity VALUES (?, ?, ?)', session, hour, activeMs);
}

/** Removes the usage and the active time of a session. */
export function removeUsage(connection: Connection, session: number): void {
  connection.run('DELETE FROM usage WHERE session = ?', session);
  connection.run('DELETE FROM activity WHERE session = ?', session);
}

/** Which usage to read. All that is given must match. */
export interface UsageFilter {
  /** Ids of projects. Default: all. */
  readonly projects?: readonly string[];
  /** Id of a session. Default: all but those of colleagues. */
  readonly sessionId?: string;
  /** ISO 8601. From the hour of this time on. */
  readonly since?: string;
  /** ISO 8601. Up to the hour of this time. */
  readonly until?: string;
}

/** A session with usage or active time. */
interface UsedSession {
  readonly project: string;
  readonly sessionId: string;
  readonly agent?: string;
}

/** What a session used of a model within an hour. */
export interface UsageRow extends Required<Usage> {
  readonly session: UsedSession;
  /** Counted from 1970. */
  readonly hour: number;
  readonly model: string;
  readonly replies: number;
}

/** How long a session was active within an hour. */
interface ActivityRow {
  readonly session: UsedSession;
  readonly hour: number;
  readonly activeMs: number;
}

/** What sessions used, and when they were active. */
export interface UsageRows {
  readonly usage: readonly UsageRow[];
  readonly activity: readonly ActivityRow[];
}

/** Reads the usage of one session, or of the user's own. Notes outside of sessions have none. */
export function readUsage(connection: Connection, filter: UsageFilter): UsageRows {
  const sessions = readSessions(connection, filter);
  const { since, until } = filter;
  const first = since === undefined ? 0 : hourOf(Date.parse(since));
  const last = until === undefined ? Number.MAX_SAFE_INTEGER : hourOf(Date.parse(until));
  const only = sessions.size === 1 ? [...sessions.keys()][0] : undefined;
  const where = `WHERE hour BETWEEN ? AND ?${only === undefined ? '' : ' AND session = ?'}`;
  const values: readonly SqlValue[] = [first, last, ...(only === undefined ? [] : [only])];
  return {
    usage: withSessions<UsageRow>(connection.all(`SELECT * FROM usage ${where}`, ...values), sessions),
    activity: withSessions<ActivityRow>(connection.all(`SELECT * FROM activity ${where}`, ...values), sessions),
  };
}

type Stored<T> = Omit<T, 'session'> & { readonly session: number };

/** Replaces the id of the session in each row, without copying the rows, of which there may be many. */
function withSessions<T extends { readonly session: UsedSession }>(
  rows: readonly Stored<T>[],
  sessions: ReadonlyMap<number, UsedSession>,
): readonly T[] {
  const known = rows.filter((row) => sessions.has(row.session));
  for (const row of known) Object.assign(row, { session: sessions.get(row.session) });
  return known as readonly unknown[] as readonly T[];
}

function readSessions(connection: Connection, { projects, sessionId }: UsageFilter): ReadonlyMap<number, UsedSession> {
  const conditions = ['(session.name <> ? OR session.messages > 0)'];
  const values: SqlValue[] = [NOTES_SESSION];
  if (projects !== undefined) {
    conditions.push(`project.name IN (${projects.map(() => '?').join(', ')})`);
    values.push(...projects);
  }
  if (sessionId === undefined) conditions.push('session.author IS NULL');
  else {
    conditions.push('session.name = ?');
    values.push(sessionId);
  }
  const rows = connection.all<{
    readonly id: number;
    readonly project: string;
    readonly sessionId: string;
    readonly agent: string | null;
  }>(
    `SELECT session.id, project.name AS project, session.name AS sessionId, coalesce(firstAgent, lastAgent) AS agent
     FROM session JOIN project ON project.id = session.project WHERE ${conditions.join(' AND ')}`,
    ...values,
  );
  return new Map(
    rows.map(({ id, project, sessionId: name, agent }) => [
      id,
      { project, sessionId: name, ...(agent === null ? {} : { agent }) },
    ]),
  );
}
