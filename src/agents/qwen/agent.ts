import type { AgentDescriptor } from '../agent-descriptor.ts';

/** Qwen Code, a fork of Gemini CLI: hooks like those of Claude Code, transcripts of its own. */
export const qwen: AgentDescriptor = {
  name: 'qwen',
  title: 'Qwen Code',
  historyPath: '~/.qwen/projects',
  resumeCommand: 'qwen --resume',
  hooks: {
    loadProtocol: async () => (await import('./hooks.ts')).qwenHooks,
    canReadTranscripts: true,
  },
  loadTranscripts: async () => (await import('./transcripts.ts')).qwenTranscripts,
  loadInstallation: async () => (await import('./install.ts')).qwenInstallation,
};
