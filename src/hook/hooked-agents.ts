import type { AgentName } from '../agents/agent-name.ts';

/** An agent that calls yore while it works. */
export type HookedAgent = Extract<
  AgentName,
  'claude-code' | 'codex' | 'gemini' | 'opencode' | 'copilot' | 'cursor' | 'pi'
>;

/** The agents that call yore while they work. */
export const HOOKED_AGENTS: readonly HookedAgent[] = [
  'claude-code',
  'codex',
  'gemini',
  'opencode',
  'copilot',
  'cursor',
  'pi',
];
