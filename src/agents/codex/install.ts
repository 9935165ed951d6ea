import {
  type AgentInstallation,
  hookAddition,
  hookCommand,
  joinPath,
  type Machine,
  serverCommand,
} from '../installation.ts';
import { EVENTS } from './hooks.ts';

/** In seconds. */
const TIMEOUT = 10;
/** Codex allows no more at the end of a session. */
const MAX_END_TIMEOUT = 3;

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
        additions: Object.keys(EVENTS).map((event) => {
          const timeout = event === 'SessionEnd' ? MAX_END_TIMEOUT : TIMEOUT;
          return hookAddition(event, { hooks: [{ type: 'command', command, timeout }] });
        }),
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
  nextStep: 'Codex runs new hooks only once you trust them: type /hooks in Codex and approve the ones of yore.',
};

function configFolder(machine: Machine): string {
  return machine.env.CODEX_HOME || joinPath(machine, machine.userHome, '.codex');
}
