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
import { asFields } from '../transcript/fields.ts';

/** In seconds. A disk that hangs must not hang the agent. */
const TIMEOUT = 10;

/** Hooks go into Claude Code's settings, the MCP server into `.claude.json` or, for a project, `.mcp.json`. */
export const claudeCodeInstallation: AgentInstallation = {
  commands: ['claude'],
  tested: { package: '@anthropic-ai/claude-code', version: '2.1.325' },
  traces: (machine) => [configFolder(machine)],
  targets(machine, scope) {
    const command = hookCommand(machine, scope, ['claude-code']);
    return [
      {
        kind: 'json',
        path: settingsFile(machine, scope),
        additions: Object.keys(CLAUDE_EVENTS).map((event) =>
          hookAddition(event, { hooks: [{ type: 'command', command, timeout: TIMEOUT }] }),
        ),
      },
      {
        kind: 'json',
        path: serversFile(machine, scope),
        additions: [serverAddition('mcpServers', { type: 'stdio', ...serverEntry(machine, scope) })],
      },
    ];
  },
  findObstacle: ({ read, machine }) => findDisabledHooks(read, settingsFile(machine, { kind: 'user' })),
  findOtherSetup(read, machine) {
    const settings = read(settingsFile(machine, { kind: 'user' }));
    const plugins = Object.entries(asFields(settings?.enabledPlugins) ?? {});
    const isEnabled = plugins.some(([key, value]) => key.startsWith('yore@') && value === true);
    return isEnabled ? 'The yore plugin is enabled in Claude Code and already does this.' : undefined;
  },
};

function configFolder(machine: Machine): string {
  return machine.env.CLAUDE_CONFIG_DIR || joinPath(machine, machine.userHome, '.claude');
}

function settingsFile(machine: Machine, scope: InstallScope): string {
  return scope.kind === 'user'
    ? joinPath(machine, configFolder(machine), 'settings.json')
    : joinPath(machine, scope.root, '.claude', 'settings.json');
}

function serversFile(machine: Machine, scope: InstallScope): string {
  if (scope.kind === 'project') return joinPath(machine, scope.root, '.mcp.json');
  return joinPath(machine, machine.env.CLAUDE_CONFIG_DIR || machine.userHome, '.claude.json');
}
