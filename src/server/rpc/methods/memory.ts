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
    run: (params, { work }) => work.do('memory', params),
  },
  'memory.evidence': {
    parameters: named,
    changes: false,
    run: (params, { work }) => work.do('evidence', params),
  },
  'memory.dismiss': choosing('dismiss'),
  'memory.pin': choosing('pin'),
  'memory.reset': choosing('reset'),
  'memory.forget': {
    parameters: named,
    changes: true,
    run: (params, { work }) => work.do('forget', params),
  },
};

function choosing(choice: 'dismiss' | 'pin' | 'reset'): Method<'memory.dismiss'> {
  return {
    parameters: named,
    changes: true,
    run: (params, { work }) => work.do('choose', { ...params, choice }),
  };
}
