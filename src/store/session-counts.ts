import { getOrAdd } from '../record/once.ts';
import { NOTES_SESSION, OUTCOMES, type Outcome, OWN_AUTHOR, type Role, type SessionSummary } from '../record/record.ts';
import { compareText } from '../text/compare-text.ts';
import type { Connection } from './connection.ts';
import { IS_SESSION, IS_WORK, outcomeBit, roleBit } from './session-rows.ts';
import { type SessionFilter, type SessionWithProject, toSummary, toWhereClause } from './sessions.ts';

/**
 * What a number of sessions means, wherever one is shown: runs of agents that were work. Each run of a sub-agent and each
 * fork is a session of its own and counts; {@link RecordCounts} says how many sub-agents are among them. Those that only
 * asked what is known do not count (see `IS_WORK`), and notes outside of sessions are none. Lists and their facets have
 * all sessions.
 */
const IS_LISTED = IS_SESSION.replace('?', '?2');
const IS_COUNTED = `${IS_LISTED} AND ${IS_WORK}`;

/** Numbers of sessions and records. */
export interface RecordCounts {
  /** Sessions of work, sub-agents and forks included. */
  readonly sessions: number;
  /** Of these, sessions that another one started as a sub-agent. */
  readonly subAgents: number;
  /** Other sessions, which only asked what is known. */
  readonly withoutWork: number;
  readonly messages: number;
  readonly failures: number;
  readonly successes: number;
}

/** Counts what is indexed, of one project or of all. */
export function countRecords(connection: Connection, project?: string): RecordCounts {
  const row = connection.get<RecordCounts>(
    `SELECT coalesce(sum(${IS_COUNTED}), 0) AS sessions, coalesce(sum(${IS_COUNTED} AND startedBy IS NOT NULL), 0) AS subAgents,
       coalesce(sum(${IS_LISTED} AND NOT ${IS_WORK}), 0) AS withoutWork, coalesce(sum(messages), 0) AS messages,
       coalesce(sum(failures), 0) AS failures, coalesce(sum(successes), 0) AS successes
     FROM session WHERE ?1 IS NULL OR project = (SELECT id FROM project WHERE name = ?1)`,
    project ?? null,
    NOTES_SESSION,
  );
  return { sessions: 0, subAgents: 0, withoutWork: 0, messages: 0, failures: 0, successes: 0, ...row };
}

