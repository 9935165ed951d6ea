import type { AgentName } from '../agents/agent-name.ts';
import type { AgentTranscripts } from '../agents/transcript/transcript-source.ts';

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
