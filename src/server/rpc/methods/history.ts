import { OUTCOMES } from '../../../record/index.ts';
import type { MethodTable } from '../method.ts';
import { count, oneOf, optional, projectId, text, time } from '../parameters.ts';

/** Far beyond any number of sessions or records. */
const LAST_OFFSET = 1_000_000_000;
/** Lists are shown at once, if need be without what was written a moment ago. */
const LIST_PATIENCE_MS = 40;
/** After that, what the index lacks is read from the logs. */
const SEARCH_PATIENCE_MS = 200;
const LONGEST_QUERY = 1000;
const LONGEST_ID = 300;
const LONGEST_AGENT = 100;

/** What was said and done, in all projects. */
export const historyMethods: MethodTable<'history.search' | 'history.listSessions' | 'history.getSession'> = {
  'history.search': {
    parameters: {
      query: text(LONGEST_QUERY),
      role: optional(oneOf('user', 'assistant')),
      project: optional(projectId),
      agent: optional(text(LONGEST_AGENT)),
      outcome: optional(oneOf(...OUTCOMES)),
      since: optional(time),
      until: optional(time),
      limit: optional(count(1, 200)),
    },
    changes: false,
    run: async ({ query, project, ...filters }, { work, index }, client) => {
      await index.settle(SEARCH_PATIENCE_MS);
      return work.do('search', { ...filters, text: query, ...inProject(project) }, client);
    },
  },
  'history.listSessions': {
    parameters: {
      project: optional(projectId),
      agent: optional(text(LONGEST_AGENT)),
      role: optional(oneOf('user', 'assistant')),
      outcome: optional(oneOf(...OUTCOMES)),
      since: optional(time),
      until: optional(time),
      limit: optional(count(1, 500)),
      offset: optional(count(0, LAST_OFFSET)),
    },
    changes: false,
    run: async ({ project, ...filters }, { home, work, index }) => {
      const filter = { ...filters, ...inProject(project) };
      const complete = await index.settle(LIST_PATIENCE_MS);
      const known = home.knownSessions(filter);
      if (known !== undefined) return { ...known, complete };
      return complete ? work.do('listSessions', filter) : { sessions: [], total: 0, complete };
    },
  },
  'history.getSession': {
    parameters: {
      id: text(LONGEST_ID),
      project: optional(projectId),
      offset: optional(count(0, LAST_OFFSET)),
      limit: optional(count(1, 500)),
      around: optional(text(LONGEST_ID)),
    },
    changes: false,
    run: async (part, { work, index }) => {
      await index.settle(SEARCH_PATIENCE_MS);
      return work.do('page', part);
    },
  },
};

function inProject(project: string | undefined): { readonly projects?: readonly string[] } {
  return project === undefined ? {} : { projects: [project] };
}
