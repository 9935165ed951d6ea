import type { SessionRecords } from '../../history/index.ts';
import {
  type Attempt,
  type Message,
  NOTES_SESSION,
  type Outcome,
  type Role,
  type SessionSummary,
} from '../../record/index.ts';
import type { SqlValue } from '../../sqlite/database.ts';
import { RecordReader } from '../query/document-loader.ts';
import { isAttempt } from '../searchable.ts';
import type { Connection } from './connection.ts';
import { placesOfSession } from './remove-documents.ts';
import { outcomeKind, roleKind, type SessionRow } from './session-rows.ts';

/** Which sessions are listed. */
export interface SessionFilter {
  /** Ids of projects. Default: all. */
  readonly projects?: readonly string[];
  readonly agent?: string;
  readonly branch?: string;
  /** Those that have a message of this role. */
  readonly role?: Role;
  /** Those that have an attempt that ended so. */
  readonly outcome?: Outcome;
  /** ISO 8601; sessions that were active from then on. */
  readonly since?: string;
  /** ISO 8601; sessions that had begun by then. */
  readonly until?: string;
  /** Default 50. */
  readonly limit?: number;
  /** How many of them are passed over. Default 0. */
  readonly offset?: number;
}

/** Sessions, most recently active first, and how many there are without limit and offset. */
export interface SessionPage {
  readonly sessions: readonly SessionSummary[];
  readonly total: number;
}

/** Sessions that are listed when no limit is given. */
export const SESSIONS_SHOWN = 50;

type SessionWithProject = SessionRow & { readonly projectName: string };

/** Notes that were made outside of sessions are found by search, but are no session. */
const IS_SESSION = '(session.name <> ? OR session.messages > 0)';

/** Lists sessions, most recently active first. */
export function listSessions(connection: Connection, filter: SessionFilter): SessionPage {
  const { where, values } = conditions(filter);
  // Which sessions they are is told by an index alone; the rows are read of those that are listed.
  const rows = connection.all<SessionWithProject>(
    `SELECT session.*, project.name AS projectName
     FROM (SELECT id FROM session ${where} ORDER BY lastTime DESC, name, project LIMIT ? OFFSET ?) AS listed
     JOIN session ON session.id = listed.id JOIN project ON project.id = session.project
     ORDER BY session.lastTime DESC, session.name, session.project`,
    ...values,
    Math.max(0, filter.limit ?? SESSIONS_SHOWN),
    Math.max(0, filter.offset ?? 0),
  );
  const count = connection.get<{ readonly count: number }>(
    `SELECT count(*) AS count FROM session ${where}`,
    ...values,
  );
  return { sessions: rows.map(toSummary), total: count?.count ?? 0 };
}

/** Sessions whose id begins with a text, most recently active first. */
export function sessionsBeginningWith(
  connection: Connection,
  prefix: string,
  limit: number,
): readonly SessionSummary[] {
  return connection
    .all<SessionWithProject>(
      `SELECT session.*, project.name AS projectName FROM session JOIN project ON project.id = session.project
       WHERE session.name >= ? AND session.name < ? ORDER BY lastTime DESC LIMIT ?`,
      prefix,
      `${prefix}\u{10ffff}`,
      limit,
    )
    .map(toSummary);
}

/** Sessions by project and id, in any order; those that are not known are left out. */
export function sessionsNamed(
  connection: Connection,
  wanted: readonly { readonly project: string; readonly sessionId: string }[],
): readonly SessionSummary[] {
  return wanted.flatMap(({ project, sessionId }) => {
    const row = connection.get<SessionWithProject>(
      `SELECT session.*, project.name AS projectName FROM session JOIN project ON project.id = session.project
       WHERE session.name = ? AND project.name = ?`,
      sessionId,
      project,
    );
    return row ? [toSummary(row)] : [];
  });
}

/**
 * The records of one session, read from the places in the logs that the index knows, in the order in which they were
 * written. Undefined when the index knows no such session.
 */
