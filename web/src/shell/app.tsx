import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { ChatPage } from '../chat/chat-page.tsx';
import { HistoryBrowser } from '../history/history-browser.tsx';
import { SearchPage } from '../history/search-page.tsx';
import { MemoryPage } from '../project/memory-page.tsx';
import { OverviewPage } from '../project/overview-page.tsx';
import { TimelinePage } from '../project/timeline-page.tsx';
import type { Page } from '../router/route.ts';
import { navigate, route, toHref } from '../router/router.ts';
import { server } from '../rpc/server.ts';
import { isHelpShown, KEYS } from './keyboard.ts';
import { notices } from './notices.ts';
import { projectId, projectName, projects } from './project-store.ts';

const PAGE_NAMES: readonly (readonly [page: Page, name: string])[] = [
  ['overview', 'Overview'],
  ['history', 'History'],
  ['timeline', 'Timeline'],
  ['memory', 'Memory'],
  ['chat', 'Chat'],
  ['search', 'Search'],
];

/** The whole app. */
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
  if (server.connection.value === 'refused') return <SignedOut />;
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
        {PAGE_NAMES.map(([other, name]) => (
          <a key={other} href={toHref({ page: other })} aria-current={other === page ? 'page' : undefined}>
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
        aria-label="Keyboard shortcuts"
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
      Cannot reach the server. Reconnecting…
    </p>
  );
}

function SignedOut(): VNode {
  return (
    <p class="empty">
      You are not signed in. Open the address that <code>yore serve</code> printed; it includes the token.
    </p>
  );
}

function KeysHelp(): VNode {
  const close = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => close.current?.focus(), []);
  return (
    <section class="keys" role="dialog" aria-modal="true" aria-label="Keyboard shortcuts">
      <header>
        <h2>Keyboard shortcuts</h2>
        <button
          type="button"
          class="quiet"
          ref={close}
          aria-label="Close"
          onClick={() => {
            isHelpShown.value = false;
          }}
        >
          ✕
        </button>
      </header>
      <dl>
        {KEYS.map(([keys, action]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{action}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
