import { AGENT_NAMES, type AgentName } from '../agents/agent-name.ts';
import type { AgentTranscripts } from '../agents/transcript/transcript-source.ts';

/** How the transcripts of each agent are read. Loaded when an agent is asked for. */
const TABLE: Readonly<Record<AgentName, () => Promise<AgentTranscripts>>> = {
  'claude-code': async () => (await import('../agents/claude-code/transcripts.ts')).claudeCodeTranscripts,
  codex: async () => (await import('../agents/codex/transcripts.ts')).codexTranscripts,
  gemini: async () => (await import('../agents/gemini/transcripts.ts')).geminiTranscripts,
  opencode: async () => (await import('../agents/opencode/transcripts.ts')).opencodeTranscripts,
  copilot: async () => (await import('../agents/copilot/transcripts.ts')).copilotTranscripts,
  cursor: async () => (await import('../agents/cursor/transcripts.ts')).cursorTranscripts,
  pi: async () => (await import('../agents/pi/transcripts.ts')).piTranscripts,
  aider: async () => (await import('../agents/aider/transcripts.ts')).aiderTranscripts,
  cline: async () => (await import('../agents/cline/transcripts.ts')).clineTranscripts,
  roo: async () => (await import('../agents/cline/transcripts.ts')).rooTranscripts,
  'ac-dc': async () => (await import('../agents/sources/ac-dc.ts')).acDcTranscripts,
  autohand: async () => (await import('../agents/sources/autohand.ts')).autohandTranscripts,
  m31a: async () => (await import('../agents/sources/m31a.ts')).m31aTranscripts,
};

/** The agents by name, in the order of the table; all of them when none is named. */
export async function loadAgents(names: readonly AgentName[] = AGENT_NAMES): Promise<AgentTranscripts[]> {
  return await Promise.all(AGENT_NAMES.filter((name) => names.includes(name)).map((name) => TABLE[name]()));
}
