import { posix, win32 } from 'node:path';
import type { JsonObject } from '../record/object.ts';

/** What decides where an agent keeps its settings and how it calls yore. */
export interface Machine {
  /** The user's home folder. */
  readonly userHome: string;
  /** yore's home. */
  readonly yoreHome: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}

/** Whom an installation is for: the user everywhere, or everybody who works in one checkout. */
export type InstallScope = { readonly kind: 'user' } | { readonly kind: 'project'; readonly root: string };

/** How yore is installed into one agent. */
export interface AgentInstallation {
  /** The agent's program names on the `PATH`. */
  readonly commands: readonly string[];
  /** Set when other programs share that name, so that only its files show that the agent is installed. */
  readonly hasCommonName?: true;
  /** Its npm package, and the newest version that yore was tested with; see `npm run test:agents`. */
  readonly tested?: { readonly package: string; readonly version: string };
  /** Files or folders that exist once the agent has been used. */
  traces(machine: Machine): readonly string[];
  /** The files to create or change; none where nothing can be installed. */
  targets(machine: Machine, scope: InstallScope): readonly Target[];
  /** What the user has to do before hooks run; a sentence. */
  nextStep?(scope: InstallScope): string | undefined;
  /** Why hooks or MCP cannot be installed; a sentence. */
  readonly limitation?: string;
  /** Why the agent does not run the hooks that are installed, as far as its own files show it; a sentence. */
  findObstacle?(context: ObstacleContext): string | undefined;
  /** What else already provides hooks and MCP, such as a plugin; a sentence. */
  findOtherSetup?(read: ReadSettings, machine: Machine): string | undefined;
}

/** Parses a JSON settings file, comments allowed; undefined when there is none. */
export type ReadSettings = (path: string) => JsonObject | undefined;

/** What {@link AgentInstallation.findObstacle} looks at. */
export interface ObstacleContext {
  readonly machine: Machine;
  /** Whom the hooks are installed for. */
  readonly scope: InstallScope;
  /** The root of the checkout in which the agent would run. */
  readonly checkout: string;
  /** Whether hooks have run as long as the agent did, so that what its files say cannot be all. Default false. */
  readonly isHeard?: boolean;
  readonly read: ReadSettings;
}

/** A file that `yore init` creates or changes. */
export type Target = JsonTarget | TomlTarget | OwnTarget;

/** A JSON file, comments allowed, that gets additions. */
export interface JsonTarget {
  readonly kind: 'json';
  readonly path: string;
  readonly additions: readonly SettingsAddition[];
  /** Files that are used in its place when they exist. */
  readonly alternatives?: readonly string[];
  /** The file is left alone unless this folder exists. */
  readonly requiredFolder?: string;
}

/** A TOML file that gets one table, at its end. */
export interface TomlTarget {
  readonly kind: 'toml';
  readonly path: string;
  readonly part: Part;
  readonly table: readonly string[];
  readonly lines: readonly string[];
}

/** A file that belongs to yore as a whole. */
export interface OwnTarget {
  readonly kind: 'own';
  readonly path: string;
  readonly parts: readonly Part[];
  readonly text: string;
}

/** What a change is for. `format`: what the file itself requires, such as the version of its format. */
export type Part = 'hooks' | 'mcp' | 'format';

/** A value that is added to a JSON file. */
export type JsonValue = string | number | boolean | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** `member`: the key at the end of `path` gets the value. `element`: the list at `path` gets one more item. */
export interface JsonAddition {
  readonly kind: 'member' | 'element';
  readonly path: readonly string[];
  readonly value: JsonValue;
}

/** Something that is added to a JSON settings file. */
export interface SettingsAddition extends JsonAddition {
  readonly part: Part;
}

/** A hook for an event, in the list of that event under `hooks`. */
export function hookAddition(event: string, value: JsonValue): SettingsAddition {
  return { part: 'hooks', kind: 'element', path: ['hooks', event], value };
}

/** The MCP server, under the key where the agent keeps its servers. */
export function serverAddition(key: string, value: JsonValue): SettingsAddition {
  return { part: 'mcp', kind: 'member', path: [key, 'yore'], value };
}

/** The obstacle for agents that have the setting `disableAllHooks` in this file. */
export function findDisabledHooks(read: ReadSettings, path: string): string | undefined {
  return read(path)?.disableAllHooks === true
    ? `"disableAllHooks" in ${path} turns all hooks off. Remove it.`
    : undefined;
}

/** The file that agents call for hooks, without its extension on Windows. */
export const HOOK_FILE = 'yore-hook';

/** The file that agents start as an MCP server, without its extension on Windows. */
export const SERVER_FILE = 'yore-mcp';

