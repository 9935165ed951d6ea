import { activeByHour, hourOf, replyUsage, TOKEN_KINDS, USAGE_COUNTS } from '../history/usage.ts';
import { getOrAdd } from '../record/once.ts';
import { NOTES_SESSION, type Usage } from '../record/record.ts';
import type { SqlValue } from '../sqlite/database.ts';
import { beginningOf } from '../text/characters.ts';
import type { Connection } from './connection.ts';
import { isAttempt, type Searchable } from './searchable.ts';
import { IS_SESSION } from './session-rows.ts';

const MAX_MODEL_LENGTH = 250;

type Counts = { -readonly [K in keyof Required<Usage>]: number };

interface UsageSums extends Counts {
  readonly session: number;
  readonly hour: number;
  readonly model: string;
  replies: number;
}

const COLUMNS = ['session', 'hour', 'model', 'replies', ...USAGE_COUNTS] as const;
const INSERT = `INSERT INTO usage (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')}) ON CONFLICT DO UPDATE SET
  ${COLUMNS.slice(3)
    .map((column) => `${column} = ${column} + excluded.${column}`)
    .join(', ')}`;
const NO_COUNTS = Object.fromEntries(USAGE_COUNTS.map((count) => [count, 0])) as Counts;

/** The usage of sessions that records add up to, until it is saved. */
export class SessionUsage {
  readonly #sums = new Map<string, UsageSums>();

