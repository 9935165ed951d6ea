import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { VirtualList } from '../lists/virtual-list.tsx';
import { EMPTY_BROWSER } from '../router/route.ts';
import { historyHref, replaceParams, replaceRoute, route } from '../router/router.ts';
import { projects } from '../shell/project-store.ts';
import { EmptyState } from '../shell/states.tsx';
import { FilterBar, type FilterState, useFacets } from './filter-bar.tsx';
import { useResultFacets } from './result-facets.ts';
import { ResultContent, ResultsHead } from './result-row.tsx';
import { type ResultRow, resultRows } from './result-rows.ts';
import { isSaved, SavedSearches, toggleSaved } from './saved-searches.tsx';
import { toFilters } from './session-queries.ts';
import { SessionSearch } from './session-search.ts';

const search = new SessionSearch();
let isFirst = true;

/** Searches all projects. */
export function SearchPage(): VNode {
  const [areFiltersOpen, setFiltersOpen] = useState(false);
  const box = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => box.current?.focus(), []);
  const { params } = route.value;
  const query = params.find ?? '';
  const value = readFilters(params);
  const filters = toFilters({ ...EMPTY_BROWSER, ...value }, '');
  const key = JSON.stringify([query, filters]);
  useEffect(() => {
    search.search({ query, filters }, !isFirst);
    isFirst = false;
  }, [key]);
  const listFacets = useFacets(filters, projects.value !== undefined);
  const facets = useResultFacets({ query, ...value }, search.state.value, listFacets);
  const isFiltered = Object.values(value).some((each) => each !== '');
  return (
    <section class="page search-page" aria-label="Search all projects">
      <header class="page-head">
        <h1>Search all projects</h1>
        <input
          ref={box}
          type="search"
          class="search"
          data-search
          aria-label="Search all projects"
          placeholder="Words, “phrases”, identifiers, error messages  ( / )"
          autocomplete="off"
          spellcheck={false}
          value={query}
          onInput={(event) => replaceParams({ find: event.currentTarget.value })}
        />
        <button
          type="button"
          class="filters-toggle"
          aria-expanded={areFiltersOpen}
          aria-controls="filters"
          onClick={() => setFiltersOpen(!areFiltersOpen)}
        >
          Filters{isFiltered ? ' •' : ''}
        </button>
        <button
          type="button"
          disabled={query.trim() === ''}
          aria-pressed={isSaved(savable(params))}
          onClick={() => toggleSaved(savable(params))}
        >
          {isSaved(savable(params)) ? 'Saved' : 'Save search'}
        </button>
      </header>
      <FilterBar
        value={value}
        facets={facets}
        everywhere="All projects"
        isOpen={areFiltersOpen}
        // A hit has either a role or an outcome.
        onChange={(change) =>
          replaceParams({
            ...('role' in change ? { outcome: '' } : 'outcome' in change ? { role: '' } : {}),
            ...change,
          })
        }
        onClear={() => replaceRoute({ params: { find: query } })}
      />
      <Results query={query} filters={value} />
    </section>
  );
}

function readFilters(params: Readonly<Record<string, string>>): FilterState {
  const { project = '', agent = '', author = '', role = '', outcome = '', since = '', until = '' } = params;
  return { project, agent, author, role, outcome, since, until };
}

/** What is saved of a search: its query and the filters that are set. */
function savable(params: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const all = { find: (params.find ?? '').trim(), ...readFilters(params) };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
}

function Results({ query, filters }: { readonly query: string; readonly filters: FilterState }): VNode {
  const { results, isSearching, error, key } = search.state.value;
  const rows = useMemo(() => resultRows(results), [results]);
  if (query.trim() === '')
    return (
      <div class="search-start">
        <EmptyState title="How did we do that?">
          Type what you remember: a word, an error message, a file. Sessions of all projects and agents appear with the
          passage that answers.
        </EmptyState>
        <SavedSearches />
      </div>
    );
  if (error !== undefined) return <p class="empty problem">{error}</p>;
  if (results === undefined || rows.length === 0)
    return (
      <p class="empty" role="status">
        {isSearching || results === undefined ? 'Searching…' : 'No results. Try fewer words or other filters.'}
      </p>
    );
  return (
    <>
      <ResultsHead results={results} isPending={isSearching} />
      <VirtualList
        label="Search results"
        count={rows.length}
        estimate={46}
        positionId={`search ${key}`}
        keyOf={(row) => row}
        row={(row) => <ResultLink result={rows[row]} query={query} filters={filters} />}
      />
    </>
  );
}

interface ResultLinkProps {
  readonly result: ResultRow | undefined;
  readonly query: string;
  readonly filters: FilterState;
}

function ResultLink({ result, query, filters }: ResultLinkProps): VNode | null {
  if (result === undefined) return null;
  const { sessionId: session, project: sessionProject } = result;
  const match = result.type === 'hit' ? result.hit.id : '';
  const project = filters.project === '' ? 'all' : filters.project;
  return (
    <a
      class={`result-${result.type}`}
      href={historyHref({ ...filters, query, project, session, sessionProject, match })}
      data-row
    >
      <ResultContent result={result} hasProject />
    </a>
  );
}
