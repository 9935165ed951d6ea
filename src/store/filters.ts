import { textHash } from '../record/id.ts';
import { getOrAdd } from '../record/once.ts';
import { type Outcome, OWN_AUTHOR, type Role } from '../record/record.ts';
import { isAttempt, type Searchable } from './searchable.ts';

/** Which records are meant. All filters must match. */
export interface RecordFilter {
  readonly role?: Role;
  /** Ids of projects. Default: all. */
  readonly projects?: readonly string[];
  readonly agent?: string;
  readonly branch?: string;
  /** A file that a record names: what was done to it, and replies that changed it. A path, or the end of one. */
  readonly file?: string;
  /** Whose records: a colleague's name or pseudonym, or `~` for the user's own. */
  readonly author?: string;
  readonly sessionId?: string;
  /** ISO 8601. Records from then on. */
  readonly since?: string;
  /** ISO 8601. Records up to then. */
  readonly until?: string;
  readonly outcome?: Outcome;
}

/** Starts every term that documents are filtered by; no word does. */
export const FILTER_PREFIX = '§';

/** Fields of records that queries filter by, and the letter that stands for each in terms. */
const FIELDS = { sessionId: 's', role: 'r', outcome: 'o', agent: 'a', branch: 'b' } as const;
const FIELD_NAMES = Object.keys(FIELDS) as (keyof typeof FIELDS)[];
const PROJECT_FIELD = 'p';
const AUTHOR_FIELD = 'u';
const FILE_FIELD = 'f';

type FilterFields = { readonly [F in keyof typeof FIELDS]?: string };

/** The filter terms of a record. Two values may share a term, so check each match with {@link passesFilters}. */
export function recordFilterTerms(project: string, record: Searchable): readonly string[] {
  return [
    projectFilterTerm(project),
    authorFilterTerm(record.author ?? OWN_AUTHOR),
    ...new Set(filesOf(record).map(fileFilterTerm)),
    ...fieldTerms(record),
  ];
}

/** The filter term of all records of a project. */
export function projectFilterTerm(project: string): string {
  return toTerm(PROJECT_FIELD, project);
}

function authorFilterTerm(author: string): string {
  return toTerm(AUTHOR_FIELD, author);
}

/** Records are found by the name of a file; which of the files of that name is meant is checked with each record. */
function fileFilterTerm(path: string): string {
  return toTerm(FILE_FIELD, path.slice(path.lastIndexOf('/') + 1));
}

/** The files that a record names as what it is about. */
function filesOf(record: Searchable): readonly string[] {
  if (isAttempt(record)) return record.path === undefined ? [] : [record.path];
  return record.filesModified ?? [];
}

/** For each filter of a query, the terms that a record must have one of. */
export function queryFilterTerms(query: RecordFilter): readonly (readonly string[])[] {
  const projects = query.projects?.map(projectFilterTerm);
  const author = query.author === undefined ? [] : [[authorFilterTerm(query.author)]];
  const file = query.file === undefined ? [] : [[fileFilterTerm(query.file)]];
  return [
    ...(projects === undefined ? [] : [projects]),
    ...author,
    ...file,
    ...fieldTerms(query).map((term) => [term]),
  ];
}

/** Whether a query asks for less than the records of some projects. */
export function hasFilter({ projects: _, ...others }: RecordFilter): boolean {
  const names = [...FIELD_NAMES, 'file', 'author', 'since', 'until'] as const;
  return names.some((name) => others[name] !== undefined);
}

/** Whether a record passes all filters of a query. Nothing passes an invalid date. */
export function passesFilters(query: RecordFilter, project: string, record: Searchable): boolean {
  const fields: FilterFields = record;
  for (const name of FIELD_NAMES) {
    if (query[name] !== undefined && query[name] !== fields[name]) return false;
  }
  return (
    (query.author === undefined || query.author === (record.author ?? OWN_AUTHOR)) &&
    (query.file === undefined || filesOf(record).some((path) => isPathEnd(path, query.file ?? ''))) &&
    (query.projects === undefined || query.projects.includes(project)) &&
    (query.since === undefined || Date.parse(record.timestamp) >= Date.parse(query.since)) &&
    (query.until === undefined || Date.parse(record.timestamp) <= Date.parse(query.until))
  );
}

function isPathEnd(path: string, end: string): boolean {
  return path === end || path.endsWith(`/${end}`);
}

function fieldTerms(fields: FilterFields): readonly string[] {
  const terms: string[] = [];
  for (const name of FIELD_NAMES) {
    const value = fields[name];
    if (value !== undefined) terms.push(toTerm(FIELDS[name], value));
  }
  return terms;
}

/** The same few values occur again and again. */
const cachedTerms = new Map<string, string>();
const MAX_CACHED = 1_000;

function toTerm(field: string, value: string): string {
  if (cachedTerms.size > MAX_CACHED) cachedTerms.clear();
  return getOrAdd(cachedTerms, field + value, () => FILTER_PREFIX + field + textHash(value).toString(36));
}
