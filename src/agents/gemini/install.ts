import {
  type AgentInstallation,
  hookAddition,
  hookCommand,
  type JsonValue,
  joinPath,
  type Machine,
  type Scope,
  SIGNATURE,
  serverAddition,
  serverEntry,
  type Target,
} from '../installation.ts';
import { EVENTS } from './hooks.ts';

const TIMEOUT_MS = 10_000;

/** An extension for the user; for a project the settings file, because Gemini CLI looks for no extensions there. */
export const geminiInstallation: AgentInstallation = {
  commands: ['gemini'],
  traces: (machine) => [configFolder(machine)],
  targets: (machine, scope) =>
    scope.kind === 'user'
      ? extensionFiles(machine, scope)
      : [projectSettings(machine, scope, joinPath(machine, scope.root, '.gemini', 'settings.json'))],
};

function configFolder(machine: Machine): string {
  return joinPath(machine, machine.env.GEMINI_CLI_HOME || machine.userHome, '.gemini');
}

function extensionFiles(machine: Machine, scope: Scope): readonly Target[] {
  const folder = joinPath(machine, configFolder(machine), 'extensions', 'yore');
  const manifest = {
    name: 'yore',
    version: '1.0.0',
    description: `Memory of what was tried, failed and worked. ${SIGNATURE}.`,
    mcpServers: { yore: serverEntry(machine, scope) },
  };
  const hooks = Object.fromEntries(Object.keys(EVENTS).map((event) => [event, [buildHookGroup(machine, scope)]]));
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

function projectSettings(machine: Machine, scope: Scope, path: string): Target {
  return {
    kind: 'json',
    path,
    additions: [
      ...Object.keys(EVENTS).map((event) => hookAddition(event, buildHookGroup(machine, scope))),
      serverAddition('mcpServers', serverEntry(machine, scope)),
    ],
  };
}

function buildHookGroup(machine: Machine, scope: Scope): JsonValue {
  const command = hookCommand(machine, scope, ['gemini']);
  return { hooks: [{ name: 'yore', type: 'command', command, timeout: TIMEOUT_MS }] };
}
