import type { AgentDescriptor } from '../agent-descriptor.ts';

/** M31A: a prompt history, import only. */
export const m31a: AgentDescriptor = {
  name: 'm31a',
  title: 'M31A',
  historyPath: '~/.m31a',
  hasPromptsOnly: true,
  loadTranscripts: async () => (await import('./transcripts.ts')).m31aTranscripts,
};
