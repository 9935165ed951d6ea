import type { VNode } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { ResultContent } from '../history/result-content.tsx';
import { type ResultRow, resultRows } from '../history/result-rows.ts';
import { SessionSearch } from '../history/session-search.ts';
import { VirtualList } from '../lists/virtual-list.tsx';
import { EMPTY_BROWSER } from '../router/route.ts';
import { amend, hrefOf, route } from '../router/router.ts';

const search = new SessionSearch();
let isFirst = true;

/** Search over all projects. */
export function SearchPage(): VNode {
  const query = route.value.search;
  useEffect(() => {
    search.search({ query, filters: {} }, !isFirst);
    isFirst = false;
  }, [query]);
  return (
    <section class="page search-page" aria-label="Search all projects">
      <header class="page-head">
        <h1>Search all projects</h1>
        <input
          type="search"
          class="search"
          data-search
          aria-label="Search all projects"
          placeholder="Words, “phrases”, identifiers, error messages  ( / )"
          autocomplete="off"
          spellcheck={false}
          value={query}
          onInput={(event) => amend({ search: event.currentTarget.value })}
        />
      </header>
      <Found query={query} />
    </section>
  );
}

function Found({ query }: { readonly query: string }): VNode {
  const { answer, isSearching, error, key } = search.found.value;
  const rows = useMemo(() => resultRows(answer), [answer]);
  if (query.trim() === '')
    return <p class="empty">Type to search everything that was said and done in every project.</p>;
  if (error !== undefined) return <p class="empty problem">{error}</p>;
  if (rows.length === 0)
    return <p class="empty">{isSearching || answer === undefined ? 'Searching…' : 'Nothing was found.'}</p>;
  return (
    <>
      <p class="list-head" role="status">
        {answer?.total} {answer?.total === 1 ? 'match' : 'matches'} in {answer?.sessions.length} sessions
      </p>
      <VirtualList
        label="Search results"
        count={rows.length}
        estimate={46}
        place={`search ${key}`}
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
  const browser = { ...EMPTY_BROWSER, query, project: 'all', session, sessionProject, match };
  return (
    <a class={`result-${result.type}`} href={hrefOf({ page: 'history', browser })} data-row>
      <ResultContent result={result} hasProject />
    </a>
  );
}
