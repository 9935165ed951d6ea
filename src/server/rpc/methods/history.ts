import { OUTCOMES } from '../../../record/index.ts';
import type { MethodTable } from '../method.ts';
import { count, oneOf, optional, projectId, text, time } from '../parameters.ts';

/** Far beyond any number of sessions or records. */
const LAST_OFFSET = 1_000_000_000;
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
    run: ({ query, project, ...filters }, { home }) => {
      const { sessions, hits, warnings } = home.search({ ...filters, text: query, ...inProject(project) });
      return { sessions, total: hits.length, warnings };
    },
  },
  'history.listSessions': {
    parameters: {
      project: optional(projectId),
      agent: optional(text(LONGEST_AGENT)),
      since: optional(time),
      until: optional(time),
      limit: optional(count(1, 500)),
      offset: optional(count(0, LAST_OFFSET)),
    },
    changes: false,
    run: ({ project, ...filters }, { home }) => {
      const { sessions, total } = home.listSessions({ ...filters, ...inProject(project) });
      return { sessions, total };
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
    run: (part, { sessions }) => sessions.page(part),
  },
};

function inProject(project: string | undefined): { readonly projects?: readonly string[] } {
  return project === undefined ? {} : { projects: [project] };
}
