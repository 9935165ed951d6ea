import { computed, effect, type ReadonlySignal, type Signal, signal, untracked } from '@preact/signals';
import type { SessionSummary } from '../../../src/server/rpc/api.ts';
import { type BrowserState, EMPTY_BROWSER } from '../router/route.ts';
import { navigate, replaceRoute, route } from '../router/router.ts';
import { server } from '../rpc/server.ts';
import { currentProjectId, projects } from '../shell/project-store.ts';
import { openSession, refreshGrown, showSession } from './open-session.ts';
import { type ResultRow, resultKey, resultRows } from './result-rows.ts';
import { markStale, refresh, refreshIfOld, sessionList, showSessions } from './session-list.ts';
import { type AttemptOutcome, findNextAttempt, findRow, toFilters } from './session-queries.ts';
import { SessionSearch } from './session-search.ts';

const search = new SessionSearch();
let isTyped = false;
/** The session that was last looked up in the list. */
let located = '';
let lastShift = { key: '', shift: 0 };

/** The state of the search. */
export const searchState: SessionSearch['state'] = search.state;

const expanded = signal<{ readonly key: string; readonly names: ReadonlySet<string> }>({
  key: '',
  names: new Set(),
});

/** The results of the search as rows. */
export const results: ReadonlySignal<readonly ResultRow[]> = computed(() => {
  const { results: found, key } = searchState.value;
  return resultRows(found, expanded.value.key === key ? expanded.value.names : undefined);
});

/** Whether the history browser is shown, as a page or as an overlay. */
export const isBrowserShown: ReadonlySignal<boolean> = computed(
  () => route.value.page === 'history' || route.value.isBrowsing,
);

/** Whether the left panel shows search results instead of the list of sessions. */
export const isSearching: ReadonlySignal<boolean> = computed(() => route.value.browser.query.trim() !== '');

/** The row that the keyboard has selected; -1 for none. */
export const selectedRow: Signal<number> = signal(-1);

const progress = signal(1);

/** How much of the history is indexed, from 0 to 1. */
export const indexProgress: ReadonlySignal<number> = progress;

const selections = signal(0);

/** Changes with each selection, which scrolls to the selected message. */
export const selectionCount: ReadonlySignal<number> = selections;

/** Changes the state of the browser, and with it the address. */
export function updateBrowser(change: Partial<BrowserState>): void {
  const { browser } = route.peek();
  const isOther = Object.entries(change).some(([key, value]) => browser[key as keyof BrowserState] !== value);
  if (isOther) replaceRoute({ browser: { ...browser, ...change } });
}

/** Changes the query as it is typed. */
export function setQuery(query: string): void {
  isTyped = true;
  selectedRow.value = -1;
  updateBrowser({ query, row: 0 });
  isTyped = false;
}

/** Shows a session, and scrolls to a message of it if one is given. */
export function selectSession(session: string, sessionProject: string, match = ''): void {
  selections.value += 1;
  updateBrowser({ session, sessionProject, match, message: 0 });
}

/** Selects a row of the left panel. */
export function selectRow(row: number): void {
  selectedRow.value = row;
  if (!isSearching.value) {
    const session = sessionList.value.rows.at(row);
    if (session !== undefined) selectSession(session.sessionId, session.project);
    return;
  }
  const result = results.value[row];
  if (result === undefined) return;
  if (result.type === 'more') expand(result);
  else if (result.isInMemory) navigate({ page: 'chat', isBrowsing: false, project: result.project });
  else selectSession(result.sessionId, result.project, result.type === 'hit' ? result.hit.id : '');
}

function expand(result: ResultRow): void {
  const { key } = searchState.value;
  const names = expanded.value.key === key ? expanded.value.names : [];
  expanded.value = { key, names: new Set([...names, resultKey(result)]) };
}

/** The number of rows in the left panel. */
export function rowCount(): number {
  return isSearching.value ? results.value.length : sessionList.value.rows.total;
}

export function openHistoryBrowser(): void {
  navigate({ isBrowsing: true });
}

/** Closes the overlay. The state is kept. */
export function closeBrowser(): void {
  navigate({ isBrowsing: false });
}

/** Clears the query; without one closes the overlay, or on the page the session, then clears the filters. */
export function clearOrClose(): void {
  const { query, session, sessionProject } = route.value.browser;
  if (query === '') {
    if (route.value.isBrowsing) closeBrowser();
    else if (session === '') clearFilters();
    else selectSession('', '');
    return;
  }
  setQuery('');
  selectedRow.value = sessionList.value.rows.rowOf(
    ({ sessionId, project }) => sessionId === session && project === sessionProject,
  );
}

