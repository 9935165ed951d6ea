import { labelTitle, NO_RECORDS, type SessionRecords } from '../history/records.ts';
import { omitUndefined } from '../record/object.ts';
import { type Attempt, type Message, NOTES_SESSION, type Role, type SessionSummary } from '../record/record.ts';
import type { SqlValue } from '../sqlite/database.ts';
import type { Connection } from './connection.ts';
import { readSessionDocuments } from './remove-documents.ts';
import { isAttempt } from './searchable.ts';
import { conditionsBeyondRecords, type SessionConditions, sessionConditions } from './session-filters.ts';
import { FOREIGN_BIT, IS_SESSION, IS_WORK, type SessionRow } from './session-rows.ts';

/** Which sessions to list. */
export interface SessionFilter extends SessionConditions {
  /** Default 50. */
  readonly limit?: number;
  /** How many to skip. Default 0. */
  readonly offset?: number;
}

/** Sessions, most recently active first, and how many match regardless of limit and offset. */
export interface SessionPage {
  readonly sessions: readonly SessionSummary[];
  readonly total: number;
}

/** The default for the limit of a {@link SessionFilter}. */
export const DEFAULT_SESSION_LIMIT = 50;

/** A row of a session, with the id of its project. */
export type SessionWithProject = SessionRow & { readonly projectId: string };

const SELECT_SESSION =
  'SELECT session.*, project.name AS projectId FROM session JOIN project ON project.id = session.project';

/** Lists sessions, most recently active first. */
export function listSessions(connection: Connection, filter: SessionFilter): SessionPage {
  const { where, values } = toWhereClause(filter);
  // The inner query needs only an index of the table; rows are read for the listed sessions alone.
  const rows = connection.all<SessionWithProject>(
    `SELECT session.*, project.name AS projectId
     FROM (SELECT id FROM session ${where} ORDER BY lastTime DESC, name, project LIMIT ? OFFSET ?) AS listed
     JOIN session ON session.id = listed.id JOIN project ON project.id = session.project
     ORDER BY session.lastTime DESC, session.name, session.project`,
    ...values,
    Math.max(0, filter.limit ?? DEFAULT_SESSION_LIMIT),
    Math.max(0, filter.offset ?? 0),
  );
  const count = connection.get<{ readonly count: number }>(`SELECT count(*) AS count FROM session ${where}`, ...values);
  return { sessions: rows.map(toSummary), total: count?.count ?? 0 };
}

/** The time of the latest record of each project, by id. */
export function latestActivity(connection: Connection): ReadonlyMap<string, string> {
  const rows = connection.all<{ readonly name: string; readonly lastActivity: string | null }>(
    `SELECT name, (SELECT lastActivity FROM session WHERE session.project = project.id AND ${IS_WORK} ORDER BY lastTime DESC LIMIT 1)
       AS lastActivity FROM project`,
  );
  return new Map(rows.map(({ name, lastActivity }) => [name, lastActivity ?? '']));
}

/** Sessions whose id starts with a prefix, most recently active first. */
export function findSessionsByPrefix(connection: Connection, prefix: string, limit: number): readonly SessionSummary[] {
  return connection
    .all<SessionWithProject>(
      `${SELECT_SESSION} WHERE session.name >= ? AND session.name < ? ORDER BY lastTime DESC LIMIT ?`,
      prefix,
      `${prefix}\u{10ffff}`,
      limit,
    )
    .map(toSummary);
}

/** How many of the first characters of a session's id are needed so that no other session's id begins with them. */
export function uniquePrefixLength(connection: Connection, sessionId: string): number {
  const { before, after } = connection.get<{ readonly before: string | null; readonly after: string | null }>(
    `SELECT (SELECT max(name) FROM session WHERE name < ?1) AS before,
       (SELECT min(name) FROM session WHERE name > ?1) AS after`,
    sessionId,
  ) ?? { before: null, after: null };
  // Names are sorted, so no other one has more in common with this one than its two neighbours.
  return 1 + Math.max(commonLength(sessionId, before ?? ''), commonLength(sessionId, after ?? ''));
}

function commonLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}

