import type { SessionRecords } from '../history/records.ts';
import { type Outcome, OWN_AUTHOR, type Role, type SessionSummary } from '../record/record.ts';
import type { SqlValue } from '../sqlite/database.ts';
import type { RecordFilter } from './filters.ts';
import { IS_WORK, isWork, outcomeBit, recordBits, roleBit } from './session-rows.ts';

/** What sessions are filtered by. All that are given must match. */
export interface SessionConditions {
  /** Ids of projects. Default: all. */
  readonly projects?: readonly string[];
  readonly agent?: string;
  /** Sessions that this agent started, or whose latest record is from it. */
  readonly heldBy?: string;
  /** Sessions that worked on this branch, among others. */
  readonly branch?: string;
  /** Whose sessions: a colleague's name or pseudonym, or `~` for the user's own. */
  readonly author?: string;
  /** Only sessions of work, see `IS_WORK`. */
  readonly isWork?: boolean;
  /** Only sessions that the user starred. */
  readonly starred?: boolean;
  /** Only sessions that the user gave this tag. */
  readonly tag?: string;
  /** Sessions with a message of this role. */
  readonly role?: Role;
  /** Sessions with an attempt of this outcome. */
  readonly outcome?: Outcome;
  /** ISO 8601. Sessions that were active then or later. */
  readonly since?: string;
  /** ISO 8601. Sessions that had started by then. */
  readonly until?: string;
}

/** How a filter is applied. */
interface FilterRule<T> {
  /** The condition on a row of the table `session`, and its values. */
  readonly where: (value: T) => readonly [condition: string, ...values: SqlValue[]];
  /** The same for a session that is read from the logs, where there is no index. */
  readonly passes: (value: T, summary: SessionSummary, records: SessionRecords) => boolean;
}

/** A search applies what is a filter of records, too, to each record that it finds, and not to the session again. */
type Scope<F> = F extends keyof RecordFilter ? { readonly isOfRecords: true } : { readonly isOfRecords?: never };

type FilterRules = {
  readonly [F in keyof SessionConditions]-?: FilterRule<NonNullable<SessionConditions[F]>> & Scope<F>;
};

/** Every filter, in one place: lists, counts, searches and reading without an index apply these. */
const RULES: FilterRules = {
  projects: {
    where: (ids) => [`project IN (SELECT id FROM project WHERE name IN (${ids.map(() => '?').join(', ')}))`, ...ids],
    passes: (ids, { project }) => ids.includes(project),
    isOfRecords: true,
  },
  agent: {
    where: (agent) => ['coalesce(firstAgent, lastAgent) = ?', agent],
    passes: (agent, summary) => summary.agent === agent,
    isOfRecords: true,
  },
  heldBy: {
    where: (agent) => ['(firstAgent = ? OR lastAgent = ?)', agent, agent],
    passes: (agent, _, { messages }) => [messages[0], messages.at(-1)].some((message) => message?.agent === agent),
  },
  branch: {
    where: (branch) => ['id IN (SELECT session FROM branch WHERE name = ?)', branch],
    passes: (branch, _, records) =>
      Object.values(records)
        .flat()
        .some((record) => record.branch === branch),
    isOfRecords: true,
  },
  author: {
    where: (author) => ['coalesce(author, ?) = ?', OWN_AUTHOR, author],
    passes: (author, summary) => (summary.author ?? OWN_AUTHOR) === author,
    isOfRecords: true,
  },
  isWork: {
    where: (isWanted) => [isWanted ? IS_WORK : 'TRUE'],
    passes: (isWanted, _, records) => !isWanted || isWork(records),
  },
  starred: {
    where: (isWanted) => [isWanted ? 'starred = 1' : 'TRUE'],
    passes: (isWanted, { starred }) => !isWanted || starred === true,
  },
  tag: {
    where: (tag) => ["instr(tags, ',' || ? || ',') > 0", tag],
    passes: (tag, { tags = [] }) => tags.includes(tag),
  },
  role: {
    where: (role) => ['kinds & ? <> 0', roleBit(role)],
    passes: (role, _, { messages }) => messages.some((message) => (recordBits(message) & roleBit(role)) !== 0),
    isOfRecords: true,
  },
  outcome: {
    where: (outcome) => ['kinds & ? <> 0', outcomeBit(outcome)],
    passes: (outcome, _, { attempts }) => attempts.some((attempt) => attempt.outcome === outcome),
    isOfRecords: true,
  },
  // An invalid date becomes NULL or NaN, which compare as false.
  since: {
    where: (since) => ['lastTime >= ?', timeOf(since)],
    passes: (since, { lastActivity }) => Date.parse(lastActivity) >= Date.parse(since),
    isOfRecords: true,
  },
  until: {
    where: (until) => ['coalesce(firstTime, lastTime) <= ?', timeOf(until)],
    passes: (until, { timestamp }) => Date.parse(timestamp) <= Date.parse(until),
    isOfRecords: true,
  },
};

/** The conditions of a filter on the table `session`, each with its values. */
export function sessionConditions(filter: SessionConditions): readonly (readonly [string, ...SqlValue[]])[] {
  return givenRules(filter).map(([{ where }, value]) => where(value));
}

/** Those of them that records cannot be filtered by: a search applies them to the sessions of what it found. */
export function conditionsBeyondRecords(filter: SessionConditions): readonly (readonly [string, ...SqlValue[]])[] {
  return givenRules(filter).flatMap(([{ where, isOfRecords }, value]) => (isOfRecords ? [] : [where(value)]));
}

/** Whether a session that was read from the logs passes a filter. */
export function passesSessionFilter(
  filter: SessionConditions,
  summary: SessionSummary,
  records: SessionRecords,
): boolean {
  return givenRules(filter).every(([{ passes }, value]) => passes(value, summary, records));
}

type AnyRule = FilterRule<unknown> & { readonly isOfRecords?: true };

function givenRules(filter: SessionConditions): readonly (readonly [AnyRule, unknown])[] {
  return Object.entries(RULES).flatMap(([name, rule]) => {
    const value = filter[name as keyof SessionConditions];
    return value === undefined ? [] : [[rule as AnyRule, value] as const];
  });
}

function timeOf(date: string): number | null {
  const time = Date.parse(date);
  return Number.isNaN(time) ? null : time;
}
