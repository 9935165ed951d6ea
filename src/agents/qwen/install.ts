import { CLAUDE_EVENTS } from '../claude-like-hooks.ts';
import {
  type AgentInstallation,
  findDisabledHooks,
  hookAddition,
  hookCommand,
  type InstallScope,
  joinPath,
  type Machine,
  serverAddition,
  serverEntry,
} from '../installation.ts';

/** In seconds. */
const TIMEOUT = 10;

/** Hooks and the MCP server go into Qwen Code's settings. */
export const qwenInstallation: AgentInstallation = {
  commands: ['qwen'],
  tested: { package: '@qwen-code/qwen-code', version: '0.24.4' },
  traces: (machine) => [configFolder(machine)],
  targets(machine, scope) {
    const command = hookCommand(machine, scope, ['qwen']);
    return [
      {
        kind: 'json',
        path: settingsFile(machine, scope),
        additions: [
          ...Object.keys(CLAUDE_EVENTS).map((event) =>
            hookAddition(event, { hooks: [{ type: 'command', name: 'yore', command, timeout: TIMEOUT }] }),
          ),
          serverAddition('mcpServers', serverEntry(machine, scope)),
        ],
      },
    ];
  },
  findObstacle: ({ read, machine }) => findDisabledHooks(read, settingsFile(machine, { kind: 'user' })),
};

function configFolder(machine: Machine): string {
  return machine.env.QWEN_HOME || joinPath(machine, machine.userHome, '.qwen');
}

function settingsFile(machine: Machine, scope: InstallScope): string {
  const folder = scope.kind === 'user' ? configFolder(machine) : joinPath(machine, scope.root, '.qwen');
  return joinPath(machine, folder, 'settings.json');
}
