import type { AgentDescriptor } from '../agent-descriptor.ts';

/** opencode: a plugin calls the hook; all sessions are in one database, which no hook reads. */
export const opencode: AgentDescriptor = {
  name: 'opencode',
  title: 'opencode',
  historyPath: '~/.local/share/opencode',
  hasSharedTranscript: true,
  hooks: {
    loadProtocol: async () => (await import('../plugin-hooks.ts')).pluginHooks,
    canReadTranscripts: false,
  },
  loadTranscripts: async () => (await import('./transcripts.ts')).opencodeTranscripts,
  loadInstallation: async () => (await import('./install.ts')).opencodeInstallation,
};
