import { type Outcome, type Role, textHash } from '../../record/index.ts';
import type { SearchQuery } from '../search-types.ts';
import type { Searchable } from '../searchable.ts';

/** Begins every term that stands for a fact; no word does. */
const FACT_MARK = '§';

/** The same few values come again and again. */
const terms = new Map<string, string>();
const MOST_REMEMBERED = 1_000;

/** What a record is filtered by, apart from time. */
interface Facts {
  readonly project: string;
  readonly sessionId: string;
  readonly role?: Role | undefined;
  readonly outcome?: Outcome | undefined;
  readonly agent?: string | undefined;
  readonly branch?: string | undefined;
}

/** The terms that stand for the facts of a record. Two values may share a term: check what was found. */
export function factTerms(project: string, record: Searchable): readonly string[] {
  const { sessionId, role, outcome, agent, branch } = factsOf(project, record);
  return [
    term('p', project),
    term('s', sessionId),
    ...(role === undefined ? [] : [term('r', role)]),
    ...(outcome === undefined ? [] : [term('o', outcome)]),
    ...(agent === undefined ? [] : [term('a', agent)]),
    ...(branch === undefined ? [] : [term('b', branch)]),
  ];
}

/** For each filter of a query, the terms of which a record must have one. */
export function filterTerms(query: SearchQuery): readonly (readonly string[])[] {
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
  const { sessionId, role, outcome, agent, branch } = factsOf(project, record);
  return (
    (query.projects === undefined || query.projects.includes(project)) &&
    (query.sessionId === undefined || query.sessionId === sessionId) &&
    (query.role === undefined || query.role === role) &&
    (query.outcome === undefined || query.outcome === outcome) &&
    (query.agent === undefined || query.agent === agent) &&
    (query.branch === undefined || query.branch === branch) &&
    // A date that cannot be read lets nothing through, as nothing is known to be in it.
    (query.since === undefined || Date.parse(record.timestamp) >= Date.parse(query.since)) &&
    (query.until === undefined || Date.parse(record.timestamp) <= Date.parse(query.until))
  );
}

function factsOf(project: string, record: Searchable): Facts {
  return {
    project,
    sessionId: record.sessionId,
    role: 'role' in record ? record.role : undefined,
    outcome: 'outcome' in record ? record.outcome : undefined,
    agent: record.agent,
    branch: record.branch,
  };
}

function term(letter: string, value: string): string {
  const key = letter + value;
  const known = terms.get(key);
  if (known !== undefined) return known;
  if (terms.size > MOST_REMEMBERED) terms.clear();
  const made = FACT_MARK + letter + textHash(value).toString(36);
  terms.set(key, made);
  return made;
}
