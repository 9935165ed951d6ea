import {
  CHAT_AGENT,
  NOTES_SESSION,
  OUTCOMES,
  type Outcome,
  type Role,
  type SessionSummary,
} from '../../record/index.ts';
import type { Connection } from './connection.ts';
import { outcomeBit, roleBit } from './session-rows.ts';
import {
  IS_CHAT,
  IS_SESSION,
  SELECT_SESSION,
  type SessionFilter,
  type SessionWithProject,
  toSummary,
  toWhereClause,
} from './sessions.ts';

/** How much was done in one project. */
export interface ProjectCounts {
  /** Id of the project. */
  readonly project: string;
  /** Sessions of work, as {@link RecordCounts} counts them. */
  readonly sessions: number;
  readonly failures: number;
  readonly successes: number;
  /** The agents of its sessions, the most used first. */
  readonly agents: readonly { readonly agent: string; readonly sessions: number }[];
  /** Sessions by the UTC day of their latest record (`2026-11-15`), since the given time. */
  readonly days: ReadonlyMap<string, number>;
}

const DAY_MS = 86_400_000;

/** Counts the sessions of every project. `since`: epoch milliseconds from which days are counted. */
export function countByProject(connection: Connection, since: number): readonly ProjectCounts[] {
  const isWork = `${IS_SESSION.replace('?', '?2')} AND NOT ${IS_CHAT}`;
  const groups = connection.all<{
    readonly name: string;
    readonly agent: string | null;
    readonly sessions: number;
    readonly failures: number;
    readonly successes: number;
  }>(
    `SELECT project.name, coalesce(firstAgent, lastAgent) AS agent, sum(${isWork}) AS sessions,
       sum(failures) AS failures, sum(successes) AS successes
     FROM session JOIN project ON project.id = session.project WHERE ?1 IS NULL GROUP BY session.project, agent
     ORDER BY sessions DESC`,
    null,
    NOTES_SESSION,
    CHAT_AGENT,
  );
  const days = connection.all<{ readonly name: string; readonly day: number; readonly sessions: number }>(
    `SELECT project.name, lastTime / ${DAY_MS} AS day, sum(${isWork}) AS sessions
     FROM session JOIN project ON project.id = session.project WHERE lastTime >= ?1 GROUP BY session.project, day`,
    since,
    NOTES_SESSION,
    CHAT_AGENT,
  );
  return [...new Set(groups.map(({ name }) => name))].map((project) => {
    const rows = groups.filter(({ name }) => name === project);
    return {
      project,
      sessions: sum(rows, 'sessions'),
      failures: sum(rows, 'failures'),
      successes: sum(rows, 'successes'),
      agents: rows.flatMap(({ agent, sessions }) => (agent === null || sessions === 0 ? [] : [{ agent, sessions }])),
      days: new Map(
        days.flatMap(({ name, day, sessions }) => (name === project ? [[toDay(day), sessions] as const] : [])),
      ),
    };
  });
}

/** How many sessions each choice of a filter would list, given the other filters. Choices without any are left out. */
export interface SessionFacets {
  readonly agents: readonly FacetCount[];
  readonly projects: readonly FacetCount[];
  readonly roles: readonly FacetCount<Role>[];
  readonly outcomes: readonly FacetCount<Outcome>[];
}

interface FacetCount<T extends string = string> {
  readonly value: T;
  readonly sessions: number;
}

const ROLES = ['user', 'assistant'] as const;

/** Counts the sessions that pass a filter, by agent, project, role and outcome. Each count ignores the filter of its own kind. */
export function countByChoice(connection: Connection, filter: SessionFilter): SessionFacets {
  const { agent: _agent, ...anyAgent } = filter;
  const { projects: _projects, ...anyProject } = filter;
  const { role: _role, ...anyRole } = filter;
  const { outcome: _outcome, ...anyOutcome } = filter;
  return {
    agents: countGroups(connection, 'coalesce(firstAgent, lastAgent)', anyAgent),
    projects: countGroups(connection, '(SELECT name FROM project WHERE project.id = session.project)', anyProject),
    roles: countBits(connection, ROLES, roleBit, anyRole),
    outcomes: countBits(connection, OUTCOMES, outcomeBit, anyOutcome),
  };
}

function countGroups(connection: Connection, value: string, filter: SessionFilter): readonly FacetCount[] {
  const { where, values } = toWhereClause(filter);
  const rows = connection.all<{ readonly value: string | null; readonly sessions: number }>(
    `SELECT ${value} AS value, count(*) AS sessions FROM session ${where} GROUP BY 1 ORDER BY sessions DESC, value`,
    ...values,
  );
  return rows.flatMap((row) => (row.value === null ? [] : [{ value: row.value, sessions: row.sessions }]));
}

function countBits<T extends string>(
  connection: Connection,
  choices: readonly T[],
  bitOf: (choice: T) => number,
  filter: SessionFilter,
): readonly FacetCount<T>[] {
  const { where, values } = toWhereClause(filter);
  const columns = choices.map((choice, index) => `sum(kinds & ${bitOf(choice)} <> 0) AS choice${index}`);
  const row = connection.get<Readonly<Record<string, number | null>>>(
    `SELECT ${columns.join(', ')} FROM session ${where}`,
    ...values,
  );
  return choices
    .map((value, index) => ({ value, sessions: row?.[`choice${index}`] ?? 0 }))
    .filter(({ sessions }) => sessions > 0);
}

/** The newest sessions among which the best matches are chosen. */
const MAX_TITLE_MATCHES = 60;

/** Sessions whose title contains all words: those that start with the text first, then the most recently active. */
export function findSessionsByTitle(
  connection: Connection,
  text: string,
  { projects, limit }: { readonly projects?: readonly string[]; readonly limit: number },
): readonly SessionSummary[] {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const { where, values } = toWhereClause(projects === undefined ? {} : { projects });
  const conditions = words.map(() => "AND coalesce(title, preview) LIKE ? ESCAPE '\\'");
  const rows = connection.all<SessionWithProject>(
    `${SELECT_SESSION} ${where} ${conditions.join(' ')} ORDER BY lastTime DESC LIMIT ${MAX_TITLE_MATCHES}`,
    ...values,
    ...words.map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`),
  );
  const start = text.trim().toLowerCase();
  const found = rows.map(toSummary);
  const isFirst = ({ title }: SessionSummary): boolean => title.toLowerCase().startsWith(start);
  return [...found.filter(isFirst), ...found.filter((session) => !isFirst(session))].slice(0, limit);
}

function sum<K extends string>(rows: readonly Readonly<Record<K, number>>[], key: K): number {
  return rows.reduce((total, row) => total + row[key], 0);
}

function toDay(number: number): string {
  return new Date(number * DAY_MS).toISOString().slice(0, 10);
}
