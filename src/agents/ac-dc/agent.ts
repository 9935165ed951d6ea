import type { AgentDescriptor } from '../agent-descriptor.ts';

/** AC-DC: chat history in the repository, import only. */
export const acDc: AgentDescriptor = {
  name: 'ac-dc',
  title: 'AC-DC',
  historyPath: '.ac-dc of known projects',
  keepsTranscriptsInProjects: true,
  loadTranscripts: async () => (await import('./transcripts.ts')).acDcTranscripts,
};
