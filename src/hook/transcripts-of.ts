import { join } from 'node:path';
import type { AgentName } from '../agents/agent-name.ts';
import type { AgentTranscripts } from '../agents/transcript/transcript-source.ts';
import type { HookScene } from '../agents/wire/hook-event.ts';
import type { HookContext } from './hook-context.ts';

/** How the transcripts of an agent are read; undefined where a hook cannot: databases, formats without results. */
export async function transcriptsOf(agent: AgentName): Promise<AgentTranscripts | undefined> {
  switch (agent) {
    case 'claude-code':
      return (await import('../agents/claude-code/transcripts.ts')).claudeCodeTranscripts;
    case 'codex':
      return (await import('../agents/codex/transcripts.ts')).codexTranscripts;
    case 'gemini':
      return (await import('../agents/gemini/transcripts.ts')).geminiTranscripts;
    case 'copilot':
      return (await import('../agents/copilot/transcripts.ts')).copilotTranscripts;
    case 'pi':
      return (await import('../agents/pi/transcripts.ts')).piTranscripts;
    default:
      return undefined;
  }
}

/** The transcript of a session: as the agent says, or where it is known to be. */
export function transcriptPath(
  agent: AgentName,
  { transcriptPath: told, sessionId, parentSessionId }: HookScene,
  { userHome, beside }: Pick<HookContext, 'userHome' | 'beside'>,
): string | undefined {
  if (told !== undefined || agent !== 'copilot') return told;
  const folder = beside.env.COPILOT_HOME || join(userHome, '.copilot');
  const session = parentSessionId ?? sessionId;
  return /^[\w-]+$/.test(session) ? join(folder, 'session-state', session, 'events.jsonl') : undefined;
}
