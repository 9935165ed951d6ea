import type { VNode } from 'preact';
import { cleanText } from '../text/clean-text.ts';

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

const LONGEST_NAME = 60;

/** Which agent wrote a session, as two letters. */
export function AgentIcon({ agent }: { readonly agent: string | undefined }): VNode {
  const name = cleanText(agent ?? 'yore').slice(0, LONGEST_NAME);
  return (
    <span class="agent" role="img" aria-label={name} title={name}>
      {Object.hasOwn(SIGNS, name) ? SIGNS[name] : [...name].slice(0, 2).join('')}
    </span>
  );
}
