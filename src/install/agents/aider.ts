import type { AgentUnit } from '../agent-unit.ts';
import { joinPath } from '../machine.ts';

/** aider: has neither hooks nor MCP; what it wrote is imported. */
export const aiderUnit: AgentUnit = {
  agent: 'aider',
  title: 'aider',
  commands: ['aider'],
  traces: (machine) => [
    joinPath(machine, machine.userHome, '.aider'),
    joinPath(machine, machine.userHome, '.aider.conf.yml'),
  ],
  targets: () => [],
  limit: 'aider has neither hooks nor MCP: its chats are imported.',
};
