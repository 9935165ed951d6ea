import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { route, toHref } from '../router/router.ts';
import { Icon } from './icons.tsx';
import { Cover, overlay, toggleOverlay } from './overlays.tsx';
import { findPage, PAGES, type PageEntry } from './pages.ts';
import { currentProjectId, isDemo, projectName } from './project-store.ts';
import { SwitcherButton } from './switcher.tsx';

/** The key that opens the palette, as the user's keyboard names it. */
export const PALETTE_KEY: string = /Mac|iP(hone|ad)/.test(navigator.platform) ? '⌘K' : 'Ctrl K';

/** The pages at the left side. On a phone, {@link BottomBar} takes its place. */
export function Rail(): VNode {
  return (
    <div class="rail">
      <SwitcherButton />
      <DemoLabel />
      <JumpButton />
      <nav aria-label="Pages">
        <PageLinks pages={PAGES.filter(({ scope }) => scope === 'all')} />
        <p class="rail-title" aria-hidden="true">
          {currentProjectId.value === '' ? 'Project' : projectName(currentProjectId.value)}
        </p>
        <PageLinks pages={PAGES.filter(({ scope }) => scope === 'project')} />
        <span class="rail-space" />
        <PageLinks pages={PAGES.filter(({ scope }) => scope === 'app')} />
      </nav>
      <button type="button" class="rail-link" title="Keyboard shortcuts (?)" onClick={() => toggleOverlay('keys')}>
        <Icon name="keyboard" />
        <span>Shortcuts</span>
      </button>
    </div>
  );
}

/** On a phone: the chosen project, and the palette. */
export function TopBar(): VNode {
  return (
    <header class="top">
      <SwitcherButton />
      <DemoLabel />
      <JumpButton />
    </header>
  );
}

/** On a phone: the main pages, and the others under "More". */
export function BottomBar(): VNode {
  const isOther = findPage(route.value.page).isInBar !== true;
  return (
    <nav class="bottom" aria-label="Pages">
      <PageLinks pages={PAGES.filter(({ isInBar }) => isInBar)} />
      <button
        type="button"
        class={`rail-link${isOther ? ' is-current' : ''}`}
        aria-haspopup="dialog"
        aria-expanded={overlay.value === 'more'}
        onClick={() => toggleOverlay('more')}
      >
        <Icon name="more" />
        <span>More</span>
      </button>
    </nav>
  );
}

/** On a phone: the pages that are not in the bar. */
export function MorePages(): VNode {
  const sheet = useRef<HTMLElement>(null);
  useLayoutEffect(() => sheet.current?.querySelector('a')?.focus(), []);
  return (
    <Cover place="bottom">
      <section class="sheet" ref={sheet} role="dialog" aria-modal="true" aria-label="More pages">
        <nav aria-label="More pages">
          <PageLinks pages={PAGES.filter(({ isInBar }) => !isInBar)} />
        </nav>
        <button type="button" class="rail-link" onClick={() => toggleOverlay('more')}>
          <Icon name="close" />
          <span>Close</span>
        </button>
      </section>
    </Cover>
  );
}

function DemoLabel(): VNode | null {
  if (!isDemo.value) return null;
  return (
    <p class="demo-label" title="Nothing of this is real; it is deleted when yore serve --demo ends">
      Demo data
    </p>
  );
}

function JumpButton(): VNode {
  return (
    <button
      type="button"
      class="jump"
      title={`Search or jump to… (${PALETTE_KEY})`}
      onClick={() => toggleOverlay('palette')}
    >
      <Icon name="search" />
      <span>Jump to…</span>
      <kbd>{PALETTE_KEY}</kbd>
    </button>
  );
}

function PageLinks({ pages }: { readonly pages: readonly PageEntry[] }): VNode {
  const current = findPage(route.value.page).id;
  return (
    <>
      {pages.map(({ id, title, icon, key }) => (
        <a
          key={id}
          class="rail-link"
          href={toHref({ page: id })}
          aria-current={id === current ? 'page' : undefined}
          title={`${title} (g ${key})`}
        >
          <Icon name={icon} />
          <span>{title}</span>
        </a>
      ))}
    </>
  );
}
