import type { MemoryAntiPattern } from '../../../src/server/rpc/api.ts';
import { server } from '../rpc/server.ts';
import { attempt } from '../shell/notices.ts';
import { projectId } from '../shell/project-store.ts';

type State = MemoryAntiPattern['state'];

/** What was done last, and the way back. */
export interface Done {
  readonly text: string;
  readonly undo?: () => Promise<boolean>;
}

/** Does something to the memory, and shows what it made of it. */
export type OnDone = (doing: Promise<Done | undefined>) => Promise<void>;

const METHODS = { active: 'memory.reset', pinned: 'memory.pin', dismissed: 'memory.dismiss' } as const;
const SAID: Readonly<Record<State, string>> = {
  active: 'Back to normal',
  pinned: 'Pinned',
  dismissed: 'Dismissed',
};

/** Pins, dismisses or takes that back. Undefined when it could not be done; the user was told then. */
export async function changeState(pattern: MemoryAntiPattern, state: State): Promise<Done | undefined> {
  const project = projectId.value;
  const { id, state: before } = pattern;
  const set = (next: State) => attempt(server.call(METHODS[next], { project, id }));
  if (!(await set(state))) return undefined;
  return { text: `${SAID[state]}: ${pattern.pattern}`, undo: () => set(before) };
}

/** Forgets for good. */
export async function forget(id: string, pattern: string): Promise<Done | undefined> {
  const isDone = await attempt(server.call('memory.forget', { project: projectId.value, id }));
  return isDone ? { text: `Forgotten: ${pattern}` } : undefined;
}
