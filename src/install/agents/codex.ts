import type { AgentUnit } from '../agent-unit.ts';
import { hookCommand, joinPath, serverCommand } from '../machine.ts';
import { hookAddition } from '../target.ts';

/** Events with the seconds that they may take; Codex allows the end of a session three at most. */
const EVENTS: readonly (readonly [event: string, timeout: number])[] = [
  ['SessionStart', 10],
  ['UserPromptSubmit', 10],
  ['PreToolUse', 10],
  ['PostToolUse', 10],
  ['Stop', 10],
  ['SubagentStop', 10],
  ['PreCompact', 10],
  ['PostCompact', 10],
  ['SessionEnd', 3],
];

/** Codex: hooks in `hooks.json`, the MCP server as a table in `config.toml`. */
export const codexUnit: AgentUnit = {
  agent: 'codex',
  title: 'Codex',
  commands: ['codex'],
  traces: (machine) => [machine.env.CODEX_HOME || joinPath(machine, machine.userHome, '.codex')],
  targets(machine, scope) {
    const folder =
      scope.kind === 'user'
        ? machine.env.CODEX_HOME || joinPath(machine, machine.userHome, '.codex')
        : joinPath(machine, scope.root, '.codex');
    const command = hookCommand(machine, scope, ['codex']);
    const [program, ...args] = serverCommand(machine, scope);
    return [
      {
        kind: 'json',
        path: joinPath(machine, folder, 'hooks.json'),
        additions: EVENTS.map(([event, timeout]) =>
          hookAddition(event, { hooks: [{ type: 'command', command, timeout }] }),
        ),
      },
      {
        kind: 'toml',
        path: joinPath(machine, folder, 'config.toml'),
        part: 'mcp',
        table: ['mcp_servers', 'yore'],
        lines: [`command = ${JSON.stringify(program)}`, `args = ${JSON.stringify(args)}`],
      },
    ];
  },
  next: 'Codex runs new hooks only when you trust them: type /hooks in Codex and confirm the ones of yore.',
};
