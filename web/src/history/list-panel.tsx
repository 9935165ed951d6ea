import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { SessionSummary } from '../../../src/server/rpc/api.ts';
import { VirtualList } from '../lists/virtual-list.tsx';
import { route } from '../router/router.ts';
import { changeBrowser, cursor, found, isSearch, readSoFar, results } from './browser-store.ts';
import { NoSessions } from './no-sessions.tsx';
import { ResultRow } from './result-row.tsx';
import { sessionList, sessionsInView } from './session-pages.ts';
import { SessionRow } from './session-row.tsx';

/** The left side: sessions, or what was found. */
export function ListPanel(): VNode {
  return isSearch.value ? <Results /> : <Sessions />;
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
        {rows.total.toLocaleString()} {rows.total === 1 ? 'session' : 'sessions'}
        {isComplete ? null : <Reading />}
      </p>
      <VirtualList
        label="Sessions"
        count={rows.total}
        estimate={56}
        place={`sessions ${key}`}
        firstRow={route.peek().browser.row}
        target={target}
        isEven
        shift={shift}
        keyOf={(row) => nameOf(rows.at(row)) ?? row}
        onScroll={(first, last) => {
          sessionsInView(first, last);
          changeBrowser({ row: first });
        }}
        row={(row) => <SessionRow row={row} session={rows.at(row)} />}
      />
    </>
  );
}

function Reading(): VNode {
  return <span> · reading the history, {Math.floor(readSoFar.value * 100)} %</span>;
}

/** Rows keep their name when they move, so that the focus moves with them. */
function nameOf(session: SessionSummary | undefined): string | undefined {
  return session === undefined ? undefined : `${session.project} ${session.sessionId}`;
}

function Results(): VNode {
  const { isSearching, error, answer, key } = found.value;
  const rows = results.value;
  const target = useCursorTarget();
  if (error !== undefined) return <p class="empty problem">{error}</p>;
  if (answer === undefined)
    return (
      <p class="empty" aria-busy="true">
        Searching…
      </p>
    );
  if (rows.length === 0) {
    return (
      <p class="empty">
        {isSearching ? 'Searching…' : 'Nothing was found. Try fewer words, or other filters.'}
      </p>
    );
  }
  return (
    <>
      <p class="list-head" role="status" aria-busy={isSearching}>
        {answer.sessions.length} {answer.sessions.length === 1 ? 'session' : 'sessions'} with matches
        {isSearching ? ' · searching…' : ''}
      </p>
      <VirtualList
        label="Search results"
        count={rows.length}
        estimate={46}
        place={`results ${key}`}
        firstRow={route.peek().browser.row}
        target={target}
        keyOf={(row) => row}
        onScroll={(first) => changeBrowser({ row: first })}
        row={(row) => {
          const result = rows[row];
          return result === undefined ? null : <ResultRow row={row} result={result} />;
        }}
      />
    </>
  );
}

function useCursorTarget():
  | { readonly row: number; readonly align: 'auto'; readonly wish: number }
  | undefined {
  const row = cursor.value;
  return useMemo(() => (row < 0 ? undefined : { row, align: 'auto' as const, wish: row }), [row]);
}
