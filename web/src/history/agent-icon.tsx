import type { VNode } from 'preact';

const SIGNS: Readonly<Record<string, string>> = {
  'claude-code': 'CC',
  codex: 'Cx',
  gemini: 'Ge',
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

/** Which agent wrote a session, as two letters. */
export function AgentIcon({ agent }: { readonly agent: string | undefined }): VNode {
  const name = agent ?? 'yore';
  return (
    <span class="agent" role="img" aria-label={name} title={name}>
      {SIGNS[name] ?? name.slice(0, 2)}
    </span>
  );
}
