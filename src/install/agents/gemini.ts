import type { AgentUnit } from '../agent-unit.ts';
import { hookCommand, joinPath, type Machine, type Scope, serverCommand } from '../machine.ts';
import { SIGNATURE } from '../ours.ts';
import { hookAddition, serverAddition, type Target } from '../target.ts';
import type { JsonValue } from '../text/add-to-json.ts';

const EVENTS = [
  'SessionStart',
  'BeforeAgent',
  'BeforeTool',
  'AfterTool',
  'AfterAgent',
  'PreCompress',
  'SessionEnd',
];

/** Milliseconds. */
const TIMEOUT = 10_000;

/** Gemini CLI: an extension for the user; in a project its settings file, where extensions are not looked for. */
export const geminiUnit: AgentUnit = {
  agent: 'gemini',
  title: 'Gemini CLI',
  commands: ['gemini'],
  traces: (machine) => [configFolder(machine)],
  targets: (machine, scope) =>
    scope.kind === 'user' ? extension(machine, scope) : [projectSettings(machine, scope)],
};

function configFolder(machine: Machine): string {
  return joinPath(machine, machine.env.GEMINI_CLI_HOME || machine.userHome, '.gemini');
}

function extension(machine: Machine, scope: Scope): readonly Target[] {
  const folder = joinPath(machine, configFolder(machine), 'extensions', 'yore');
  const manifest = {
    name: 'yore',
    version: '1.0.0',
    description: `Memory of what was tried, failed and worked. ${SIGNATURE}.`,
    mcpServers: { yore: server(machine, scope) },
  };
  const hooks = Object.fromEntries(EVENTS.map((event) => [event, [group(machine, scope)]]));
  return [
    {
      kind: 'own',
      path: joinPath(machine, folder, 'gemini-extension.json'),
      parts: ['mcp'],
      text: `${JSON.stringify(manifest, undefined, 2)}\n`,
    },
    {
      kind: 'own',
      path: joinPath(machine, folder, 'hooks', 'hooks.json'),
      parts: ['hooks'],
      text: `${JSON.stringify({ hooks }, undefined, 2)}\n`,
    },
  ];
}

function projectSettings(machine: Machine, scope: Extract<Scope, { readonly kind: 'project' }>): Target {
  return {
    kind: 'json',
    path: joinPath(machine, scope.root, '.gemini', 'settings.json'),
    additions: [
      ...EVENTS.map((event) => hookAddition(event, group(machine, scope))),
      serverAddition('mcpServers', server(machine, scope)),
    ],
  };
}

function group(machine: Machine, scope: Scope): JsonValue {
  const command = hookCommand(machine, scope, ['gemini']);
  return { hooks: [{ name: 'yore', type: 'command', command, timeout: TIMEOUT }] };
}

function server(machine: Machine, scope: Scope): JsonValue {
  const [command, ...args] = serverCommand(machine, scope);
  return { command, args };
}
