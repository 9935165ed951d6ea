import { useRef } from 'preact/hooks';
import type { SearchResults, SessionFacets } from '../../../src/server/rpc/api.ts';
import type { FilterState } from './filter-bar.tsx';
import type { SearchState } from './session-search.ts';

/**
 * The counts that filters show: of sessions in the results of a search, as they were before it was filtered, else those of
 * the list.
 */
export function useResultFacets(
  { query, ...filters }: FilterState & { readonly query: string },
  { results, isSearching }: SearchState,
  list: SessionFacets | undefined,
): SessionFacets | undefined {
  const unfiltered = useRef<{ readonly query: string; readonly facets: SessionFacets } | undefined>(undefined);
  if (query.trim() === '') return list;
  const { agent, author, role, outcome, since, until } = filters;
  const isFiltered = [agent, author, role, outcome, since, until].some((value) => value !== '');
  if (results !== undefined && !isSearching && !isFiltered)
    unfiltered.current = { query, facets: countResults(results) };
  if (unfiltered.current?.query === query) return unfiltered.current.facets;
  return results === undefined || isSearching ? undefined : countResults(results);
}

/** Counts the sessions of results by agent, project, author, role and outcome. */
function countResults({ sessions }: SearchResults): SessionFacets {
  return {
    agents: count(sessions.map(({ summary, hits }) => [summary?.agent ?? hits[0]?.agent])),
    projects: count(sessions.map(({ project }) => [project])),
    authors: count(sessions.map(({ summary, hits }) => [summary?.author ?? hits[0]?.author ?? '~'])),
    roles: count(sessions.map(({ hits }) => hits.map(({ role }) => role))),
    outcomes: count(sessions.map(({ hits }) => hits.map(({ outcome }) => outcome))),
  };
}

function count<T extends string>(
  valuesOf: readonly (readonly (T | undefined)[])[],
): readonly { readonly value: T; readonly sessions: number }[] {
  const counts = new Map<T, number>();
  for (const values of valuesOf) {
    for (const value of new Set(values)) if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].map(([value, sessions]) => ({ value, sessions })).sort((a, b) => b.sessions - a.sessions);
}
