import type { AgentDescriptor } from '../agent-descriptor.ts';

/** Cline, an extension of VS Code and its relatives and a CLI: MCP, but no hooks that yore can use. */
export const cline: AgentDescriptor = {
  name: 'cline',
  title: 'Cline',
  historyPath: "~/.cline/data and the editors' globalStorage",
  loadTranscripts: async () => (await import('./transcripts.ts')).clineTranscripts,
  loadInstallation: async () => (await import('./install.ts')).clineInstallation,
};

/** Roo Code, a fork of Cline that keeps its tasks in the same form. */
export const roo: AgentDescriptor = {
  name: 'roo',
  title: 'Roo Code',
  historyPath: "the editors' globalStorage",
  loadTranscripts: async () => (await import('./transcripts.ts')).rooTranscripts,
  loadInstallation: async () => (await import('./install.ts')).rooInstallation,
};
