import { join } from 'node:path';
import type { AgentDescriptor } from '../agent-descriptor.ts';
import type { HookEvent } from '../hook-protocol.ts';

const IDLE_HOOKS: Readonly<Record<string, HookEvent['type']>> = {
  agentStop: 'stop',
  subagentStop: 'subagentStop',
  preCompact: 'beforeCompaction',
  sessionEnd: 'end',
};

/**
 * Copilot CLI. Its events do not all name the transcript, which is written late, and come twice when it also runs the
 * hooks of Claude Code.
 */
export const copilot: AgentDescriptor = {
  name: 'copilot',
  title: 'Copilot CLI',
  historyPath: '~/.copilot/session-state',
  resumeCommand: 'copilot --resume',
  hooks: {
    loadProtocol: async () => (await import('./hooks.ts')).copilotHooks,
    canReadTranscripts: true,
    mayRepeatEvents: true,
    hasReached: (end, event) => {
      const hook = /.*"type":"hook\.start","data":\{"hookInvocationId":"[^"]*","hookType":"(\w+)"/s.exec(end)?.[1];
      return hook !== undefined && IDLE_HOOKS[hook] === event;
    },
    findTranscript: ({ sessionId, parentSessionId }, { userHome, env }) => {
      const folder = env.COPILOT_HOME || join(userHome, '.copilot');
      const session = parentSessionId ?? sessionId;
      return /^[\w-]+$/.test(session) ? join(folder, 'session-state', session, 'events.jsonl') : undefined;
    },
  },
  loadTranscripts: async () => (await import('./transcripts.ts')).copilotTranscripts,
  loadInstallation: async () => (await import('./install.ts')).copilotInstallation,
};
