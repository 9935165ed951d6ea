import type { AgentDescriptor } from '../agent-descriptor.ts';

/** Cursor: hooks in `hooks.json`, MCP in `mcp.json`. Its transcripts have no results, so hooks do not read them. */
export const cursor: AgentDescriptor = {
  name: 'cursor',
  title: 'Cursor',
  historyPath: '~/.cursor/projects',
  resumeCommand: 'cursor-agent --resume',
  hooks: {
    loadProtocol: async () => (await import('./hooks.ts')).cursorHooks,
    canReadTranscripts: false,
  },
  loadTranscripts: async () => (await import('./transcripts.ts')).cursorTranscripts,
  loadInstallation: async () => (await import('./install.ts')).cursorInstallation,
};
