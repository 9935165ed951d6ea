import type { VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { loadSession } from '../chat/chat-store.ts';
import { route } from '../router/router.ts';
import { Icon } from '../shell/icons.tsx';
import { currentProjectId, projects } from '../shell/project-store.ts';
import { Split } from '../shell/split.tsx';
import {
  clearFilters,
  closeBrowser,
  isSearching,
  searchState,
  selectSession,
  setQuery,
  updateBrowser,
} from './browser-store.ts';
import { FilterBar, type FilterState, useFacets } from './filter-bar.tsx';
import { ListPanel } from './list-panel.tsx';
import { useResultFacets } from './result-facets.ts';
import { SessionPanel } from './session-panel.tsx';
import { isFiltered, toFilters } from './session-queries.ts';

/** The history browser, as a page or as an overlay. */
export function HistoryBrowser({ isOverlay = false }: { readonly isOverlay?: boolean }): VNode {
  const { query, session, sessionProject, ...filters } = route.value.browser;
  const { project, agent, author, role, outcome, starred, tag, since, until } = filters;
  const listFacets = useFacets(toFilters(route.value.browser, currentProjectId.value), projects.value !== undefined);
  const facets = useResultFacets(route.value.browser, searchState.value, listFacets);
  const [areFiltersOpen, setFiltersOpen] = useState(false);
  const search = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (!isOverlay) return;
    const before = document.activeElement;
    search.current?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, [isOverlay]);
  return (
    <section
      class={`browser${isOverlay ? ' is-overlay' : ''}${session === '' ? '' : ' has-session'}`}
      role={isOverlay ? 'dialog' : 'region'}
      aria-label="History"
    >
      <header class="browser-head">
        <h1>{isOverlay ? 'History' : 'Sessions'}</h1>
        <input
          ref={search}
          type="search"
          class="search"
          data-search
          placeholder="Search messages and commands  ( / )"
          aria-label="Search the history"
          autocomplete="off"
          spellcheck={false}
          value={query}
          onInput={(event) => setQuery(event.currentTarget.value)}
        />
        <button
          type="button"
          class="filters-toggle"
          aria-expanded={areFiltersOpen}
          aria-controls="filters"
          onClick={() => setFiltersOpen(!areFiltersOpen)}
        >
          Filters{isFiltered(route.value.browser) ? ' •' : ''}
        </button>
        <button
          type="button"
          class="primary load-session"
          disabled={session === ''}
          onClick={() => void loadSession(session, sessionProject)}
        >
          Load session
        </button>
        {isOverlay ? (
          <button type="button" class="quiet" aria-label="Close history" onClick={closeBrowser}>
            <Icon name="close" />
          </button>
        ) : null}
      </header>
      <FilterBar
        value={{ project, agent, author, role, outcome, starred, tag, since, until }}
        facets={facets}
        everywhere="This project"
        isOpen={areFiltersOpen}
        onChange={changeFilters}
        onClear={clearFilters}
      />
      <Split
        name="sessions"
        label="Width of the session list"
        className="browser-panels"
        initial={380}
        min={280}
        max={640}
        first={
          <div class="list-panel">
            <ListPanel />
          </div>
        }
        second={
          <div class="session-panel">
            <button type="button" class="quiet back" onClick={() => selectSession('', '')}>
              ← Sessions
            </button>
            <SessionPanel />
          </div>
        }
      />
    </section>
  );
}

/** Changes filters. A hit has either a role or an outcome, so in a search setting one of these filters clears the other. */
function changeFilters(change: Partial<FilterState>): void {
  const other = 'role' in change ? { outcome: '' } : 'outcome' in change ? { role: '' } : {};
  updateBrowser({ row: 0, ...(isSearching.value ? other : {}), ...change });
}
