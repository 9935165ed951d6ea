import { type Outcome, type Role, textHash } from '../record/index.ts';
import type { SearchQuery } from './search-types.ts';
import type { Searchable } from './searchable.ts';

/** Starts every term that documents are filtered by; no word does. */
export const FILTER_PREFIX = '§';

/** The same few values occur again and again. */
const cachedTerms = new Map<string, string>();
const MAX_CACHED = 1_000;

/** What a record is filtered by, except its time. */
interface FilterFields {
  readonly project: string;
  readonly sessionId: string;
  readonly role?: Role | undefined;
  readonly outcome?: Outcome | undefined;
  readonly agent?: string | undefined;
  readonly branch?: string | undefined;
}

/** The filter terms of a record. Two values may share a term, so check each match with {@link passesFilters}. */
export function recordFilterTerms(project: string, record: Searchable): readonly string[] {
  const { sessionId, role, outcome, agent, branch } = filterFieldsOf(project, record);
  return [
    term('p', project),
    term('s', sessionId),
    ...(role === undefined ? [] : [term('r', role)]),
    ...(outcome === undefined ? [] : [term('o', outcome)]),
    ...(agent === undefined ? [] : [term('a', agent)]),
    ...(branch === undefined ? [] : [term('b', branch)]),
  ];
}

/** For each filter of a query, the terms that a record must have one of. */
export function queryFilterTerms(query: SearchQuery): readonly (readonly string[])[] {
  return [
    ...(query.projects === undefined ? [] : [query.projects.map((project) => term('p', project))]),
    ...(query.sessionId === undefined ? [] : [[term('s', query.sessionId)]]),
    ...(query.role === undefined ? [] : [[term('r', query.role)]]),
    ...(query.outcome === undefined ? [] : [[term('o', query.outcome)]]),
    ...(query.agent === undefined ? [] : [[term('a', query.agent)]]),
    ...(query.branch === undefined ? [] : [[term('b', query.branch)]]),
  ];
}

/** Whether a record passes all filters of a query. */
export function passesFilters(query: SearchQuery, project: string, record: Searchable): boolean {
  const { sessionId, role, outcome, agent, branch } = filterFieldsOf(project, record);
  return (
    (query.projects === undefined || query.projects.includes(project)) &&
    (query.sessionId === undefined || query.sessionId === sessionId) &&
    (query.role === undefined || query.role === role) &&
    (query.outcome === undefined || query.outcome === outcome) &&
    (query.agent === undefined || query.agent === agent) &&
    (query.branch === undefined || query.branch === branch) &&
    // Nothing passes an invalid date.
    (query.since === undefined || Date.parse(record.timestamp) >= Date.parse(query.since)) &&
    (query.until === undefined || Date.parse(record.timestamp) <= Date.parse(query.until))
  );
}

function filterFieldsOf(project: string, record: Searchable): FilterFields {
  return {
    project,
    sessionId: record.sessionId,
    role: 'role' in record ? record.role : undefined,
    outcome: 'outcome' in record ? record.outcome : undefined,
    agent: record.agent,
    branch: record.branch,
  };
}

function term(field: string, value: string): string {
  const key = field + value;
  const cached = cachedTerms.get(key);
  if (cached !== undefined) return cached;
  if (cachedTerms.size > MAX_CACHED) cachedTerms.clear();
  const made = FILTER_PREFIX + field + textHash(value).toString(36);
  cachedTerms.set(key, made);
  return made;
}
