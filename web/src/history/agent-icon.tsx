import type { VNode } from 'preact';
import { cleanText } from '../text/clean-text.ts';
import { AGENT_SIGNS } from './agent-signs.ts';

const LONGEST_NAME = 60;

/** Which agent wrote a session, as two letters. */
export function AgentIcon({ agent }: { readonly agent: string | undefined }): VNode {
  const name = cleanText(agent ?? 'yore').slice(0, LONGEST_NAME);
  return (
    <span class="agent" role="img" aria-label={name} title={name}>
      {Object.hasOwn(AGENT_SIGNS, name) ? AGENT_SIGNS[name] : [...name].slice(0, 2).join('')}
    </span>
  );
}
