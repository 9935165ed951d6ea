import {
  type AgentInstallation,
  hookAddition,
  hookCommand,
  type InstallScope,
  type JsonValue,
  joinPath,
  type Machine,
  type ReadSettings,
  SIGNATURE,
  serverAddition,
  serverEntry,
  type Target,
} from '../installation.ts';
import { asFields } from '../transcript/fields.ts';
import { EVENTS } from './hooks.ts';

const TIMEOUT_MS = 10_000;

/** An extension for the user; for a project the settings file, because Gemini CLI looks for no extensions there. */
export const geminiInstallation: AgentInstallation = {
  commands: ['gemini'],
  tested: { package: '@google/gemini-cli', version: '0.61.0' },
  traces: (machine) => [configFolder(machine)],
  targets: (machine, scope) =>
    scope.kind === 'user'
      ? extensionFiles(machine, scope)
      : [projectSettings(machine, scope, joinPath(machine, scope.root, '.gemini', 'settings.json'))],
  nextStep: () => 'Gemini CLI runs hooks only in folders that you trust: say so when it asks.',
  findObstacle({ machine, checkout, read }) {
    const folder = configFolder(machine);
    const isUsedHere = asFields(read(joinPath(machine, folder, 'projects.json'))?.projects)?.[checkout] !== undefined;
    if (!isUsedHere || isTrusted(checkout, folder, machine, read)) return undefined;
    return `Gemini CLI does not trust ${checkout} and runs no hooks there: start it there and type /permissions.`;
  },
};

/** Whether Gemini CLI trusts a folder: the rule for the folder nearest to it counts. */
function isTrusted(checkout: string, folder: string, machine: Machine, read: ReadSettings): boolean {
  const security = asFields(read(joinPath(machine, folder, 'settings.json'))?.security);
  if (asFields(security?.folderTrust)?.enabled === false || machine.env.GEMINI_CLI_TRUST_WORKSPACE === 'true')
    return true;
  const rules = Object.entries(read(joinPath(machine, folder, 'trustedFolders.json')) ?? {})
    .map(([path, rule]) => ({ path: rule === 'TRUST_PARENT' ? joinPath(machine, path, '..') : path, rule }))
    .filter(({ path }) => checkout === path || checkout.startsWith(joinPath(machine, path, '/')));
  const nearest = rules.toSorted((one, other) => other.path.length - one.path.length)[0];
  return nearest !== undefined && nearest.rule !== 'DO_NOT_TRUST';
}

function configFolder(machine: Machine): string {
  return joinPath(machine, machine.env.GEMINI_CLI_HOME || machine.userHome, '.gemini');
}

function extensionFiles(machine: Machine, scope: InstallScope): readonly Target[] {
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

function projectSettings(machine: Machine, scope: InstallScope, path: string): Target {
  return {
    kind: 'json',
    path,
    additions: [
      ...Object.keys(EVENTS).map((event) => hookAddition(event, buildHookGroup(machine, scope))),
      serverAddition('mcpServers', serverEntry(machine, scope)),
    ],
  };
}

function buildHookGroup(machine: Machine, scope: InstallScope): JsonValue {
  const command = hookCommand(machine, scope, ['gemini']);
  return { hooks: [{ name: 'yore', type: 'command', command, timeout: TIMEOUT_MS }] };
}
