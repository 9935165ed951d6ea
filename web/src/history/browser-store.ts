import { computed, effect, type ReadonlySignal, type Signal, signal, untracked } from '@preact/signals';
import type { SessionSummary } from '../../../src/server/rpc/api.ts';
import { type BrowserState, EMPTY_BROWSER } from '../router/route.ts';
import { amend, navigate, route } from '../router/router.ts';
import { server } from '../rpc/server.ts';
import { projectId, projects } from '../shell/project-store.ts';
import { filtersOf } from './filters.ts';
import { findRow } from './find-row.ts';
import { type AttemptOutcome, nextAttempt } from './next-attempt.ts';
import { type ResultRow, resultName, resultRows } from './result-rows.ts';
import { matchRow, openSession, sessionsGrew, showSession } from './session-content.ts';
import { forgetFreshness, freshen, refresh, sessionList, showSessions } from './session-pages.ts';
import { SessionSearch } from './session-search.ts';

const search = new SessionSearch();
let isTyped = false;
/** The session whose place in the list was looked for last. */
let placed = '';
let shiftSeen = { key: '', shift: 0 };

/** What was found for the query. */
export const found: SessionSearch['found'] = search.found;

const unfolded = signal<{ readonly key: string; readonly names: ReadonlySet<string> }>({
  key: '',
  names: new Set(),
});

/** The rows of the results. */
export const results: ReadonlySignal<readonly ResultRow[]> = computed(() => {
  const { answer, key } = found.value;
  return resultRows(answer, unfolded.value.key === key ? unfolded.value.names : undefined);
});

/** Is the browser on the screen, as a page or over another one? */
export const isBrowserShown: ReadonlySignal<boolean> = computed(
  () => route.value.page === 'history' || route.value.isBrowsing,
);

/** Does the left side show results, or the list of sessions? */
export const isSearch: ReadonlySignal<boolean> = computed(() => route.value.browser.query.trim() !== '');

/** The row that `j` and `k` have reached; -1 before. */
export const cursor: Signal<number> = signal(-1);

const reading = signal(1);

/** How much of the history the server has read, 0 to 1, as far as it told. */
export const readSoFar: ReadonlySignal<number> = reading;

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
  if (result === undefined) return;
  if (result.type === 'more') unfold(result);
  else selectSession(result.sessionId, result.project, result.type === 'hit' ? result.hit.id : '');
}

function unfold(result: ResultRow): void {
  const { key } = found.value;
  const names = unfolded.value.key === key ? unfolded.value.names : [];
  unfolded.value = { key, names: new Set([...names, resultName(result)]) };
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
  if (route.value.browser.query === '') {
    closeBrowser();
    return;
  }
  typeQuery('');
  const { session, sessionProject } = route.value.browser;
  cursor.value = sessionList.value.rows.rowOf(
    ({ sessionId, project }) => sessionId === session && project === sessionProject,
  );
}

/** Takes all filters away; what is selected stays. */
export function clearFilters(): void {
  const { query, session, sessionProject, match, message } = route.value.browser;
  changeBrowser({ ...EMPTY_BROWSER, query, session, sessionProject, match, message });
}

/** Shows the next failure or success of a session after a row, from its beginning again after the last one. */
export async function showNext(
  session: string,
  sessionProject: string,
  outcome: AttemptOutcome,
): Promise<void> {
  const shown = openSession.value;
  const isShown = shown?.id === session && shown.project === sessionProject;
  const after = isShown ? matchRow(shown, route.value.browser.match) : -1;
  if (!isShown) selectSession(session, sessionProject);
  const found = await nextAttempt({ session, project: sessionProject, outcome, after });
  if (found !== undefined && route.value.browser.session === session)
    selectSession(session, sessionProject, found);
}

/** A session that was opened by a link is shown in the list, too. */
async function bringIntoList(summary: SessionSummary): Promise<void> {
  const { key, rows } = sessionList.peek();
  const known = rows.rowOf(
    ({ sessionId, project }) => sessionId === summary.sessionId && project === summary.project,
  );
  const row =
    known >= 0
      ? known
      : await findRow(summary, filtersOf(route.peek().browser, projectId.peek())).catch(() => -1);
  const isWanted = sessionList.peek().key === key && route.peek().browser.session === summary.sessionId;
  if (isWanted && cursor.peek() < 0) cursor.value = row;
}

/** Keeps lists, results and the session in step with the address for as long as the page lives. */
export function startBrowser(): void {
  let wasShown = false;
  effect(() => {
    // An address that names its projects need not wait for the list of them.
    const isNamed = route.value.project !== '' || route.value.browser.project !== '';
    const isShown = isBrowserShown.value && (isNamed || projects.value !== undefined);
    const isOpened = isShown && !wasShown;
    wasShown = isShown;
    if (!isShown) return;
    const { browser } = route.value;
    const project = projectId.value;
    untracked(() => {
      const filters = filtersOf(browser, project);
      search.search({ query: browser.query, filters }, isTyped);
      showSessions(filters, browser.row, Date.now());
      showSession(browser.session, browser.sessionProject, browser.match, browser.message);
      if (isOpened) freshen(Date.now());
    });
  });
  effect(() => {
    // A row that is in view has moved: so has the one that the keyboard has reached.
    const { key, shift } = sessionList.value;
    const moved = key === shiftSeen.key ? shift - shiftSeen.shift : 0;
    shiftSeen = { key, shift };
    if (moved !== 0 && !isSearch.peek() && cursor.peek() >= 0) cursor.value = cursor.peek() + moved;
  });
  effect(() => {
    const { browser } = route.value;
    const summary = openSession.value?.summary;
    const isFound =
      summary === undefined || browser.session !== summary.sessionId || placed === summary.sessionId;
    if (isFound || !sessionList.value.isLoaded || browser.query !== '' || browser.row !== 0) return;
    placed = summary.sessionId;
    if (cursor.peek() < 0) void bringIntoList(summary);
  });
  server.on('history.changed', ({ sessionIds }) => {
    sessionsGrew(sessionIds);
    if (isBrowserShown.peek()) refresh();
    else forgetFreshness();
  });
  server.on('history.indexed', ({ done, total }) => {
    reading.value = total === 0 ? 1 : done / total;
    if (done === total && isBrowserShown.peek()) refresh();
  });
  effect(() => {
    if (server.openings.value < 2) return;
    untracked(() => {
      if (isBrowserShown.value) refresh();
      else forgetFreshness();
      sessionsGrew([]);
    });
  });
}
