import { parse } from 'smol-toml';
import { tryReadText } from '../../files/index.ts';
import type { JsonObject } from '../../record/object.ts';
import {
  type AgentInstallation,
  HOOK_FILE,
  hookAddition,
  hookCommand,
  type InstallScope,
  joinPath,
  type Machine,
  serverCommand,
} from '../installation.ts';
import { asFields, asList, asObjects, type Fields } from '../transcript/fields.ts';
import { EVENTS } from './hooks.ts';

/** In seconds. */
const TIMEOUT = 10;
/** Codex allows no more at the end of a session. */
const MAX_END_TIMEOUT = 3;

/** Hooks go into `hooks.json`, the MCP server into a table of `config.toml`. */
export const codexInstallation: AgentInstallation = {
  commands: ['codex'],
  tested: { package: '@openai/codex', version: '0.166.0' },
  traces: (machine) => [configFolder(machine)],
  targets(machine, scope) {
    const command = hookCommand(machine, scope, ['codex']);
    const [program, ...args] = serverCommand(machine, scope);
    return [
      {
        kind: 'json',
        path: hooksFile(machine, scope),
        additions: Object.keys(EVENTS).map((event) => {
          const timeout = event === 'SessionEnd' ? MAX_END_TIMEOUT : TIMEOUT;
          return hookAddition(event, { hooks: [{ type: 'command', command, timeout }] });
        }),
      },
      {
        kind: 'toml',
        path: joinPath(machine, settingsFolder(machine, scope), 'config.toml'),
        part: 'mcp',
        table: ['mcp_servers', 'yore'],
        lines: [`command = ${JSON.stringify(program)}`, `args = ${JSON.stringify(args)}`],
      },
    ];
  },
  nextStep: () => `Codex runs new hooks only once you trust them: ${HOW_TO_TRUST}`,
  findObstacle({ machine, scope, read, isHeard }) {
    // Codex can be told on its command line to run hooks that are not trusted.
    if (isHeard) return undefined;
    const config = readConfig(machine);
    if (config === undefined) return undefined;
    if (scope.kind === 'project' && asFields(asFields(config.projects)?.[scope.root])?.trust_level !== 'trusted') {
      return `Codex does not trust ${scope.root} and ignores its hooks: start codex there and trust the folder.`;
    }
    const known = asFields(asFields(config.hooks)?.state);
    const file = hooksFile(machine, scope);
    const states = listHookKeys(file, read(file)).map((key) => readHookState(asFields(known?.[key])));
    if (states.includes('disabled'))
      return 'Hooks of yore are turned off in Codex: type /hooks in Codex and turn them on.';
    const untrusted = states.filter((state) => state === 'untrusted').length;
    if (untrusted === 0) return undefined;
    return `Codex does not run ${untrusted < states.length ? 'some of ' : ''}its hooks until you trust them: ${HOW_TO_TRUST}`;
  },
};

const HOW_TO_TRUST = 'type /hooks in Codex and approve the ones of yore.';

/** What `config.toml` says about a hook. Whether the hook was changed since it was trusted, only Codex can tell. */
type HookState = 'trusted' | 'untrusted' | 'disabled';

function readHookState(state: Fields | undefined): HookState {
  if (state?.enabled === false) return 'disabled';
  return state?.trusted_hash === undefined ? 'untrusted' : 'trusted';
}

/** The parsed `config.toml`; undefined when it is invalid. */
function readConfig(machine: Machine): Fields | undefined {
  try {
    return parse(tryReadText(joinPath(machine, configFolder(machine), 'config.toml')) ?? '');
  } catch {
    return undefined;
  }
}

/** The keys under which Codex remembers the hooks of yore: file, event, and their places in the lists. */
function listHookKeys(file: string, settings: JsonObject | undefined): readonly string[] {
  return Object.entries(asFields(settings?.hooks) ?? {}).flatMap(([event, groups]) =>
    asList(groups).flatMap((group, groupIndex) =>
      asObjects(asFields(group)?.hooks).flatMap(({ command }, index) =>
        String(command).includes(HOOK_FILE) ? [`${file}:${toSnakeCase(event)}:${groupIndex}:${index}`] : [],
      ),
    ),
  );
}

function toSnakeCase(event: string): string {
  return event.replace(/(?<!^)[A-Z]/g, '_$&').toLowerCase();
}

function hooksFile(machine: Machine, scope: InstallScope): string {
  return joinPath(machine, settingsFolder(machine, scope), 'hooks.json');
}

function settingsFolder(machine: Machine, scope: InstallScope): string {
  return scope.kind === 'user' ? configFolder(machine) : joinPath(machine, scope.root, '.codex');
}

function configFolder(machine: Machine): string {
  return machine.env.CODEX_HOME || joinPath(machine, machine.userHome, '.codex');
}
