import type { AgentDescriptor } from '../agent-descriptor.ts';
import { type AgentInstallation, joinPath } from '../installation.ts';

/** aider: its chats are imported; there is nothing to install into. */
export const aider: AgentDescriptor = {
  name: 'aider',
  title: 'aider',
  historyPath: '.aider.chat.history.md of known projects',
  keepsTranscriptsInProjects: true,
  loadTranscripts: async () => (await import('./transcripts.ts')).aiderTranscripts,
  loadInstallation: async () => INSTALLATION,
};

const INSTALLATION: AgentInstallation = {
  commands: ['aider'],
  traces: (machine) => [
    joinPath(machine, machine.userHome, '.aider'),
    joinPath(machine, machine.userHome, '.aider.conf.yml'),
  ],
  targets: () => [],
  limitation: 'aider has neither hooks nor MCP: its chats are imported.',
};
