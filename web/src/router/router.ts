import { type ReadonlySignal, signal } from '@preact/signals';
import { formatRoute, parseRoute, type Route } from './route.ts';

const current = signal<Route>(parseRoute(location.hash));
/** Browsers refuse to rewrite the address too often. */
const WRITE_AFTER_MS = 200;
let writing: ReturnType<typeof setTimeout> | undefined;

addEventListener('hashchange', () => {
  if (location.hash === formatRoute(current.value)) return;
  const next = parseRoute(location.hash);
  const isShown = next.isBrowsing || next.page === 'history';
  // A browser that is closed is found as it was left.
  current.value = isShown ? next : { ...next, browser: current.value.browser };
});

/** What is shown now. */
export const route: ReadonlySignal<Route> = current;

/** Goes somewhere else; the way back leads here. */
export function navigate(change: Partial<Route>): void {
  flush();
  current.value = { ...current.value, ...change };
  const address = formatRoute(current.value);
  if (address !== location.hash) history.pushState(null, '', address);
}

/** Keeps the address true to what is shown, without a step in the browser's history. */
export function amend(change: Partial<Route>): void {
  current.value = { ...current.value, ...change };
  if (writing !== undefined) return;
  writing = setTimeout(flush, WRITE_AFTER_MS);
}

/** The address of another page, for a link. */
export function hrefOf(change: Partial<Route>): string {
  return formatRoute({ ...current.value, isBrowsing: false, ...change });
}

function flush(): void {
  if (writing === undefined) return;
  clearTimeout(writing);
  writing = undefined;
  history.replaceState(null, '', formatRoute(current.value));
}
