import type { VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { loadSession } from '../chat/chat-store.ts';
import { route } from '../router/router.ts';
import { closeBrowser, selectSession, typeQuery } from './browser-store.ts';
import { FilterBar } from './filter-bar.tsx';
import { isFiltered } from './filters.ts';
import { ListPanel } from './list-panel.tsx';
import { SessionPanel } from './session-panel.tsx';

/** The history browser: a page of its own, or an overlay over another one. */
export function HistoryBrowser({ isOverlay }: { readonly isOverlay: boolean }): VNode {
  const { query, session, sessionProject } = route.value.browser;
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
        <h1>History</h1>
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
          onInput={(event) => typeQuery(event.currentTarget.value)}
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
        <button type="button" class="quiet" aria-label="Close the history" onClick={closeBrowser}>
          ✕
        </button>
      </header>
      <FilterBar isOpen={areFiltersOpen} />
      <div class="browser-panels">
        <div class="list-panel">
          <ListPanel />
        </div>
        <div class="session-panel">
          <button type="button" class="quiet back" onClick={() => selectSession('', '')}>
            ← Sessions
          </button>
          <SessionPanel />
        </div>
      </div>
    </section>
  );
}
