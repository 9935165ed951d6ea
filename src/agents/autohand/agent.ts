import type { AgentDescriptor } from '../agent-descriptor.ts';

/** Autohand: its own memory of failures and successes, import only. */
export const autohand: AgentDescriptor = {
  name: 'autohand',
  title: 'Autohand',
  historyPath: '~/.autohand-cli',
  loadTranscripts: async () => (await import('./transcripts.ts')).autohandTranscripts,
};
