import { meantProject } from '../../project-by-id.ts';
import type { MethodTable } from '../method.ts';
import { count, optional, projectId, text } from '../parameters.ts';

const DEFAULT_PROMPTS = 100;
const SUGGESTIONS = 8;

/** What the user typed before. */
export const promptMethods: MethodTable<'prompts.recall' | 'prompts.suggest'> = {
  'prompts.recall': {
    parameters: { project: optional(projectId), limit: optional(count(1, 500)) },
    changes: false,
    run: ({ project, limit = DEFAULT_PROMPTS }, { home, cwd }) => {
      const { projectHash } = meantProject(home, cwd, project).info;
      return { prompts: home.prompts.search('', limit, projectHash).map((entry) => entry.text) };
    },
  },
  'prompts.suggest': {
    parameters: { project: optional(projectId), prefix: text(1000) },
    changes: false,
    run: ({ project, prefix }, { home, cwd }) => {
      if (prefix.trim() === '') return { prompts: [] };
      const { projectHash } = meantProject(home, cwd, project).info;
      return { prompts: home.prompts.suggest(prefix, SUGGESTIONS, projectHash).map((entry) => entry.text) };
    },
  },
};
