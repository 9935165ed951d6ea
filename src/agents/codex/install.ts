import {
  type AgentInstallation,
  hookAddition,
  hookCommand,
  joinPath,
  type Machine,
  serverCommand,
} from '../installation.ts';

/** Events with their timeouts in seconds; Codex allows three at most at the end of a session. */
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

/** Hooks go into `hooks.json`, the MCP server into a table of `config.toml`. */
export const codexInstallation: AgentInstallation = {
  commands: ['codex'],
  traces: (machine) => [configFolder(machine)],
  targets(machine, scope) {
    const folder = scope.kind === 'user' ? configFolder(machine) : joinPath(machine, scope.root, '.codex');
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
  nextStep:
    'Codex runs new hooks only once you trust them: type /hooks in Codex and approve the ones of yore.',
};

function configFolder(machine: Machine): string {
  return machine.env.CODEX_HOME || joinPath(machine, machine.userHome, '.codex');
}