/** Marks a file that belongs to yore: its first comment, or the value of a key where comments are not allowed. */
export const SIGNATURE = 'Written by `yore init`';

/** Joins parts of a path as the machine's platform does. */
export function joinPath({ platform }: Pick<Machine, 'platform'>, ...parts: readonly string[]): string {
  return platform === 'win32' ? win32.join(...parts) : posix.join(...parts);
}

/** The path of the file that agents start as an MCP server. */
export function serverFile(machine: Machine): string {
  return joinPath(machine, machine.yoreHome, 'bin', addExtension(machine, SERVER_FILE));
}

/** The path of the file that agents call for hooks. It never moves: Codex trusts a hook by its command line. */
function hookFile(machine: Machine): string {
  return joinPath(machine, machine.yoreHome, 'bin', addExtension(machine, HOOK_FILE));
}

/**
 * The command line of a hook. `words` are the agent and, where its payload does not name it, the event. It never fails,
 * not even when yore's home has been deleted. In a file that a team shares, it uses the home of whoever runs it.
 */
export function hookCommand(machine: Machine, scope: InstallScope, words: readonly string[]): string {
  const args = words.join(' ');
  if (machine.platform === 'win32') return `"${hookFile(machine).replaceAll('\\', '/')}" ${args}`;
  const file =
    scope.kind === 'project' && isDefaultHome(machine)
      ? `"$HOME/.yore/bin/${HOOK_FILE}"`
      : quoteForShell(hookFile(machine));
  return `${file} ${args} || true`;
}

/** The command that starts the MCP server, as words. In a file that a team shares, it is found on the `PATH`. */
export function serverCommand(machine: Machine, scope: InstallScope): readonly [string, ...string[]] {
  if (scope.kind === 'project') return ['yore', 'mcp'];
  // Programs cannot start a .cmd file directly.
  return machine.platform === 'win32' ? ['cmd', '/c', serverFile(machine)] : [serverFile(machine)];
}

/** How the MCP server is started, as most agents write it in their settings. */
export function serverEntry(
  machine: Machine,
  scope: InstallScope,
): { readonly command: string; readonly args: string[] } {
  const [command, ...args] = serverCommand(machine, scope);
  return { command, args };
}

/**
 * The beginning of a plugin script that runs inside an agent. It defines `ask(question)`, which starts the hook and
 * resolves to its reply or to undefined, never throws and takes ten seconds at most, and `short(value)`, which truncates
 * a text. Plain JavaScript without packages, because every agent can load that.
 */
export function buildPluginPreamble(machine: Machine, scope: InstallScope, agent: string): string {
  const isShared = scope.kind === 'project' && isDefaultHome(machine);
  const file = isShared
    ? `join(homedir() || userInfo().homedir, '.yore', 'bin', process.platform === 'win32' ? 'yore-hook.cmd' : 'yore-hook')`
    : JSON.stringify(hookFile(machine));
  return `// ${SIGNATURE}; \`yore init --uninstall\` removes it.
import { spawn } from 'node:child_process';
${isShared ? "import { homedir, userInfo } from 'node:os';\nimport { join } from 'node:path';\n" : ''}
const FILE = ${file};
const TIMEOUT_MS = 10_000;
const MAX_TEXT_LENGTH = 1_000_000;

function ask(question) {
  return new Promise((resolve) => {
    let isOver = false;
    const end = (answer) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      resolve(answer);
    };
    let child;
    const timer = setTimeout(() => {
      child?.kill();
      end();
    }, TIMEOUT_MS);
    try {
      const stdio = ['pipe', 'pipe', 'ignore'];
      child =
        process.platform === 'win32'
          ? spawn('"' + FILE + '" ${agent}', { stdio, shell: true, windowsHide: true })
          : spawn(FILE, ['${agent}'], { stdio });
      let text = '';
      child.on('error', () => end());
      child.stdin.on('error', () => {});
      child.stdout.setEncoding('utf8');
      child.stdout.on('data', (part) => {
        if (text.length < MAX_TEXT_LENGTH) text += part;
      });
      child.on('close', () => end(parse(text)));
      child.stdin.end(JSON.stringify(question));
    } catch {
      end();
    }
  });
}

function parse(text) {
  try {
    const answer = JSON.parse(text);
    return typeof answer === 'object' && answer !== null ? answer : undefined;
  } catch {
    return undefined;
  }
}

function short(value) {
  return typeof value === 'string' ? value.slice(0, MAX_TEXT_LENGTH) : undefined;
}
`;
}

function isDefaultHome(machine: Machine): boolean {
  return machine.yoreHome === joinPath(machine, machine.userHome, '.yore');
}

function addExtension({ platform }: Machine, name: string): string {
  return platform === 'win32' ? `${name}.cmd` : name;
}

function quoteForShell(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
