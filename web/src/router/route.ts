/** The pages of the app. */
export const PAGES = ['overview', 'history', 'timeline', 'memory', 'chat', 'search'] as const;
export type Page = (typeof PAGES)[number];

/** The state of the history browser. Empty strings and zeros are the defaults. */
export interface BrowserState {
  readonly query: string;
  /** `all`, or the id of a project. Default: the selected project. */
  readonly project: string;
  readonly agent: string;
  readonly role: string;
  readonly outcome: string;
  /** Days, `2026-11-15`. */
  readonly since: string;
  readonly until: string;
  /** The selected session, and its project. */
  readonly session: string;
  readonly sessionProject: string;
  /** The record to scroll to: its id, or a time. */
  readonly match: string;
  /** First visible row of the list on the left. */
  readonly row: number;
  /** First visible row of the session on the right. */
  readonly message: number;
}

/** What is shown. The address holds all of it. */
export interface Route {
  readonly page: Page;
  /** Id of the project. Default: the one the server was started in. */
  readonly project: string;
  /** Whether the history browser is shown as an overlay. */
  readonly isBrowsing: boolean;
  readonly browser: BrowserState;
  /** The query of the search page. */
  readonly search: string;
}

/** The initial state of the history browser. */
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

/** Names of the URL parameters. */
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
const MAX_TEXT_LENGTH = 500;

/** Parses the fragment of an address. Ignores what is unknown, and never throws. */
export function parseRoute(fragment: string): Route {
  const [path = '', parameters = ''] = split(fragment.replace(/^#?\/?/, ''));
  const params = new URLSearchParams(parameters);
  const page = PAGES.find((name) => name === path) ?? 'overview';
  return {
    page,
    project: text(params, 'p'),
    isBrowsing: page !== 'history' && params.get('history') === '1',
    browser: parseBrowser(params),
    search: page === 'search' ? text(params, 'find') : '',
  };
}

/** The fragment of a route; the inverse of {@link parseRoute}. */
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

function parseBrowser(params: URLSearchParams): BrowserState {
  const texts = Object.entries(TEXTS).map(([key, name]) => [key, text(params, name)]);
  const numbers = Object.entries(NUMBERS).map(([key, name]) => [key, count(params.get(name))]);
  return { ...EMPTY_BROWSER, ...Object.fromEntries(texts), ...Object.fromEntries(numbers) };
}

function split(fragment: string): readonly string[] {
  const at = fragment.indexOf('?');
  return at < 0 ? [fragment] : [fragment.slice(0, at), fragment.slice(at + 1)];
}

function text(params: URLSearchParams, name: string): string {
  return (params.get(name) ?? '').slice(0, MAX_TEXT_LENGTH);
}

function count(value: string | null): number {
  const number = Number(value);
  return Number.isSafeInteger(number) && number > 0 ? number : 0;
}
