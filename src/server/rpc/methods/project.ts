import { projectItem } from '../../views/project-views.ts';
import type { MethodTable } from '../method.ts';
import { count, optional, projectId, time } from '../parameters.ts';

const MOST_PROJECTS = 1000;

/** What projects there are and how they went. */
export const projectMethods: MethodTable<'project.list' | 'project.overview' | 'project.timeline'> = {
  'project.list': {
    parameters: {},
    changes: false,
    run: (_params, { home, cwd }) => {
      const current = home.findProject(cwd)?.info.projectHash;
      return {
        projects: home.projects().slice(0, MOST_PROJECTS).map(projectItem),
        ...(current === undefined ? {} : { current }),
      };
    },
  },
  'project.overview': {
    parameters: { project: projectId },
    changes: false,
    run: (params, { work }) => work.do('overview', params),
  },
  'project.timeline': {
    parameters: {
      project: projectId,
      since: optional(time),
      until: optional(time),
      limit: optional(count(1, 500)),
    },
    changes: false,
    run: (params, { work }) => work.do('timeline', params),
  },
};
