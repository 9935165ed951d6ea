import type { VNode } from 'preact';
import { ChatPage } from '../chat/chat-page.tsx';
import { HistoryBrowser } from '../history/history-browser.tsx';
import { isHelpShown } from '../keys/keyboard.ts';
import { KeysHelp } from '../keys/keys-help.tsx';
import { MemoryPage } from '../project/memory-page.tsx';
import { OverviewPage } from '../project/overview-page.tsx';
import { TimelinePage } from '../project/timeline-page.tsx';
import type { Page } from '../router/route.ts';
import { hrefOf, navigate, route } from '../router/router.ts';
import { server } from '../rpc/server.ts';
import { SearchPage } from '../search/search-page.tsx';
import { notices } from './notices.ts';
import { projectId, projectName, projects } from './project-store.ts';

const PLACES: readonly (readonly [page: Page, name: string])[] = [
  ['overview', 'Overview'],
  ['history', 'History'],
  ['timeline', 'Timeline'],
  ['memory', 'Memory'],
  ['chat', 'Chat'],
  ['search', 'Search'],
];

/** Everything on the screen. */
export function App(): VNode {
  const { isBrowsing } = route.value;
  const isCovered = isBrowsing || isHelpShown.value;
  return (
    <div class="app">
      <div class="under" inert={isCovered}>
        <Navigation />
        <main>
          <CurrentPage />
        </main>
      </div>
      {isBrowsing ? (
        <div class="cover" inert={isHelpShown.value}>
          <HistoryBrowser isOverlay />
        </div>
      ) : null}
      {isHelpShown.value ? (
        <div class="cover">
          <KeysHelp />
        </div>
      ) : null}
      <Connection />
      <div class="notices" role="status" aria-live="polite">
        {notices.value.map(({ id, text, tone }) => (
          <p key={id} class={tone}>
            {text}
          </p>
        ))}
      </div>
    </div>
  );
}

function CurrentPage(): VNode {
  if (server.connection.value === 'refused') return <Refused />;
  switch (route.value.page) {
    case 'chat':
      return <ChatPage />;
    case 'history':
      return <HistoryBrowser isOverlay={false} />;
    case 'overview':
      return <OverviewPage key={projectId.value} />;
    case 'timeline':
      return <TimelinePage key={projectId.value} />;
    case 'memory':
      return <MemoryPage key={projectId.value} />;
    case 'search':
      return <SearchPage />;
  }
}

function Navigation(): VNode {
  const { page } = route.value;
  return (
    <header class="top">
      <span class="name">yore</span>
      <nav aria-label="Pages">
        {PLACES.map(([place, name]) => (
          <a key={place} href={hrefOf({ page: place })} aria-current={place === page ? 'page' : undefined}>
            {name}
          </a>
        ))}
      </nav>
      <select
        aria-label="Project"
        class="project"
        hidden={projects.value?.length === 0}
        value={projectId.value}
        onChange={(event) => navigate({ project: event.currentTarget.value })}
      >
        {(projects.value ?? []).map(({ id }) => (
          <option key={id} value={id}>
            {projectName(id)}
          </option>
        ))}
      </select>
      <button
        type="button"
        class="quiet"
        aria-label="Keys"
        onClick={() => {
          isHelpShown.value = true;
        }}
      >
        ?
      </button>
    </header>
  );
}

function Connection(): VNode | null {
  if (server.connection.value !== 'closed') return null;
  return (
    <p class="connection" role="status">
      The server cannot be reached. Trying again…
    </p>
  );
}

function Refused(): VNode {
  return (
    <p class="empty">
      This page is not signed in. Open the address that <code>yore serve</code> printed: it carries the token.
    </p>
  );
}
