import type { AgentDescriptor } from '../agent-descriptor.ts';

/** Codex: hooks in `hooks.json`, MCP in `config.toml`; its transcripts are called rollouts. */
export const codex: AgentDescriptor = {
  name: 'codex',
  title: 'Codex',
  historyPath: '~/.codex/sessions',
  resumeCommand: 'codex resume',
  hooks: {
    loadProtocol: async () => (await import('./hooks.ts')).codexHooks,
    canReadTranscripts: true,
  },
  loadTranscripts: async () => (await import('./transcripts.ts')).codexTranscripts,
  loadInstallation: async () => (await import('./install.ts')).codexInstallation,
};