  /** Adds a record of a session. Attempts have no usage. */
  add(session: number, time: number, record: Searchable): void {
    const usage = isAttempt(record) ? undefined : replyUsage(record);
    if (usage === undefined) return;
    const model = beginningOf(usage.model, MAX_MODEL_LENGTH);
    const hour = hourOf(time);
    const key = `${session} ${hour} ${model}`;
    const sums = getOrAdd(this.#sums, key, () => ({ session, hour, model, replies: 0, ...NO_COUNTS }));
    sums.replies++;
    for (const count of USAGE_COUNTS) sums[count] += usage.counts[count];
  }

  /** Adds everything to what the index has of these sessions. */
  save(connection: Connection): void {
    for (const sums of this.#sums.values()) connection.run(INSERT, ...COLUMNS.map((column) => sums[column]));
  }
}

/**
 * Computes again when a session was active, from the times of its documents, and what it did in each hour. Every hour with a
 * reply has active time, if only 0, so that the rows tell when a session was used. Call it after the usage and the facts are
 * saved.
 */
export function saveActivity(connection: Connection, session: number): void {
  connection.run('DELETE FROM activity WHERE session = ?', session);
  const times = connection.numbers('SELECT time FROM document WHERE session = ? ORDER BY time', session);
  for (const [hour, activeMs] of activeByHour(times.map(([time = 0]) => time)))
    connection.run('INSERT INTO activity VALUES (?, ?, ?)', session, hour, activeMs);
  connection.run('INSERT OR IGNORE INTO activity SELECT session, hour, 0 FROM usage WHERE session = ?', session);
  connection.run('DELETE FROM hour WHERE session = ?', session);
  for (const hour of new Set(times.map(([time = 0]) => hourOf(time))))
    connection.run('INSERT INTO hour VALUES (?, ?, 0, 0, 0)', session, hour);
  connection.run(
    `UPDATE hour SET (successes, failures, commits) = (done.successes, done.failures, done.commits) FROM (
       SELECT at / ${HOUR_MS} AS hour, sum(outcome = 'success') AS successes, sum(outcome = 'failure') AS failures,
         count(gitCommit.document) AS commits
       FROM call LEFT JOIN gitCommit ON gitCommit.document = call.document WHERE call.session = ?1 GROUP BY 1
     ) AS done WHERE session = ?1 AND hour.hour = done.hour`,
    session,
  );
}

/** Removes when a session was active, and what it used. */
export function removeUsage(connection: Connection, session: number): void {
  connection.run('DELETE FROM usage WHERE session = ?', session);
  connection.run('DELETE FROM activity WHERE session = ?', session);
  connection.run('DELETE FROM hour WHERE session = ?', session);
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

/** What replies used. */
interface ReplySums extends Required<Usage> {
  /** Empty if unknown. */
  readonly model: string;
  readonly replies: number;
}

/** What the sessions of a project and agent used of a model. */
interface ReplyRow extends ReplySums {
  readonly project: string;
  readonly agent: string | null;
  readonly sessions: number;
}

/** How long the sessions of a project and agent that used a model most were active. */
interface ActivityRow {
  readonly project: string;
  readonly agent: string | null;
  /** Null for sessions without a reply. */
  readonly model: string | null;
  readonly activeMs: number;
  readonly sessions: number;
}

/** What sessions used, and how long they were active. */
export interface UsageRows {
  readonly replies: readonly ReplyRow[];
  readonly activity: readonly ActivityRow[];
}

const HOUR_MS = 3_600_000;
const REPLY_SUMS = ['replies', ...USAGE_COUNTS].map((column) => `sum(${column}) AS ${column}`).join(', ');
const TOKEN_COUNT = TOKEN_KINDS.join(' + ');
const AGENT = 'coalesce(firstAgent, lastAgent)';

/** Adds up the usage of one session, or of the user's own, by project, agent and model. Notes outside of sessions have none. */
export function readUsage(connection: Connection, filter: UsageFilter): UsageRows {
  const { where, values } = toCondition(filter);
  return {
    replies: connection.all<ReplyRow>(
      `SELECT project.name AS project, ${AGENT} AS agent, model, count(DISTINCT session.id) AS sessions, ${REPLY_SUMS}
       FROM usage AS used JOIN session ON session.id = used.session JOIN project ON project.id = session.project
       ${where} GROUP BY session.project, 2, model`,
      ...values,
    ),
    // A bare column beside max() is from the row with the maximum: the model that a session used most.
    activity: connection.all<ActivityRow>(
      `SELECT project.name AS project, ${AGENT} AS agent, model, sum(activeMs) AS activeMs, count(*) AS sessions FROM (
         SELECT session.id, sum(activeMs) AS activeMs FROM activity AS used JOIN session ON session.id = used.session
         ${where} GROUP BY session.id
       ) AS active LEFT JOIN (
         SELECT session, model, max(tokens) FROM (
           SELECT session.id AS session, model, sum(${TOKEN_COUNT}) AS tokens
           FROM usage AS used JOIN session ON session.id = used.session ${where} GROUP BY session.id, model
         ) GROUP BY session
       ) AS most ON most.session = active.id
       JOIN session ON session.id = active.id JOIN project ON project.id = session.project
       GROUP BY session.project, 2, model`,
      ...values,
      ...values,
    ),
  };
}

/** What replies used of a model within an hour. */
interface HourlyReplies extends ReplySums {
  /** Counted from 1970. */
  readonly hour: number;
}

/** The active time within an hour of the sessions that were active in the same hour before. */
interface HourlyActivity {
  readonly hour: number;
  /** Null for sessions that began in `hour`. */
  readonly previousHour: number | null;
  readonly activeMs: number;
  readonly sessions: number;
}

/** The usage of {@link readUsage} by hour. */
export interface HourlyUsage {
  readonly replies: readonly HourlyReplies[];
  readonly activity: readonly HourlyActivity[];
}

/** Adds up the usage of sessions by hour. */
export function readHourlyUsage(connection: Connection, filter: UsageFilter): HourlyUsage {
  const { where, values } = toCondition(filter);
  return {
    replies: connection.all<HourlyReplies>(
      `SELECT hour, model, ${REPLY_SUMS} FROM usage AS used JOIN session ON session.id = used.session ${where} GROUP BY hour, model`,
      ...values,
    ),
    activity: connection.all<HourlyActivity>(
      `SELECT hour, previousHour, sum(activeMs) AS activeMs, count(*) AS sessions FROM (
         SELECT hour, activeMs, lag(hour) OVER (PARTITION BY used.session ORDER BY hour) AS previousHour
         FROM activity AS used JOIN session ON session.id = used.session ${where}
       ) GROUP BY hour, previousHour`,
      ...values,
    ),
  };
}

/** How sessions are ranked by {@link findTopSessions}. */
export interface TopSessionOptions {
  /** What one of each count weighs, by model. Default 0. */
  readonly weights: readonly (Required<Usage> & { readonly model: string })[];
  readonly limit: number;
}

/** The sessions whose replies weigh the most, the highest first; of equal ones, those with the most tokens. */
export function findTopSessions(
  connection: Connection,
  filter: UsageFilter,
  { weights, limit }: TopSessionOptions,
): readonly { readonly project: string; readonly sessionId: string }[] {
  const { where, values } = toCondition(filter);
  const weighed = USAGE_COUNTS.map((kind) => `used.${kind} * coalesce(weight.${kind}, 0)`).join(' + ');
  return connection.all(
    `WITH weight AS MATERIALIZED (
       SELECT value ->> 'model' AS model, ${USAGE_COUNTS.map((kind) => `value ->> '${kind}' AS ${kind}`).join(', ')} FROM json_each(?)
     )
     SELECT project.name AS project, session.name AS sessionId
     FROM usage AS used JOIN session ON session.id = used.session JOIN project ON project.id = session.project
       LEFT JOIN weight ON weight.model = used.model
     ${where} GROUP BY session.id
     ORDER BY sum(${weighed}) DESC, sum(${TOKEN_KINDS.map((kind) => `used.${kind}`).join(' + ')}) DESC, session.name LIMIT ?`,
    JSON.stringify(weights),
    ...values,
    limit,
  );
}

/** The condition of a filter on rows `used` of a session, and its values. */
function toCondition({ projects, sessionId, since, until }: UsageFilter): {
  readonly where: string;
  readonly values: readonly SqlValue[];
} {
  const first = since === undefined ? 0 : hourOf(Date.parse(since));
  const last = until === undefined ? Number.MAX_SAFE_INTEGER : hourOf(Date.parse(until));
  const conditions = ['hour BETWEEN ? AND ?', IS_SESSION];
  const values: SqlValue[] = [first, last, NOTES_SESSION];
  if (projects !== undefined) {
    conditions.push(
      `session.project IN (SELECT id FROM project WHERE name IN (${projects.map(() => '?').join(', ')}))`,
    );
    values.push(...projects);
  }
  if (sessionId === undefined) conditions.push('session.author IS NULL');
  else {
    conditions.push('session.name = ?');
    values.push(sessionId);
  }
  return { where: `WHERE ${conditions.join(' AND ')}`, values };
}