/** How much was done in one project. */
export interface ActivityCounts {
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
export function countByProject(connection: Connection, since: number): readonly ActivityCounts[] {
  const groups = connection.all<{
    readonly name: string;
    readonly agent: string | null;
    readonly sessions: number;
    readonly failures: number;
    readonly successes: number;
  }>(
    `SELECT project.name, coalesce(firstAgent, lastAgent) AS agent, sum(${IS_COUNTED}) AS sessions,
       sum(failures) AS failures, sum(successes) AS successes
     FROM session JOIN project ON project.id = session.project WHERE ?1 IS NULL GROUP BY session.project, agent
     ORDER BY sessions DESC`,
    null,
    NOTES_SESSION,
  );
  const days = connection.all<{ readonly name: string; readonly day: number; readonly sessions: number }>(
    `SELECT project.name, lastTime / ${DAY_MS} AS day, sum(${IS_COUNTED}) AS sessions
     FROM session JOIN project ON project.id = session.project WHERE lastTime >= ?1 GROUP BY session.project, day`,
    since,
    NOTES_SESSION,
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
  /** Colleagues, and `~` for the user's own sessions. Empty without any of colleagues. */
  readonly authors: readonly FacetCount[];
  readonly roles: readonly FacetCount<Role>[];
  readonly outcomes: readonly FacetCount<Outcome>[];
}

interface FacetCount<T extends string = string> {
  readonly value: T;
  readonly sessions: number;
}

const ROLES = ['user', 'assistant'] as const;

/** Counts the sessions that pass a filter, by agent, project, author, role and outcome. Each count ignores the filter of its own kind. */
export function countByChoice(connection: Connection, filter: SessionFilter): SessionFacets {
  // Mostly the filters but for that of its own kind are the same for every kind, so that one pass is enough.
  const passes = new Map<string, readonly CountedGroup[]>();
  const groupsWithout = (kind: 'agent' | 'projects' | 'author' | 'role' | 'outcome') => {
    const others = { ...filter, [kind]: undefined };
    return getOrAdd(passes, JSON.stringify(others), () => countGroups(connection, others));
  };
  const authors = sumByValue(groupsWithout('author'), 'author');
  return {
    agents: sumByValue(groupsWithout('agent'), 'agent'),
    projects: sumByValue(groupsWithout('projects'), 'project'),
    authors: authors.some(({ value }) => value !== OWN_AUTHOR) ? authors : [],
    roles: sumByBit(groupsWithout('role'), ROLES, roleBit),
    outcomes: sumByBit(groupsWithout('outcome'), OUTCOMES, outcomeBit),
  };
}

interface CountedGroup {
  readonly agent: string | null;
  readonly project: string | null;
  readonly author: string;
  readonly kinds: number;
  readonly sessions: number;
}

function countGroups(connection: Connection, filter: SessionFilter): readonly CountedGroup[] {
  const { where, values } = toWhereClause(filter);
  return connection.all(
    `SELECT agent, (SELECT name FROM project WHERE project.id = counted.project) AS project, coalesce(author, '${OWN_AUTHOR}') AS author,
       kinds, sessions FROM (
       SELECT coalesce(firstAgent, lastAgent) AS agent, project, author, kinds, count(*) AS sessions FROM session ${where} GROUP BY 2, 1, 3, 4
     ) AS counted`,
    ...values,
  );
}

function sumByValue(groups: readonly CountedGroup[], key: 'agent' | 'project' | 'author'): readonly FacetCount[] {
  const sums = new Map<string, number>();
  for (const { [key]: value, sessions } of groups)
    if (value !== null) sums.set(value, (sums.get(value) ?? 0) + sessions);
  return [...sums]
    .map(([value, sessions]) => ({ value, sessions }))
    .sort((a, b) => b.sessions - a.sessions || compareText(a.value, b.value));
}

function sumByBit<T extends string>(
  groups: readonly CountedGroup[],
  choices: readonly T[],
  bitOf: (choice: T) => number,
): readonly FacetCount<T>[] {
  return choices
    .map((value) => ({
      value,
      sessions: sum(
        groups.filter(({ kinds }) => (kinds & bitOf(value)) !== 0),
        'sessions',
      ),
    }))
    .filter(({ sessions }) => sessions > 0);
}

/** The sessions whose titles are looked at, the latest first: a list that follows typing must not take longer for more. */
const MAX_TITLES = 25_000;
/** The latest matches, among which the best are chosen. */
const MAX_TITLE_MATCHES = 60;

/**
 * Recent sessions whose title contains all words: those that start with the text first, then the most recently active. A
 * search finds older ones.
 */
export function findSessionsByTitle(
  connection: Connection,
  text: string,
  { projects, limit }: { readonly projects?: readonly string[]; readonly limit: number },
): readonly SessionSummary[] {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const { where, values } = toWhereClause(projects === undefined ? {} : { projects });
  const conditions = words.map(() => "coalesce(title, preview) LIKE ? ESCAPE '\\'");
  // The inner queries need only an index of the table; rows are read for the matches alone.
  const rows = connection.all<SessionWithProject>(
    `SELECT session.*, project.name AS projectId FROM (
       SELECT id FROM (
         SELECT id, title, preview FROM session INDEXED BY sessionByTitle ${where} ORDER BY lastTime DESC LIMIT ${MAX_TITLES}
       ) WHERE ${['1', ...conditions].join(' AND ')} LIMIT ${MAX_TITLE_MATCHES}
     ) AS matching JOIN session ON session.id = matching.id JOIN project ON project.id = session.project`,
    ...values,
    ...words.map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`),
  );
  const start = text.trim().toLowerCase();
  const found = rows.map(toSummary).sort((a, b) => compareText(b.lastActivity, a.lastActivity));
  const isFirst = ({ title }: SessionSummary): boolean => title.toLowerCase().startsWith(start);
  return [...found.filter(isFirst), ...found.filter((session) => !isFirst(session))].slice(0, limit);
}

function sum<K extends string>(rows: readonly Readonly<Record<K, number>>[], key: K): number {
  return rows.reduce((total, row) => total + row[key], 0);
}

function toDay(number: number): string {
  return new Date(number * DAY_MS).toISOString().slice(0, 10);
}
