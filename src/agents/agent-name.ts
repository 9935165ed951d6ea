/** The agents that yore knows, by the name that records and commands use. */
export const AGENT_NAMES = [
  'claude-code',
  'codex',
  'gemini',
  'qwen',
  'opencode',
  'copilot',
  'cursor',
  'pi',
  'aider',
  'cline',
  'roo',
  'ac-dc',
  'autohand',
  'm31a',
] as const;

/** The name of an agent that yore knows. */
export type AgentName = (typeof AGENT_NAMES)[number];
