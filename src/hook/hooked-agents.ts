import type { AgentName } from '../agents/agent-name.ts';

/** The agents that call yore while they work. */
export const HOOKED_AGENTS = [
  'claude-code',
  'codex',
  'gemini',
  'opencode',
  'copilot',
  'cursor',
  'pi',
] as const satisfies readonly AgentName[];
