import { existsSync } from 'node:fs';
import type { AgentDescriptor } from '../agents/agent-descriptor.ts';
import type { HookProtocol, HookSession } from '../agents/hook-protocol.ts';
import type { ProjectHandle, ProjectHandleOptions } from '../recording/project-handle.ts';

/** What the handler of a hook event is given besides the event. */
export interface HookContext extends ProjectHandleOptions {
  readonly agent: AgentDescriptor;
  readonly protocol: Pick<HookProtocol, 'canAsk' | 'acceptsContextBeforeCall'>;
  readonly session: HookSession;
  /** Milliseconds until the hook must be done; negative when it is late. */
  readonly timeLeft: () => number;
  /** The user's home folder, where agents keep their transcripts. */
  readonly userHome: string;
  /** Reports what went wrong without stopping the handler. */
  readonly onProblem: (problem: unknown) => void;
}

/** The transcript of the session: the one that the event names, or where the agent is known to keep it. */
export function findTranscript(context: HookContext): string | undefined {
  const { agent, session } = context;
  return session.transcriptPath ?? agent.hooks?.findTranscript?.(session, context);
}

/** Whether what is not recorded now can be read from a transcript once the agent is idle. */
export function hasTranscript(context: HookContext): boolean {
  const path = context.agent.hooks?.canReadTranscripts === true ? findTranscript(context) : undefined;
  return path !== undefined && existsSync(path);
}

/** Reports wrong settings, whose defaults apply. */
export function reportSettings({ config }: ProjectHandle, { onProblem }: HookContext): void {
  for (const warning of config.warnings) onProblem(warning);
}
