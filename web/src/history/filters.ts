import type { Outcome, Role, SessionFilters } from '../../../src/server/rpc/api.ts';
import type { BrowserState } from '../router/route.ts';

/** What a list or a search is asked for. */
export function filtersOf(browser: BrowserState, currentProject: string): SessionFilters {
  const project = browser.project === '' ? currentProject : browser.project;
  const since = dayTime(browser.since, '00:00:00.000');
  const until = dayTime(browser.until, '23:59:59.999');
  return {
    ...(project === 'all' || project === '' ? {} : { project }),
    ...(browser.agent === '' ? {} : { agent: browser.agent }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(browser.role === '' ? {} : { role: browser.role as Role }),
    ...(browser.outcome === '' ? {} : { outcome: browser.outcome as Outcome }),
  };
}

/** Is anything chosen that leaves sessions out? The project is none of it: there is always one, or all. */
export function isFiltered({ agent, role, outcome, since, until }: BrowserState): boolean {
  return [agent, role, outcome, since, until].some((value) => value !== '');
}

/** A time of a day where the user is; undefined for what is no day. */
function dayTime(day: string, time: string): string | undefined {
  const date = new Date(`${day}T${time}`);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
