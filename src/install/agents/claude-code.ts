import type { AgentUnit } from '../agent-unit.ts';
import { hookCommand, joinPath, type Machine, type Scope, serverCommand } from '../machine.ts';
import { hookAddition, serverAddition, type Target } from '../target.ts';
import { memberOf, parseJsonText } from '../text/json-nodes.ts';

const EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'Stop',
  'StopFailure',
  'SubagentStop',
  'PreCompact',
  'PostCompact',
  'SessionEnd',
];

/** Seconds: a disk that hangs must not hang the agent. */
const TIMEOUT = 10;

/** Claude Code: hooks in its settings, the MCP server in `.claude.json` or, for a project, in `.mcp.json`. */
export const claudeCodeUnit: AgentUnit = {
  agent: 'claude-code',
  title: 'Claude Code',
  commands: ['claude'],
  traces: (machine) => [configFolder(machine)],
  targets(machine, scope): readonly Target[] {
    const command = hookCommand(machine, scope, ['claude-code']);
    return [
      {
        kind: 'json',
        path: settingsFile(machine, scope),
        additions: EVENTS.map((event) =>
          hookAddition(event, { hooks: [{ type: 'command', command, timeout: TIMEOUT }] }),
        ),
      },
      { kind: 'json', path: serversFile(machine, scope), additions: [server(machine, scope)] },
    ];
  },
  obstacle(read, machine) {
    const path = settingsFile(machine, { kind: 'user' });
    const text = read(path);
    if (text === undefined || !text.includes('disableAllHooks')) return undefined;
    const value = memberOf(parseJsonText(text), 'disableAllHooks')?.value;
    const isOff = value?.kind === 'scalar' && value.value === true;
    return isOff ? `"disableAllHooks" in ${path} switches all hooks off. Take it out.` : undefined;
  },
  coveredBy(read, machine) {
    const text = read(settingsFile(machine, { kind: 'user' }));
    if (text === undefined || !text.includes('yore@')) return undefined;
    const plugins = memberOf(parseJsonText(text), 'enabledPlugins')?.value;
    const isOn =
      plugins?.kind === 'object' &&
      plugins.members.some(
        ({ key, value }) => key.startsWith('yore@') && value.kind === 'scalar' && value.value === true,
      );
    return isOn ? 'The yore plugin is enabled in Claude Code and does this already.' : undefined;
  },
};

function server(machine: Machine, scope: Scope) {
  const [command, ...args] = serverCommand(machine, scope);
  return serverAddition('mcpServers', { type: 'stdio', command, args });
}

function configFolder(machine: Machine): string {
  return machine.env.CLAUDE_CONFIG_DIR || joinPath(machine, machine.userHome, '.claude');
}

function settingsFile(machine: Machine, scope: Scope): string {
  return scope.kind === 'user'
    ? joinPath(machine, configFolder(machine), 'settings.json')
    : joinPath(machine, scope.root, '.claude', 'settings.json');
}

function serversFile(machine: Machine, scope: Scope): string {
  if (scope.kind === 'project') return joinPath(machine, scope.root, '.mcp.json');
  return joinPath(machine, machine.env.CLAUDE_CONFIG_DIR || machine.userHome, '.claude.json');
}