/** Clears all filters, but not the query and the selection. */
export function clearFilters(): void {
  const { query, session, sessionProject, match, message } = route.value.browser;
  updateBrowser({ ...EMPTY_BROWSER, query, session, sessionProject, match, message });
}

/** Shows the next failure or success of a session; after the last one, the first. */
export async function showNextAttempt(session: string, sessionProject: string, outcome: AttemptOutcome): Promise<void> {
  const shown = openSession.value;
  const isShown = shown?.id === session && shown.project === sessionProject;
  const after = isShown ? route.value.browser.match : '';
  if (!isShown) selectSession(session, sessionProject);
  const found = await findNextAttempt({ session, project: sessionProject, outcome, after });
  if (found !== undefined && route.value.browser.session === session) selectSession(session, sessionProject, found);
}

/** Selects a session that was opened by a link in the list as well. */
async function locateInList(summary: SessionSummary): Promise<void> {
  const { key, rows } = sessionList.peek();
  const known = rows.rowOf(({ sessionId, project }) => sessionId === summary.sessionId && project === summary.project);
  const row =
    known >= 0
      ? known
      : await findRow(summary, toFilters(route.peek().browser, currentProjectId.peek())).catch(() => -1);
  const isWanted = sessionList.peek().key === key && route.peek().browser.session === summary.sessionId;
  if (isWanted && selectedRow.peek() < 0) selectedRow.value = row;
}

/** Keeps lists, results and the session up to date with the address and the server. */
export function startBrowser(): void {
  let wasShown = false;
  effect(() => {
    // With a project in the address there is no need to wait for the list of projects.
    const isNamed = route.value.project !== '' || route.value.browser.project !== '';
    const isShown = isBrowserShown.value && (isNamed || projects.value !== undefined);
    const isOpened = isShown && !wasShown;
    wasShown = isShown;
    if (!isShown) return;
    const { browser } = route.value;
    const project = currentProjectId.value;
    untracked(() => {
      const filters = toFilters(browser, project);
      search.search({ query: browser.query, filters }, isTyped);
      showSessions(filters, browser.row, Date.now());
      showSession(browser.session, browser.sessionProject, browser.match, browser.message);
      if (isOpened) refreshIfOld(Date.now());
    });
  });
  effect(() => {
    // The selected row moves along with the visible ones.
    const { key, shift } = sessionList.value;
    const moved = key === lastShift.key ? shift - lastShift.shift : 0;
    lastShift = { key, shift };
    if (moved !== 0 && !isSearching.peek() && selectedRow.peek() >= 0) selectedRow.value = selectedRow.peek() + moved;
  });
  effect(() => {
    const { browser } = route.value;
    const summary = openSession.value?.summary;
    const isFound = summary === undefined || browser.session !== summary.sessionId || located === summary.sessionId;
    if (isFound || !sessionList.value.isLoaded || browser.query !== '' || browser.row !== 0) return;
    located = summary.sessionId;
    if (selectedRow.peek() < 0) void locateInList(summary);
  });
  let compared: SessionSummary | undefined;
  effect(() => {
    // The list may know records that were not indexed yet when the session was read.
    const summary = openSession.value?.summary;
    const listed = sessionList.value.rows.find(
      ({ sessionId, project }) => sessionId === summary?.sessionId && project === summary.project,
    );
    if (summary === undefined || listed === undefined || listed === compared) return;
    compared = listed;
    const isOther = (['failures', 'successes', 'messageCount'] as const).some((key) => listed[key] !== summary[key]);
    if (isOther) untracked(() => refreshGrown([listed.sessionId]));
  });
  server.on('history.changed', ({ sessionIds }) => {
    refreshGrown(sessionIds);
    if (isBrowserShown.peek()) refresh();
    else markStale();
  });
  server.on('history.indexed', ({ done, total }) => {
    progress.value = total === 0 ? 1 : done / total;
    if (done !== total) return;
    if (isBrowserShown.peek()) refresh();
    // It may have been read before all of its records were indexed.
    refreshGrown([]);
  });
  effect(() => {
    if (server.openings.value < 2) return;
    untracked(() => {
      if (isBrowserShown.value) refresh();
      else markStale();
      refreshGrown([]);
    });
  });
}
