import { type ReadonlySignal, signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { START_PAGE } from '../router/route.ts';
import { errorMessage } from '../rpc/rpc-client.ts';
import type { IconName } from './icons.tsx';

/** What a page is given. */
export interface PageProps {
  /** It is shown over another page. Only the history browser can be. */
  readonly isOverlay?: boolean;
}

/** One page of the app. */
export interface PageEntry {
  /** Lower-case letters; its address is `#/id`. */
  readonly id: string;
  readonly title: string;
  readonly icon: IconName;
  /** `g` and this key go to the page. */
  readonly key: string;
  /** A page of the chosen project, of all projects, or about yore itself. */
  readonly scope: 'all' | 'project' | 'app';
  /** It has a place in the bar of a phone; the others are under "More". */
  readonly isInBar?: boolean;
  /** It follows the chosen project by itself. Other pages of a project are created again when another one is chosen. */
  readonly followsProject?: boolean;
  readonly load: () => Promise<ComponentType<PageProps>>;
}

/** The pages, in the order of the navigation. To add one, add a line. */
// biome-ignore format: one page, one line
export const PAGES: readonly PageEntry[] = [
  { id: 'projects', title: 'Projects', icon: 'projects', key: 'p', scope: 'all', isInBar: true, load: async () => (await import('../projects/projects-page.tsx')).ProjectsPage },
  { id: 'search', title: 'Search', icon: 'search', key: 's', scope: 'all', isInBar: true, load: async () => (await import('../history/search-page.tsx')).SearchPage },
  { id: 'overview', title: 'Overview', icon: 'overview', key: 'o', scope: 'project', isInBar: true, load: async () => (await import('../project/overview-page.tsx')).OverviewPage },
  { id: 'history', title: 'Sessions', icon: 'sessions', key: 'h', scope: 'project', isInBar: true, followsProject: true, load: async () => (await import('../history/history-browser.tsx')).HistoryBrowser },
  { id: 'files', title: 'Files', icon: 'files', key: 'f', scope: 'project', load: async () => (await import('../files/files-page.tsx')).FilesPage },
  { id: 'timeline', title: 'Timeline', icon: 'timeline', key: 't', scope: 'project', load: async () => (await import('../project/timeline-page.tsx')).TimelinePage },
  { id: 'memory', title: 'Memory', icon: 'memory', key: 'm', scope: 'project', load: async () => (await import('../project/memory-page.tsx')).MemoryPage },
  { id: 'usage', title: 'Usage', icon: 'usage', key: 'u', scope: 'project', load: async () => (await import('../usage/usage-page.tsx')).UsagePage },
  { id: 'chat', title: 'Chat', icon: 'chat', key: 'c', scope: 'project', followsProject: true, load: async () => (await import('../chat/chat-page.tsx')).ChatPage },
  { id: 'settings', title: 'Settings', icon: 'settings', key: ',', scope: 'app', load: async () => (await import('../settings/settings-page.tsx')).SettingsPage },
];

/** The page of this id, else the start page. */
export function findPage(id: string): PageEntry {
  const found = PAGES.find((page) => page.id === id) ?? PAGES.find((page) => page.id === START_PAGE) ?? PAGES[0];
  if (found === undefined) throw new Error('The table of pages is empty.');
  return found;
}

const components = signal<ReadonlyMap<string, ComponentType<PageProps>>>(new Map());
const problem = signal('');
const loading = new Set<string>();

/** The pages that are loaded, by id. */
export const loadedPages: ReadonlySignal<ReadonlyMap<string, ComponentType<PageProps>>> = components;

/** Why the last page could not be loaded; empty when it was. */
export const pageProblem: ReadonlySignal<string> = problem;

/** Loads a page unless it is loaded or being loaded. */
export async function loadPage({ id, load }: PageEntry): Promise<void> {
  if (components.peek().has(id) || loading.has(id)) return;
  loading.add(id);
  try {
    const component = await load();
    problem.value = '';
    components.value = new Map([...components.value, [id, component]]);
  } catch (error) {
    problem.value = errorMessage(error);
  } finally {
    loading.delete(id);
  }
}

/** Loads all pages one after the other while nothing else happens: later they open at once, and without the server. */
export async function loadOtherPages(): Promise<void> {
  for (const page of PAGES) {
    await new Promise<void>((resolve) => setTimeout(resolve, 50));
    await loadPage(page);
  }
}
