import type { Outcome, Role, SearchFilters, SessionFilters } from '../../../src/server/rpc/api.ts';
import type { BrowserState } from '../router/route.ts';

/** What a list is asked for. Role and outcome are of messages and attempts: they are for a search only. */
export function listFilters(browser: BrowserState, currentProject: string): SessionFilters {
  const project = browser.project === '' ? currentProject : browser.project;
  return {
    ...(project === 'all' || project === '' ? {} : { project }),
    ...(browser.agent === '' ? {} : { agent: browser.agent }),
    ...(browser.since === '' ? {} : { since: `${browser.since}T00:00:00.000Z` }),
    ...(browser.until === '' ? {} : { until: `${browser.until}T23:59:59.999Z` }),
  };
}

/** What a search is asked for. */
export function searchFilters(browser: BrowserState, currentProject: string): SearchFilters {
  return {
    ...listFilters(browser, currentProject),
    ...(browser.role === '' ? {} : { role: browser.role as Role }),
    ...(browser.outcome === '' ? {} : { outcome: browser.outcome as Outcome }),
  };
}
