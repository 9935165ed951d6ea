import type { AgentUnit } from '../agent-unit.ts';
import { joinPath, type Machine } from '../machine.ts';
import { piExtension } from './pi-extension.ts';

/** pi: an extension file. It has no MCP of its own. */
export const piUnit: AgentUnit = {
  agent: 'pi',
  title: 'pi',
  commands: ['pi'],
  hasCommonName: true,
  traces: (machine) => [agentFolder(machine)],
  targets(machine, scope) {
    const folder = scope.kind === 'user' ? agentFolder(machine) : joinPath(machine, scope.root, '.pi');
    return [
      {
        kind: 'own',
        path: joinPath(machine, folder, 'extensions', 'yore.js'),
        parts: ['hooks'],
        text: piExtension(machine, scope),
      },
    ];
  },
};

function agentFolder(machine: Machine): string {
  return machine.env.PI_CODING_AGENT_DIR || joinPath(machine, machine.userHome, '.pi', 'agent');
}
