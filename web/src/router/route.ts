/** The pages of the app. */
export const PAGES = ['overview', 'history', 'timeline', 'memory', 'chat', 'search'] as const;
export type Page = (typeof PAGES)[number];

/** Where the history browser stands. Empty texts and zeros mean: nothing chosen. */
export interface BrowserState {
  readonly query: string;
  /** `all`, or the id of a project; empty: the project of the page. */
  readonly project: string;
  readonly agent: string;
  readonly role: string;
  readonly outcome: string;
  /** Days, `2026-11-15`. */
  readonly since: string;
  readonly until: string;
  /** The selected session and the project it belongs to. */
  readonly session: string;
  readonly sessionProject: string;
  /** Id of the message to show and highlight. */
  readonly match: string;
  /** First visible row of the list on the left. */
  readonly row: number;
  /** First visible row of the session on the right. */
  readonly message: number;
}

/** What is shown: all of it can be read from the address and written into it. */
export interface Route {
  readonly page: Page;
  /** Id of the project; empty: the one the server was started in. */
  readonly project: string;
  /** Does the history browser lie over the page? */
  readonly isBrowsing: boolean;
  /** Only for the history page and the overlay. */
  readonly browser: BrowserState;
  /** The search over all projects. */
  readonly search: string;
}

/** A browser in which nothing has been chosen. */
export const EMPTY_BROWSER: BrowserState = {
  query: '',
  project: '',
  agent: '',
  role: '',
  outcome: '',
  since: '',
  until: '',
  session: '',
  sessionProject: '',
  match: '',
  row: 0,
  message: 0,
};

/** Parameter names of the browser's texts. */
const TEXTS = {
  query: 'q',
  project: 'in',
  agent: 'agent',
  role: 'role',
  outcome: 'outcome',
  since: 'since',
  until: 'until',
  session: 'session',
  sessionProject: 'of',
  match: 'match',
} as const;
const NUMBERS = { row: 'row', message: 'message' } as const;
const LONGEST_TEXT = 500;

/** Reads a route from the fragment of an address. Anything unknown is left out; it never throws. */
export function parseRoute(fragment: string): Route {
  const [path = '', parameters = ''] = split(fragment.replace(/^#?\/?/, ''));
  const read = new URLSearchParams(parameters);
  const page = PAGES.find((name) => name === path) ?? 'overview';
  return {
    page,
    project: text(read, 'p'),
    isBrowsing: page !== 'history' && read.get('history') === '1',
    browser: browserOf(read),
    search: page === 'search' ? text(read, 'find') : '',
  };
}

/** The fragment of a route; `parseRoute` gives the route back. */
export function formatRoute(route: Route): string {
  const written = new URLSearchParams();
  if (route.project !== '') written.set('p', route.project);
  if (route.page === 'search' && route.search !== '') written.set('find', route.search);
  if (route.isBrowsing && route.page !== 'history') written.set('history', '1');
  if (route.isBrowsing || route.page === 'history') writeBrowser(route.browser, written);
  const parameters = written.toString();
  return `#/${route.page}${parameters === '' ? '' : `?${parameters}`}`;
}

function writeBrowser(browser: BrowserState, written: URLSearchParams): void {
  for (const [key, name] of Object.entries(TEXTS)) {
    const value = browser[key as keyof typeof TEXTS];
    if (value !== '') written.set(name, value);
  }
  for (const [key, name] of Object.entries(NUMBERS)) {
    const value = browser[key as keyof typeof NUMBERS];
    if (value > 0) written.set(name, String(value));
  }
}

function browserOf(read: URLSearchParams): BrowserState {
  const texts = Object.entries(TEXTS).map(([key, name]) => [key, text(read, name)]);
  const numbers = Object.entries(NUMBERS).map(([key, name]) => [key, count(read.get(name))]);
  return { ...EMPTY_BROWSER, ...Object.fromEntries(texts), ...Object.fromEntries(numbers) };
}

function split(fragment: string): readonly string[] {
  const at = fragment.indexOf('?');
  return at < 0 ? [fragment] : [fragment.slice(0, at), fragment.slice(at + 1)];
}

function text(read: URLSearchParams, name: string): string {
  return (read.get(name) ?? '').slice(0, LONGEST_TEXT);
}

function count(value: string | null): number {
  const number = Number(value);
  return Number.isSafeInteger(number) && number > 0 ? number : 0;
}
