import type { AgentDescriptor } from '../agent-descriptor.ts';

/** Claude Code: hooks and MCP in its settings, or yore's plugin; one transcript per session. */
export const claudeCode: AgentDescriptor = {
  name: 'claude-code',
  title: 'Claude Code',
  historyPath: '~/.claude/projects',
  resumeCommand: 'claude --resume',
  hooks: {
    loadProtocol: async () => (await import('./hooks.ts')).claudeCodeHooks,
    canReadTranscripts: true,
  },
  loadTranscripts: async () => (await import('./transcripts.ts')).claudeCodeTranscripts,
  loadInstallation: async () => (await import('./install.ts')).claudeCodeInstallation,
};
