import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { AgentStatus } from '../../../src/server/rpc/api.ts';
import { AgentIcon } from '../history/session-row.tsx';
import { errorMessage } from '../rpc/rpc-client.ts';
import { server } from '../rpc/server.ts';
import { copyWithNotice } from '../shell/notices.ts';
import { isDemo, typedCommand } from '../shell/project-store.ts';
import { Skeleton } from '../shell/states.tsx';
import { cleanText } from '../text/format.ts';

const STATES: Readonly<
  Record<AgentStatus['state'], { readonly sign: string; readonly text: string; readonly tone: string }>
> = {
  recording: { sign: '●', text: 'Recording', tone: 'success' },
  waiting: { sign: '○', text: 'Set up, no event yet', tone: '' },
  needsAction: { sign: '⚠', text: 'Needs your action', tone: 'caution' },
  broken: { sign: '✗', text: 'Not working', tone: 'failure' },
  notSetUp: { sign: '○', text: 'Not set up', tone: '' },
  transcripts: { sign: '○', text: 'Transcripts only', tone: '' },
};

/** The agents on this machine, and how far each is recorded. */
export function AgentList(): VNode {
  const [found, setFound] = useState<{ readonly agents?: readonly AgentStatus[]; readonly problem?: string }>();
  const openings = server.openings.value;
  useEffect(() => {
    server.call('settings.agents', {}).then(setFound, (error) => setFound({ problem: errorMessage(error) }));
  }, [openings]);
  if (found === undefined) return <Skeleton rows={3} label="Checking agents…" />;
  if (found.problem !== undefined) return <p class="problem">{found.problem}</p>;
  if (found.agents === undefined)
    return (
      <p class="settings-note">
        {isDemo.value ? 'The demo is not connected to your agents.' : 'This server does not know the agents.'} To check
        them: <code>{typedCommand('doctor')}</code>
      </p>
    );
  if (found.agents.length === 0)
    return (
      <p class="settings-note">
        No coding agent was found on this machine. Agents appear here once they are installed;{' '}
        <code>{typedCommand('init')}</code> sets them up.
      </p>
    );
  return (
    <ul class="agent-list">
      {found.agents.map((agent) => (
        <AgentRow key={agent.agent} agent={agent} />
      ))}
    </ul>
  );
}

function AgentRow({ agent: { agent, title, version, state, message, fix } }: { readonly agent: AgentStatus }): VNode {
  const { sign, text, tone } = STATES[state];
  return (
    <li class="setting" data-agent={agent} data-state={state}>
      <AgentIcon agent={agent} />
      <span class="setting-text">
        <span class="setting-name">
          {title}
          {version === undefined ? null : <span class="fact"> {cleanText(version)}</span>}
        </span>
        <span class="setting-hint">{cleanText(message)}</span>
        {fix === undefined ? null : (
          <span class="agent-fix">
            <code>{cleanText(fix)}</code>
            <button type="button" class="quiet" onClick={() => void copyWithNotice(fix)}>
              Copy<span class="hidden"> the command for {title}</span>
            </button>
          </span>
        )}
      </span>
      <span class={`agent-state ${tone}`}>
        <span aria-hidden="true">{sign}</span> {text}
      </span>
    </li>
  );
}
