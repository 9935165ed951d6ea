/** The state of the history browser. Empty strings and zeros are the defaults. */
export interface BrowserState {
  readonly query: string;
  /** `all`, or the id of a project. Default: the selected project. */
  readonly project: string;
  readonly agent: string;
  /** Whose sessions: a colleague's name or pseudonym, or `~` for the user's own. */
  readonly author: string;
  readonly role: string;
  readonly outcome: string;
  /** `1`: only starred sessions. */
  readonly starred: string;
  /** Only sessions with this tag. */
  readonly tag: string;
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
  /** Id of a page in the table of pages. An id that is not there shows the start page. */
  readonly page: string;
  /** Id of the project. Default: see `projectId`. */
  readonly project: string;
  /** Whether the history browser is shown as an overlay. */
  readonly isBrowsing: boolean;
  readonly browser: BrowserState;
  /** The state of the page, by parameter; names are lower-case words. Of the history page, that is `browser` instead. */
  readonly params: Readonly<Record<string, string>>;
}

/** The initial state of the history browser. */
export const EMPTY_BROWSER: BrowserState = {
  query: '',
  project: '',
  agent: '',
  author: '',
  role: '',
  outcome: '',
  starred: '',
  tag: '',
  since: '',
  until: '',
  session: '',
  sessionProject: '',
  match: '',
  row: 0,
  message: 0,
};

/** The page of an address that names none. */
export const START_PAGE = 'projects';

/** Names of the URL parameters. */
const TEXTS = {
  query: 'q',
  project: 'in',
  agent: 'agent',
  author: 'author',
  role: 'role',
  outcome: 'outcome',
  starred: 'starred',
  tag: 'tag',
  since: 'since',
  until: 'until',
  session: 'session',
  sessionProject: 'of',
  match: 'match',
} as const;
const NUMBERS = { row: 'row', message: 'message' } as const;
const MAX_TEXT_LENGTH = 500;
const MAX_PARAMS = 20;
const PAGE_ID = /^[a-z]{1,20}$/;
const PARAM_NAME = /^[a-z]{1,20}$/;
const OWN_PARAMS: ReadonlySet<string> = new Set(['p', 'history']);

/** Parses the fragment of an address. Ignores what is unknown, and never throws. */
export function parseRoute(fragment: string): Route {
  const [path = '', parameters = ''] = split(fragment.replace(/^#?\/?/, ''));
  const params = new URLSearchParams(parameters);
  const page = PAGE_ID.test(path) ? path : START_PAGE;
  const isBrowsing = page !== 'history' && params.get('history') === '1';
  return {
    page,
    project: text(params, 'p'),
    isBrowsing,
    browser: hasBrowser(page, isBrowsing) ? parseBrowser(params) : EMPTY_BROWSER,
    params: hasBrowser(page, isBrowsing) ? {} : parsePageParams(params),
  };
}

/** The fragment of a route; the inverse of {@link parseRoute}. */
export function formatRoute(route: Route): string {
  const written = new URLSearchParams();
  const isBrowsing = route.isBrowsing && route.page !== 'history';
  if (route.project !== '') written.set('p', route.project);
  if (isBrowsing) written.set('history', '1');
  if (hasBrowser(route.page, isBrowsing)) writeBrowser(route.browser, written);
  else for (const [name, value] of Object.entries(route.params)) if (value !== '') written.set(name, value);
  const parameters = written.toString();
  return `#/${route.page}${parameters === '' ? '' : `?${parameters}`}`;
}

/** Whether the address holds the state of the history browser, and not that of a page. */
function hasBrowser(page: string, isBrowsing: boolean): boolean {
  return isBrowsing || page === 'history';
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

function parsePageParams(params: URLSearchParams): Readonly<Record<string, string>> {
  const names = [...new Set(params.keys())].filter((name) => PARAM_NAME.test(name) && !OWN_PARAMS.has(name));
  const values = names.slice(0, MAX_PARAMS).map((name) => [name, text(params, name)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== ''));
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
