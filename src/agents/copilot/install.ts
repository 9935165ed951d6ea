import {
  type AgentInstallation,
  hookCommand,
  type InstallScope,
  joinPath,
  type Machine,
  serverAddition,
  serverEntry,
} from '../installation.ts';
import { EVENTS } from './hooks.ts';

/** Hooks get a file of their own, the MCP server goes into the list of servers. */
export const copilotInstallation: AgentInstallation = {
  commands: ['copilot'],
  hasCommonName: true,
  tested: { package: '@github/copilot', version: '1.0.102' },
  traces: (machine) => [configFolder(machine)],
  targets(machine, scope) {
    const hooks = Object.fromEntries(
      Object.keys(EVENTS).map((event) => [event, [buildHandler(machine, scope, event)]]),
    );
    const inFolder = (...names: readonly string[]): string =>
      scope.kind === 'user'
        ? joinPath(machine, configFolder(machine), ...names)
        : joinPath(machine, scope.root, '.github', ...names);
    return [
      {
        kind: 'own',
        path: inFolder('hooks', 'yore.json'),
        parts: ['hooks'],
        text: `${JSON.stringify({ version: 1, hooks }, undefined, 2)}\n`,
      },
      {
        kind: 'json',
        path: inFolder(scope.kind === 'user' ? 'mcp-config.json' : 'mcp.json'),
        additions: [serverAddition('mcpServers', { type: 'local', ...serverEntry(machine, scope), tools: ['*'] })],
      },
    ];
  },
  nextStep: ({ kind }) =>
    kind === 'project'
      ? 'Copilot CLI reads the settings of a folder only once you trust it: say so when it asks, or start `copilot -p` with --trust-folder.'
      : undefined,
};

function configFolder(machine: Machine): string {
  return machine.env.COPILOT_HOME || joinPath(machine, machine.userHome, '.copilot');
}

/** Copilot's payload does not name the event, so the command line does. */
function buildHandler(machine: Machine, scope: InstallScope, event: string) {
  const command = hookCommand(machine, scope, ['copilot', event]);
  const shell = machine.platform === 'win32' ? { powershell: `& ${command}` } : { bash: command };
  return { type: 'command', ...shell, timeoutSec: 10 };
}
