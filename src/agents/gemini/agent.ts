import type { AgentDescriptor } from '../agent-descriptor.ts';

/** Gemini CLI: yore is installed as an extension. */
export const gemini: AgentDescriptor = {
  name: 'gemini',
  title: 'Gemini CLI',
  historyPath: '~/.gemini/tmp',
  resumeCommand: 'gemini --resume',
  hooks: {
    loadProtocol: async () => (await import('./hooks.ts')).geminiHooks,
    canReadTranscripts: true,
  },
  loadTranscripts: async () => (await import('./transcripts.ts')).geminiTranscripts,
  loadInstallation: async () => (await import('./install.ts')).geminiInstallation,
};
