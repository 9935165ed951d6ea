import type { AgentUnit } from '../agent-unit.ts';
import { hookCommand, joinPath, serverCommand } from '../machine.ts';
import { hookAddition, serverAddition } from '../target.ts';

const EVENTS = [
  'sessionStart',
  'beforeSubmitPrompt',
  'beforeShellExecution',
  'preToolUse',
  'postToolUse',
  'postToolUseFailure',
  'stop',
  'subagentStop',
  'preCompact',
  'sessionEnd',
];

/** Cursor: hooks in `hooks.json`, the MCP server in `mcp.json`. */
export const cursorUnit: AgentUnit = {
  agent: 'cursor',
  title: 'Cursor',
  commands: ['cursor', 'cursor-agent'],
  traces: (machine) => [joinPath(machine, machine.userHome, '.cursor')],
  targets(machine, scope) {
    const root = scope.kind === 'user' ? machine.userHome : scope.root;
    const command = hookCommand(machine, scope, ['cursor']);
    const [program, ...args] = serverCommand(machine, scope);
    return [
      {
        kind: 'json',
        path: joinPath(machine, root, '.cursor', 'hooks.json'),
        additions: [
          { part: 'frame', kind: 'member', path: ['version'], value: 1 },
          ...EVENTS.map((event) => hookAddition(event, { command, timeout: 10 })),
        ],
      },
      {
        kind: 'json',
        path: joinPath(machine, root, '.cursor', 'mcp.json'),
        additions: [serverAddition('mcpServers', { command: program, args })],
      },
    ];
  },
};
