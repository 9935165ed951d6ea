import type { AgentDescriptor } from '../agent-descriptor.ts';

/** pi: an extension calls the hook. */
export const pi: AgentDescriptor = {
  name: 'pi',
  title: 'pi',
  historyPath: '~/.pi/agent/sessions',
  resumeCommand: 'pi --session',
  hooks: {
    loadProtocol: async () => (await import('../plugin-hooks.ts')).pluginHooks,
    canReadTranscripts: true,
  },
  loadTranscripts: async () => (await import('./transcripts.ts')).piTranscripts,
  loadInstallation: async () => (await import('./install.ts')).piInstallation,
};
