import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentName } from '../agents/agent-name.ts';
import type { HookSession } from '../agents/wire/hook-event.ts';
import type { HookContext } from './hook-context.ts';

/** The transcript of a session: as the agent says, or where it is known to be. */
export function transcriptPath(
  agent: AgentName,
  { transcriptPath: told, sessionId, parentSessionId }: HookSession,
  { userHome, beside }: Pick<HookContext, 'userHome' | 'beside'>,
): string | undefined {
  if (told !== undefined || agent !== 'copilot') return told;
  const folder = beside.env.COPILOT_HOME || join(userHome, '.copilot');
  const session = parentSessionId ?? sessionId;
  return /^[\w-]+$/.test(session) ? join(folder, 'session-state', session, 'events.jsonl') : undefined;
}

/** Agents whose transcripts a hook can read: see `transcriptsOf`. */
const READABLE: ReadonlySet<AgentName> = new Set(['claude-code', 'codex', 'gemini', 'copilot', 'pi']);

/** Whether there is a transcript that tells at the next pause what is not recorded now. */
export function hasTranscript(agent: AgentName, scene: HookSession, context: HookContext): boolean {
  const path = READABLE.has(agent) ? transcriptPath(agent, scene, context) : undefined;
  return path !== undefined && existsSync(path);
}
