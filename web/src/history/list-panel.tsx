import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { SessionSummary } from '../../../src/server/rpc/api.ts';
import { VirtualList } from '../lists/virtual-list.tsx';
import { route } from '../router/router.ts';
import { projectName, projects } from '../shell/project-store.ts';
import { EmptyState } from '../shell/states.tsx';
import { formatQuantity } from '../text/format.ts';
import {
  clearFilters,
  indexProgress,
  isSearching,
  results,
  searchState,
  selectedRow,
  updateBrowser,
} from './browser-store.ts';
import { ResultButton, ResultsHead } from './result-row.tsx';
import { sessionList, showListRows } from './session-list.ts';
import { isFiltered } from './session-queries.ts';
import { SessionListRow } from './session-row.tsx';

/** The left panel: the list of sessions, or the results of a search. */
export function ListPanel(): VNode {
  return isSearching.value ? <Results /> : <Sessions />;
}

function Sessions(): VNode {
  const { key, rows, shift, isLoaded, isComplete, error } = sessionList.value;
  const target = useCursorTarget();
  if (error !== undefined) return <p class="empty problem">{error}</p>;
  if (!isLoaded)
    return (
      <p class="empty" aria-busy="true">
        Loading…
      </p>
    );
  if (rows.total === 0) return <NoSessions />;
  return (
    <>
      <p class="list-head" role="status">
        {formatQuantity(rows.total, 'session')}
        {isComplete ? null : <IndexProgress />}
      </p>
      <VirtualList
        label="Sessions"
        count={rows.total}
        estimate={56}
        positionId={`sessions ${key}`}
        firstRow={route.peek().browser.row}
        target={target}
        hasFixedHeight
        shift={shift}
        keyOf={(row) => rowKey(rows.at(row)) ?? row}
        onScroll={(first, last) => {
          showListRows(first, last);
          updateBrowser({ row: first });
        }}
        row={(row) => <SessionListRow row={row} session={rows.at(row)} />}
      />
    </>
  );
}

function IndexProgress(): VNode {
  return <span> · indexing, {Math.floor(indexProgress.value * 100)} %</span>;
}

/** Rows keep their key when they move, so that the focus moves with them. */
function rowKey(session: SessionSummary | undefined): string | undefined {
  return session === undefined ? undefined : `${session.project} ${session.sessionId}`;
}

function Results(): VNode {
  const { isSearching: isPending, error, results: found, key } = searchState.value;
  const rows = results.value;
  const target = useCursorTarget();
  if (error !== undefined) return <p class="empty problem">{error}</p>;
  if (found === undefined)
    return (
      <p class="empty" aria-busy="true">
        Searching…
      </p>
    );
  if (rows.length === 0) {
    return <p class="empty">{isPending ? 'Searching…' : 'No results. Try fewer words or other filters.'}</p>;
  }
  return (
    <>
      <ResultsHead results={found} isPending={isPending} />
      <VirtualList
        label="Search results"
        count={rows.length}
        estimate={46}
        positionId={`results ${key}`}
        firstRow={route.peek().browser.row}
        target={target}
        keyOf={(row) => row}
        onScroll={(first) => updateBrowser({ row: first })}
        row={(row) => {
          const result = rows[row];
          return result === undefined ? null : <ResultButton row={row} result={result} />;
        }}
      />
    </>
  );
}

function useCursorTarget(): { readonly row: number; readonly align: 'auto'; readonly request: number } | undefined {
  const row = selectedRow.value;
  return useMemo(() => (row < 0 ? undefined : { row, align: 'auto' as const, request: row }), [row]);
}

function NoSessions(): VNode {
  const { browser } = route.value;
  if (isFiltered(browser))
    return (
      <div class="empty">
        <p>No sessions match these filters.</p>
        <button type="button" onClick={clearFilters}>
          Clear filters
        </button>
      </div>
    );
  const others = (projects.value ?? []).length > 1 && browser.project !== 'all';
  const where = browser.project === '' ? 'this project' : scopeName(browser.project);
  return (
    <>
      <EmptyState title={`No sessions in ${where} yet`} command="init">
        Sessions appear here as your agents work, and those that they have already had once they are imported. Nothing
        is recorded in {where} yet. This command sets up your agents and imports:
      </EmptyState>
      {others ? (
        <p class="empty-more">
          <button type="button" onClick={() => updateBrowser({ project: 'all', row: 0 })}>
            Show all projects
          </button>
        </p>
      ) : null}
    </>
  );
}

function scopeName(project: string): string {
  return project === 'all' ? 'any project' : projectName(project);
}
