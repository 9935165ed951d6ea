import { projectById } from '../../project-by-id.ts';
import { evidenceOf, memoryView } from '../../views/memory-view.ts';
import type { Method, MethodTable } from '../method.ts';
import { projectId, text } from '../parameters.ts';

const named = { project: projectId, id: text(300) } as const;

/** What the project's memory holds, and what the user decides about it. */
export const memoryMethods: MethodTable<
  'memory.get' | 'memory.evidence' | 'memory.dismiss' | 'memory.pin' | 'memory.reset' | 'memory.forget'
> = {
  'memory.get': {
    parameters: { project: projectId },
    changes: false,
    run: ({ project }, { home, now }) => memoryView(projectById(home, project), now()),
  },
  'memory.evidence': {
    parameters: named,
    changes: false,
    run: ({ project, id }, { home }) => ({ evidence: evidenceOf(projectById(home, project), id) }),
  },
  'memory.dismiss': choosing('dismiss'),
  'memory.pin': choosing('pin'),
  'memory.reset': choosing('reset'),
  'memory.forget': {
    parameters: named,
    changes: true,
    run: ({ project, id }, { home }) => {
      home.forgetPattern(projectById(home, project), id);
      return null;
    },
  },
};

function choosing(choice: 'dismiss' | 'pin' | 'reset'): Method<'memory.dismiss'> {
  return {
    parameters: named,
    changes: true,
    run: ({ project, id }, { home }) => {
      projectById(home, project).memory.choose(choice, id);
      return null;
    },
  };
}
