import { type ReadonlySignal, signal } from '@preact/signals';
import { type BrowserState, EMPTY_BROWSER, formatRoute, parseRoute, type Route } from './route.ts';

const current = signal<Route>(parseRoute(location.hash));
/** Browsers limit how often the address may be replaced. */
const WRITE_DELAY_MS = 200;
let writing: ReturnType<typeof setTimeout> | undefined;

addEventListener('hashchange', () => {
  if (location.hash === formatRoute(current.value)) return;
  const next = parseRoute(location.hash);
  const isShown = next.isBrowsing || next.page === 'history';
  // The state of a closed history browser is kept, and that of a page under it.
  current.value = {
    ...next,
    browser: isShown ? next.browser : current.value.browser,
    params: isShown && next.page === current.value.page ? current.value.params : next.params,
  };
});

/** The current route. */
export const route: ReadonlySignal<Route> = current;

/** Goes to another route; the back button returns to this one. Another page starts without parameters. */
export function navigate(change: Partial<Route>): void {
  flush();
  current.value = changed(change);
  const address = formatRoute(current.value);
  if (address !== location.hash) history.pushState(null, '', address);
}

/** Changes the current route without an entry in the browser's history. */
export function replaceRoute(change: Partial<Route>): void {
  current.value = { ...current.value, ...change };
  if (writing !== undefined) return;
  writing = setTimeout(flush, WRITE_DELAY_MS);
}

/** Changes parameters of the current page, without an entry in the browser's history. */
export function replaceParams(params: Readonly<Record<string, string>>): void {
  replaceRoute({ params: { ...current.peek().params, ...params } });
}

/** The address of a link to another route. */
export function toHref(change: Partial<Route>): string {
  return formatRoute(changed({ isBrowsing: false, ...change }));
}

/** The address of a link into the history browser. */
export function historyHref(browser: Partial<BrowserState>): string {
  return toHref({ page: 'history', browser: { ...EMPTY_BROWSER, ...browser } });
}

function changed(change: Partial<Route>): Route {
  const isOther = change.page !== undefined && change.page !== current.value.page;
  return { ...current.value, ...(isOther ? { params: {} } : {}), ...change };
}

function flush(): void {
  if (writing === undefined) return;
  clearTimeout(writing);
  writing = undefined;
  history.replaceState(null, '', formatRoute(current.value));
}
