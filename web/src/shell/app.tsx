import { useSignalEffect } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { route } from '../router/router.ts';
import { server } from '../rpc/server.ts';
import { Icon } from './icons.tsx';
import { KEYS } from './keyboard.ts';
import { BottomBar, MorePages, Rail, TopBar } from './navigation.tsx';
import { notices } from './notices.ts';
import { Cover, overlay, toggleOverlay } from './overlays.tsx';
import { findPage, loadedPages, loadOtherPages, loadPage, pageProblem } from './pages.ts';
import { Palette } from './palette.tsx';
import { currentProjectId, projectName } from './project-store.ts';
import { Skeleton } from './states.tsx';
import { SwitcherList } from './switcher.tsx';

/** The whole app. */
export function App(): VNode {
  const { isBrowsing } = route.value;
  const isCovered = overlay.value !== 'none';
  useSignalEffect(() => {
    const { title, scope } = findPage(route.value.page);
    const name =
      scope === 'project' && currentProjectId.value !== '' ? ` · ${projectName(currentProjectId.value)}` : '';
    if (overlay.peek() === 'more') overlay.value = 'none';
    document.title = `${title}${name} · yore`;
  });
  return (
    <div class="app">
      <div class="under" inert={isBrowsing || isCovered}>
        <button type="button" class="skip" onClick={() => document.getElementById('content')?.focus()}>
          Skip to content
        </button>
        <TopBar />
        <Rail />
        <main id="content" tabIndex={-1}>
          {server.connection.value === 'refused' ? <SignedOut /> : <CurrentPage id={route.value.page} />}
        </main>
        <BottomBar />
      </div>
      {isBrowsing ? (
        <div class="cover" inert={isCovered}>
          <CurrentPage id="history" isOverlay />
        </div>
      ) : null}
      <CurrentOverlay />
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

function CurrentPage({ id, isOverlay = false }: { readonly id: string; readonly isOverlay?: boolean }): VNode {
  const page = findPage(id);
  const Component = loadedPages.value.get(page.id);
  const openings = server.openings.value;
  useEffect(() => {
    void loadPage(page).then(loadOtherPages);
  }, [page, openings]);
  if (Component !== undefined) {
    const isKept = page.scope !== 'project' || page.followsProject === true;
    return <Component key={isKept ? page.id : `${page.id} ${currentProjectId.value}`} isOverlay={isOverlay} />;
  }
  if (pageProblem.value === '') return <Skeleton />;
  return (
    <p class="empty problem">
      This page could not be loaded. It is tried again when the server can be reached; otherwise reload the page.
    </p>
  );
}

function CurrentOverlay(): VNode | null {
  const before = useRef<Element | null>(null);
  const name = overlay.value;
  // The focus returns to where it was before the first overlay was shown.
  if (name !== 'none' && before.current === null) before.current = document.activeElement;
  useLayoutEffect(() => {
    if (name !== 'none') return;
    const element = before.current;
    before.current = null;
    const isLost = document.activeElement === document.body || document.activeElement === null;
    if (isLost && element instanceof HTMLElement && element.isConnected) element.focus();
  }, [name]);
  switch (name) {
    case 'none':
      return null;
    case 'palette':
      return <Palette />;
    case 'projects':
      return <SwitcherList />;
    case 'more':
      return <MorePages />;
    case 'keys':
      return <KeysHelp />;
  }
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
    <Cover>
      <section class="keys" role="dialog" aria-modal="true" aria-label="Keyboard shortcuts">
        <header>
          <h2>Keyboard shortcuts</h2>
          <button type="button" class="quiet" ref={close} aria-label="Close" onClick={() => toggleOverlay('keys')}>
            <Icon name="close" />
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
    </Cover>
  );
}
