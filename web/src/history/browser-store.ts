import { computed, effect, type ReadonlySignal, type Signal, signal, untracked } from '@preact/signals';
import { type BrowserState, EMPTY_BROWSER } from '../router/route.ts';
import { amend, navigate, route } from '../router/router.ts';
import { server } from '../rpc/server.ts';
import { projectId } from '../shell/project-store.ts';
import { listFilters, searchFilters } from './filters.ts';
import { type ResultRow, resultRows } from './result-rows.ts';
import { openSession, sessionsGrew, showSession } from './session-content.ts';
import { refresh, sessionList, showSessions } from './session-pages.ts';
import { SessionSearch } from './session-search.ts';

const search = new SessionSearch();
let isTyped = false;

/** What was found for the query. */
export const found: SessionSearch['found'] = search.found;

/** The rows of the results. */
export const results: ReadonlySignal<readonly ResultRow[]> = computed(() => resultRows(found.value.answer));

/** Is the browser on the screen, as a page or over another one? */
export const isBrowserShown: ReadonlySignal<boolean> = computed(
  () => route.value.page === 'history' || route.value.isBrowsing,
);

/** Does the left side show results, or the list of sessions? */
export const isSearch: ReadonlySignal<boolean> = computed(() => route.value.browser.query.trim() !== '');

/** The row that `j` and `k` have reached; -1 before. */
export const cursor: Signal<number> = signal(-1);

const selections = signal(0);

/** How often something was selected: each time its message is brought into view. */
export const selectionCount: ReadonlySignal<number> = selections;

/** Writes a change of the browser into the address. */
export function changeBrowser(change: Partial<BrowserState>): void {
  const { browser } = route.peek();
  const isOther = Object.entries(change).some(([key, value]) => browser[key as keyof BrowserState] !== value);
  if (isOther) amend({ browser: { ...browser, ...change } });
}

/** Takes what was typed into the search box. */
export function typeQuery(query: string): void {
  isTyped = true;
  cursor.value = -1;
  changeBrowser({ query, row: 0 });
  isTyped = false;
}

/** Shows a session, and a message of it when one is named. */
export function selectSession(session: string, sessionProject: string, match = ''): void {
  selections.value += 1;
  changeBrowser({ session, sessionProject, match, message: 0 });
}

/** The row of the left list as if it had been clicked. */
export function selectRow(row: number): void {
  cursor.value = row;
  if (!isSearch.value) {
    const session = sessionList.value.rows.at(row);
    if (session !== undefined) selectSession(session.sessionId, session.project);
    return;
  }
  const result = results.value[row];
  if (result !== undefined)
    selectSession(result.sessionId, result.project, result.type === 'hit' ? result.hit.id : '');
}

/** How many rows the left list has. */
export function rowCount(): number {
  return isSearch.value ? results.value.length : sessionList.value.rows.total;
}

export function openBrowser(): void {
  navigate({ isBrowsing: true });
}

/** The overlay goes away, or the page gives way to the chat. Everything stays for the next time. */
export function closeBrowser(): void {
  navigate(route.value.page === 'history' ? { page: 'chat' } : { isBrowsing: false });
}

/** Escape: first the query goes, then the browser. */
export function clearOrClose(): void {
  if (route.value.browser.query !== '') typeQuery('');
  else closeBrowser();
}

/** Takes all filters away; what is selected stays. */
export function clearFilters(): void {
  const { query, session, sessionProject, match, message } = route.value.browser;
  changeBrowser({ ...EMPTY_BROWSER, query, session, sessionProject, match, message });
}

/** Keeps lists, results and the session in step with the address for as long as the page lives. */
export function startBrowser(): void {
  effect(() => {
    if (!isBrowserShown.value || projectId.value === '') return;
    const { browser } = route.value;
    const project = projectId.value;
    untracked(() => {
      search.search({ query: browser.query, filters: searchFilters(browser, project) }, isTyped);
      showSessions(listFilters(browser, project), browser.row, Date.now());
      showSession(browser.session, browser.sessionProject, browser.match, browser.message);
    });
  });
  server.on('history.changed', ({ sessionIds }) => {
    if (!isBrowserShown.peek()) return;
    refresh();
    sessionsGrew(sessionIds);
  });
  effect(() => {
    if (server.openings.value < 2 || !isBrowserShown.peek()) return;
    refresh();
    const shown = openSession.peek();
    if (shown !== undefined) sessionsGrew([shown.id]);
  });
}
