/** Two letters for each agent, and for yore's own chat. */
export const AGENT_SIGNS: Readonly<Record<string, string>> = {
  'claude-code': 'CC',
  codex: 'Cx',
  gemini: 'Ge',
  qwen: 'Qw',
  opencode: 'OC',
  copilot: 'Co',
  cursor: 'Cu',
  pi: 'Pi',
  aider: 'Ai',
  cline: 'Cl',
  roo: 'Ro',
  'ac-dc': 'AC',
  autohand: 'Ah',
  m31a: 'M3',
  yore: 'yo',
};