export function readSession(
  connection: Connection,
  project: string,
  sessionId: string,
): SessionRecords | undefined {
  const session = connection.get<{ readonly id: number }>(
    'SELECT session.id FROM session JOIN project ON project.id = session.project WHERE session.name = ? AND project.name = ?',
    sessionId,
    project,
  );
  if (!session) return undefined;
  const messages: Message[] = [];
  const attempts: Attempt[] = [];
  const reader = new RecordReader();
  try {
    for (const place of placesOfSession(connection, session.id)) {
      const record = reader.read(place.log, place.path, place.start, place.length);
      if (!record) continue;
      if (isAttempt(record)) attempts.push(record);
      else messages.push(record);
    }
  } finally {
    reader.close();
  }
  return { messages, attempts };
}

/** When a session was forgotten last, as ISO 8601. */
export function forgottenAt(connection: Connection, project: string, sessionId: string): string | undefined {
  const row = connection.get<{ readonly time: number | null }>(
    'SELECT max(time) AS time FROM tombstone WHERE session = ? AND project = (SELECT id FROM project WHERE name = ?)',
    sessionId,
    project,
  );
  return row?.time == null ? undefined : new Date(row.time).toISOString();
}

/** How much there is. */
export interface RecordCounts {
  readonly sessions: number;
  readonly messages: number;
  readonly failures: number;
  readonly successes: number;
}

/** Counts what the index knows, in one project or in all. */
export function countRecords(connection: Connection, project?: string): RecordCounts {
  const row = connection.get<RecordCounts>(
    `SELECT coalesce(sum(${IS_SESSION.replace('?', '?2')}), 0) AS sessions, coalesce(sum(messages), 0) AS messages, coalesce(sum(failures), 0) AS failures,
       coalesce(sum(successes), 0) AS successes
     FROM session WHERE ?1 IS NULL OR project = (SELECT id FROM project WHERE name = ?1)`,
    project ?? null,
    NOTES_SESSION,
  );
  return { sessions: 0, messages: 0, failures: 0, successes: 0, ...row };
}

function conditions(filter: SessionFilter): { readonly where: string; readonly values: readonly SqlValue[] } {
  const conditions: string[] = [IS_SESSION];
  const values: SqlValue[] = [NOTES_SESSION];
  const add = (condition: string, ...own: SqlValue[]) => {
    conditions.push(condition);
    values.push(...own);
  };
  const { projects, agent, branch, role, outcome, since, until } = filter;
  if (projects)
    add(
      `project IN (SELECT id FROM project WHERE name IN (${projects.map(() => '?').join(', ')}))`,
      ...projects,
    );
  if (agent !== undefined) add('coalesce(firstAgent, lastAgent) = ?', agent);
  if (branch !== undefined) add('coalesce(lastBranch, firstBranch) = ?', branch);
  if (role !== undefined) add('kinds & ? <> 0', roleKind(role));
  if (outcome !== undefined) add('kinds & ? <> 0', outcomeKind(outcome));
  // A date that cannot be read becomes NULL, which is neither before nor after anything.
  if (since !== undefined) add('lastTime >= ?', timeOf(since));
  if (until !== undefined) add('coalesce(firstTime, lastTime) <= ?', timeOf(until));
  return { where: `WHERE ${conditions.join(' AND ')}`, values };
}

function timeOf(date: string): number | null {
  const time = Date.parse(date);
  return Number.isNaN(time) ? null : time;
}

function toSummary(row: SessionWithProject): SessionSummary {
  const agent = row.firstAgent ?? row.lastAgent;
  const branch = row.lastBranch ?? row.firstBranch;
  return {
    sessionId: row.name,
    project: row.projectName,
    timestamp: row.timestamp ?? row.lastActivity ?? '',
    lastActivity: row.lastActivity ?? '',
    messageCount: row.messages,
    preview: row.preview ?? '',
    firstRole: (row.role as Role | null) ?? 'user',
    ...(agent === null ? {} : { agent }),
    ...(branch === null ? {} : { branch }),
    failures: row.failures,
    successes: row.successes,
  };
}
