import {
  type AgentInstallation,
  hookAddition,
  hookCommand,
  joinPath,
  serverAddition,
  serverEntry,
} from '../installation.ts';
import { EVENTS } from './hooks.ts';

/** Hooks go into `hooks.json`, the MCP server into `mcp.json`. */
export const cursorInstallation: AgentInstallation = {
  commands: ['cursor', 'cursor-agent'],
  traces: (machine) => [joinPath(machine, machine.userHome, '.cursor')],
  targets(machine, scope) {
    const root = scope.kind === 'user' ? machine.userHome : scope.root;
    const command = hookCommand(machine, scope, ['cursor']);
    return [
      {
        kind: 'json',
        path: joinPath(machine, root, '.cursor', 'hooks.json'),
        additions: [
          { part: 'format', kind: 'member', path: ['version'], value: 1 },
          ...Object.keys(EVENTS).map((event) => hookAddition(event, { command, timeout: 10 })),
        ],
      },
      {
        kind: 'json',
        path: joinPath(machine, root, '.cursor', 'mcp.json'),
        additions: [serverAddition('mcpServers', serverEntry(machine, scope))],
      },
    ];
  },
};
