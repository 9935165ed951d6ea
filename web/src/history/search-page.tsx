import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { VirtualList } from '../lists/virtual-list.tsx';
import { historyHref, replaceParams, route } from '../router/router.ts';
import { ResultContent, ResultsHead } from './result-row.tsx';
import { type ResultRow, resultRows } from './result-rows.ts';
import { SessionSearch } from './session-search.ts';

const search = new SessionSearch();
let isFirst = true;

/** Searches all projects. */
export function SearchPage(): VNode {
  const box = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => box.current?.focus(), []);
  const query = route.value.params.find ?? '';
  useEffect(() => {
    search.search({ query, filters: {} }, !isFirst);
    isFirst = false;
  }, [query]);
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
      </header>
      <Results query={query} />
    </section>
  );
}

function Results({ query }: { readonly query: string }): VNode {
  const { results, isSearching, error, key } = search.state.value;
  const rows = useMemo(() => resultRows(results), [results]);
  if (query.trim() === '') return <p class="empty">Type to search messages and commands in all projects.</p>;
  if (error !== undefined) return <p class="empty problem">{error}</p>;
  if (results === undefined || rows.length === 0)
    return <p class="empty">{isSearching || results === undefined ? 'Searching…' : 'No results.'}</p>;
  return (
    <>
      <ResultsHead results={results} isPending={isSearching} />
      <VirtualList
        label="Search results"
        count={rows.length}
        estimate={46}
        positionId={`search ${key}`}
        keyOf={(row) => row}
        row={(row) => <ResultLink result={rows[row]} query={query} />}
      />
    </>
  );
}

function ResultLink({
  result,
  query,
}: {
  readonly result: ResultRow | undefined;
  readonly query: string;
}): VNode | null {
  if (result === undefined) return null;
  const { sessionId: session, project: sessionProject } = result;
  const match = result.type === 'hit' ? result.hit.id : '';
  return (
    <a
      class={`result-${result.type}`}
      href={historyHref({ query, project: 'all', session, sessionProject, match })}
      data-row
    >
      <ResultContent result={result} hasProject />
    </a>
  );
}
