import type { AgentUnit } from '../agent-unit.ts';
import { joinPath, type Machine, serverCommand } from '../machine.ts';
import { serverAddition } from '../target.ts';
import { opencodePlugin } from './opencode-plugin.ts';

/** opencode: a plugin file, and the MCP server in its settings. */
export const opencodeUnit: AgentUnit = {
  agent: 'opencode',
  title: 'opencode',
  commands: ['opencode'],
  traces: (machine) => [
    configFolder(machine),
    joinPath(
      machine,
      machine.env.XDG_DATA_HOME || joinPath(machine, machine.userHome, '.local', 'share'),
      'opencode',
    ),
  ],
  targets(machine, scope) {
    const isUser = scope.kind === 'user';
    const plugins = isUser ? configFolder(machine) : joinPath(machine, scope.root, '.opencode');
    const settings = isUser ? configFolder(machine) : scope.root;
    const value = { type: 'local', command: serverCommand(machine, scope), enabled: true };
    return [
      {
        kind: 'own',
        path: joinPath(machine, plugins, 'plugin', 'yore.js'),
        parts: ['hooks'],
        text: opencodePlugin(machine, scope),
      },
      {
        kind: 'json',
        path: joinPath(machine, settings, 'opencode.json'),
        rivals: [joinPath(machine, settings, 'opencode.jsonc')],
        additions: [serverAddition('mcp', value)],
      },
    ];
  },
};

function configFolder(machine: Machine): string {
  const settings = machine.env.XDG_CONFIG_HOME || joinPath(machine, machine.userHome, '.config');
  return machine.env.OPENCODE_CONFIG_DIR || joinPath(machine, settings, 'opencode');
}
