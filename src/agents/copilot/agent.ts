import { join } from 'node:path';
import type { AgentDescriptor } from '../agent-descriptor.ts';

/**
 * Copilot CLI. Its events do not all name the transcript, which is written late, and come twice when it also runs the
 * hooks of Claude Code.
 */
export const copilot: AgentDescriptor = {
  name: 'copilot',
  title: 'Copilot CLI',
  historyPath: '~/.copilot/session-state',
  hooks: {
    loadProtocol: async () => (await import('./hooks.ts')).copilotHooks,
    canReadTranscripts: true,
    mayRepeatEvents: true,
    writesTranscriptsLate: true,
    findTranscript: ({ sessionId, parentSessionId }, { userHome, env }) => {
      const folder = env.COPILOT_HOME || join(userHome, '.copilot');
      const session = parentSessionId ?? sessionId;
      return /^[\w-]+$/.test(session) ? join(folder, 'session-state', session, 'events.jsonl') : undefined;
    },
  },
  loadTranscripts: async () => (await import('./transcripts.ts')).copilotTranscripts,
  loadInstallation: async () => (await import('./install.ts')).copilotInstallation,
};
