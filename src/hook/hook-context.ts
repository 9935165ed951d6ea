import type { AgentName } from '../agents/agent-name.ts';
import type { HookProtocol, HookSession } from '../agents/wire/hook-event.ts';
import type { ProjectHandleOptions } from '../recording/project-handle.ts';
import type { Deadline } from './deadline.ts';

/** What handling an event has to do with besides the event. */
export interface HookContext {
  readonly agent: AgentName;
  readonly wire: Pick<HookProtocol, 'canAsk' | 'notesBeforeCall'>;
  readonly scene: HookSession;
  readonly beside: ProjectHandleOptions;
  readonly deadline: Deadline;
  /** The user's home folder: agents keep their transcripts there. */
  readonly userHome: string;
  /** Told of what went wrong and is no reason to stop. */
  readonly onProblem: (problem: unknown) => void;
}
