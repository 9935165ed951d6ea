import { posix, win32 } from 'node:path';
import { HOOK_FILE, SERVER_FILE } from './ours.ts';

/** What decides where an agent keeps its files and how it calls yore. */
export interface Machine {
  /** The user's home folder. */
  readonly userHome: string;
  /** yore's home. */
  readonly yoreHome: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}

/** Whom a change is for: the user everywhere, or everybody in one checkout. */
export type Scope = { readonly kind: 'user' } | { readonly kind: 'project'; readonly root: string };

/** Joins parts of a path as the platform does. */
export function joinPath({ platform }: Pick<Machine, 'platform'>, ...parts: readonly string[]): string {
  return platform === 'win32' ? win32.join(...parts) : posix.join(...parts);
}

/** The file that agents call for hooks. It never moves: Codex trusts a hook by its command line. */
export function hookFile(machine: Machine): string {
  return joinPath(machine, machine.yoreHome, 'bin', withEnding(machine, HOOK_FILE));
}

/** The file that agents start as an MCP server. */
export function serverFile(machine: Machine): string {
  return joinPath(machine, machine.yoreHome, 'bin', withEnding(machine, SERVER_FILE));
}

/**
 * The command line of a hook. `words` are the agent and, where its payload does not name it, the event. It never fails:
 * not even when yore's home was deleted may it be in the agent's way. In a file that a team shares, the home is that of
 * whoever runs it.
 */
export function hookCommand(machine: Machine, scope: Scope, words: readonly string[]): string {
  const args = words.join(' ');
  if (machine.platform === 'win32') return `"${hookFile(machine).replaceAll('\\', '/')}" ${args}`;
  const file =
    scope.kind === 'project' && isDefaultHome(machine)
      ? `"$HOME/.yore/bin/${HOOK_FILE}"`
      : quoted(hookFile(machine));
  return `${file} ${args} || true`;
}

/** The words of the command that starts the MCP server. In a file that a team shares it is found on the PATH. */
export function serverCommand(machine: Machine, scope: Scope): readonly [string, ...string[]] {
  if (scope.kind === 'project') return ['yore', 'mcp'];
  // Programs cannot start a .cmd file on their own.
  return machine.platform === 'win32' ? ['cmd', '/c', serverFile(machine)] : [serverFile(machine)];
}

/** Whether yore's home is where it is for everybody who did not move it. */
export function isDefaultHome(machine: Machine): boolean {
  return machine.yoreHome === joinPath(machine, machine.userHome, '.yore');
}

function withEnding({ platform }: Machine, name: string): string {
  return platform === 'win32' ? `${name}.cmd` : name;
}

function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
