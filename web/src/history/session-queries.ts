import type { Outcome, Role, SessionFilters, SessionItem, SessionSummary } from '../../../src/server/rpc/api.ts';
import type { BrowserState } from '../router/route.ts';
import { server } from '../rpc/server.ts';

/** The filters of a list or search. */
export function toFilters(browser: BrowserState, currentProject: string): SessionFilters {
  const project = browser.project === '' ? currentProject : browser.project;
  const since = toTime(browser.since, '00:00:00.000');
  const until = toTime(browser.until, '23:59:59.999');
  return {
    ...(project === 'all' || project === '' ? {} : { project }),
    ...(browser.agent === '' ? {} : { agent: browser.agent }),
    ...(browser.author === '' ? {} : { author: browser.author }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(browser.role === '' ? {} : { role: browser.role as Role }),
    ...(browser.starred === '1' ? { starred: true } : {}),
    ...(browser.tag === '' ? {} : { tag: browser.tag }),
    ...(browser.outcome === '' ? {} : { outcome: browser.outcome as Outcome }),
  };
}

/** Whether any filter is set. The project does not count: there is always one, or all. */
export function isFiltered({ agent, author, role, outcome, starred, tag, since, until }: BrowserState): boolean {
  return [agent, author, role, outcome, starred, tag, since, until].some((value) => value !== '');
}

/** A time of a day in the user's time zone; undefined for an invalid day. */
function toTime(day: string, time: string): string | undefined {
  const date = new Date(`${day}T${time}`);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** The row of a session in the list, which is the number of sessions that were active later. -1 when it is not listed. */
export async function findRow(session: SessionSummary, filters: SessionFilters): Promise<number> {
  if (!mayBeListed(session, filters)) return -1;
  const params = { ...filters, since: session.lastActivity, limit: 1 };
  const { total } = await server.call('history.listSessions', params);
  return total - 1;
}

/** Whether a session may be in the list. */
function mayBeListed(session: SessionSummary, filters: SessionFilters): boolean {
  return Object.entries(filters).every(([name, value]) => {
    const passes = PASSES[name as keyof SessionFilters] as (value: unknown, session: SessionSummary) => boolean;
    return value === undefined || passes(value, session);
  });
}

/** Whether a session may pass a filter. Role and outcome are known to the server only. */
const PASSES: {
  readonly [F in keyof SessionFilters]-?: (value: NonNullable<SessionFilters[F]>, session: SessionSummary) => boolean;
} = {
  role: () => false,
  outcome: () => false,
  starred: (isWanted, { starred }) => !isWanted || starred === true,
  tag: (tag, { tags }) => tags?.includes(tag) === true,
  project: (project, session) => session.project === project,
  agent: (agent, session) => session.agent === agent,
  author: (author, session) => (session.author ?? '~') === author,
  since: (since, { lastActivity }) => since <= lastActivity,
  until: (until, { timestamp }) => until >= timestamp,
};

/** The outcomes that are counted per session. */
export type AttemptOutcome = Extract<Outcome, 'failure' | 'success'>;

const PAGE = 500;
/** Limits how long the user waits. */
const MAX_PAGES = 60;

/** The id of the next attempt with this outcome after a record, wrapping around at the end; undefined when there is none. */
export async function findNextAttempt({
  session,
  project,
  outcome,
  after,
}: {
  readonly session: string;
  readonly project: string;
  readonly outcome: AttemptOutcome;
  /** The id of a record, or empty. */
  readonly after: string;
}): Promise<string | undefined> {
  let first: string | undefined;
  let isPast = after === '';
  let offset = 0;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const params = { id: session, ...(project === '' ? {} : { project }), offset, limit: PAGE, images: false };
    const { records, total } = await server.call('history.getSession', params);
    for (const item of records) {
      if (isPast && hasOutcome(item, outcome)) return itemId(item);
      if (hasOutcome(item, outcome)) first ??= itemId(item);
      isPast ||= itemId(item) === after;
    }
    offset += records.length;
    if (offset >= total || records.length === 0) break;
  }
  return first;
}

/** The id of a message or an attempt. */
function itemId(item: SessionItem): string {
  return item.type === 'message' ? item.message.id : item.attempt.id;
}

function hasOutcome(item: SessionItem, outcome: AttemptOutcome): boolean {
  return item.type === 'attempt' && item.attempt.outcome === outcome;
}
