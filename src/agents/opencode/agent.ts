import { join, resolve } from 'node:path';
import type { AgentDescriptor } from '../agent-descriptor.ts';

/** opencode: a plugin calls the hook; all sessions are in one database. */
export const opencode: AgentDescriptor = {
  name: 'opencode',
  title: 'opencode',
  historyPath: '~/.local/share/opencode',
  resumeCommand: 'opencode --session',
  hasSharedTranscript: true,
  hooks: {
    loadProtocol: async () => (await import('../plugin-hooks.ts')).pluginHooks,
    canReadTranscripts: true,
    // Development channels have databases of other names, which are left to an import.
    findTranscript: (_session, { userHome, env }) => {
      const name = env.OPENCODE_DB && env.OPENCODE_DB !== ':memory:' ? env.OPENCODE_DB : 'opencode.db';
      return resolve(env.XDG_DATA_HOME || join(userHome, '.local', 'share'), 'opencode', name);
    },
  },
  loadTranscripts: async () => (await import('./transcripts.ts')).opencodeTranscripts,
  loadInstallation: async () => (await import('./install.ts')).opencodeInstallation,
};