/**
 * The sessions with these ids, such as those of found records. Left out are unknown ones, and what does not pass the part of
 * the filter that records cannot be filtered by.
 */
export function findSessionsById(
  connection: Connection,
  wanted: readonly { readonly project: string; readonly sessionId: string }[],
  filter: SessionConditions = {},
): readonly SessionSummary[] {
  const conditions = conditionsBeyondRecords(filter);
  return wanted.flatMap(({ project, sessionId }) => {
    const row = findSession(connection, project, sessionId);
    return row && passes(connection, row.id, conditions) ? [toSummary(row)] : [];
  });
}

function passes(
  connection: Connection,
  id: number,
  conditions: readonly (readonly [condition: string, ...values: SqlValue[]])[],
): boolean {
  if (conditions.length === 0) return true;
  const where = ['id = ?', ...conditions.map(([condition]) => condition)].join(' AND ');
  const values = conditions.flatMap(([, ...rest]) => rest);
  return connection.get(`SELECT 1 FROM session WHERE ${where}`, id, ...values) !== undefined;
}

function findSession(connection: Connection, project: string, sessionId: string): SessionWithProject | undefined {
  return connection.get(`${SELECT_SESSION} WHERE session.name = ? AND project.name = ?`, sessionId, project);
}

/**
 * The records of one session, log by log, in the order in which they were written; none for an unknown one. Undefined when
 * not all of them can be read now, so that the logs must be read.
 */
export function readSession(connection: Connection, project: string, sessionId: string): SessionRecords | undefined {
  const session = findSession(connection, project, sessionId);
  if (!session) return NO_RECORDS;
  const messages: Message[] = [];
  const attempts: Attempt[] = [];
  const titles: Message[] = [];
  for (const { record } of readSessionDocuments(connection, session.id)) {
    if (isAttempt(record)) attempts.push(record);
    else (record.kind === 'title' ? titles : messages).push(record);
  }
  const { count = 0 } =
    connection.get<{ readonly count: number }>(
      'SELECT count(*) AS count FROM document WHERE session = ?',
      session.id,
    ) ?? {};
  // A log that is being rewritten, such as when old failures are archived, has its records elsewhere for a moment.
  return messages.length + attempts.length + titles.length < count ? undefined : { messages, attempts, titles };
}

/** When a session was last deleted, ISO 8601. */
export function findDeletionTime(connection: Connection, project: string, sessionId: string): string | undefined {
  const row = connection.get<{ readonly time: number | null }>(
    'SELECT max(time) AS time FROM tombstone WHERE session = ? AND project = (SELECT id FROM project WHERE name = ?)',
    sessionId,
    project,
  );
  return row?.time == null ? undefined : new Date(row.time).toISOString();
}

/** The condition of a filter on the table `session`, and its values. */
export function toWhereClause(filter: SessionConditions): {
  readonly where: string;
  readonly values: readonly SqlValue[];
} {
  const given = sessionConditions(filter);
  return {
    where: `WHERE ${[IS_SESSION, ...given.map(([condition]) => condition)].join(' AND ')}`,
    values: [NOTES_SESSION, ...given.flatMap(([, ...values]) => values)],
  };
}

/** A session as lists show it. */
export function toSummary(row: SessionWithProject): SessionSummary {
  const agent = row.firstAgent ?? row.lastAgent;
  const branch = row.lastBranch ?? row.firstBranch;
  const isForeign = (row.kinds & FOREIGN_BIT) !== 0;
  return {
    sessionId: row.name,
    project: row.projectId,
    timestamp: row.timestamp ?? row.lastActivity ?? '',
    lastActivity: row.lastActivity ?? '',
    messageCount: row.messages,
    title: labelTitle(row.title ?? row.preview ?? '', { isForeign }),
    preview: row.preview ?? '',
    firstRole: (row.role as Role | null) ?? 'user',
    ...omitUndefined({ agent: agent ?? undefined, branch: branch ?? undefined, author: row.author ?? undefined }),
    failures: row.failures,
    successes: row.successes,
    ...(row.starred === 1 ? { starred: true } : {}),
    ...(row.tags === null ? {} : { tags: row.tags.split(',').slice(1, -1) }),
    ...(isForeign ? { foreign: true } : {}),
  };
}
