import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { shimPath, writeShim } from '../../src/hook/shim.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The built hook, which the shim starts. */
export const HOOK: string = join(root, 'dist', 'hook', 'main.cjs');

/** How a hook ended. */
export interface Hooked {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Writes the shim of a home, as `yore init` does. */
export function installShim(home: string): void {
  writeShim(home, { node: process.execPath, script: HOOK });
}

/** The environment of an agent: nothing of the one the tests run in. */
export function agentEnvironment(userHome: string): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: userHome, TMPDIR: userHome };
}

/** Calls the hook through the shim, as an agent does. */
export function callHook(
  home: string,
  args: readonly string[],
  payload: string,
  userHome: string = join(home, '..'),
): Hooked {
  const { status, stdout, stderr } = spawnSync(shimPath(home, process.platform), args, {
    input: payload,
    encoding: 'utf8',
    env: agentEnvironment(userHome),
    maxBuffer: 64 * 1024 * 1024,
  });
  return { code: status, stdout, stderr };
}

/** Starts the hook itself, without the shim. Its standard input stays open. */
export function startHook(
  home: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): { readonly child: ChildProcess; readonly ended: Promise<Hooked> } {
  const child = spawn(process.execPath, [HOOK, ...args], {
    env: { ...agentEnvironment(join(home, '..')), YORE_HOME: home, ...env },
  });
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (said.stdout += chunk));
  child.stderr.on('data', (chunk) => (said.stderr += chunk));
  child.stdin.on('error', () => {});
  const ended = new Promise<Hooked>((resolve) => child.on('close', (code) => resolve({ code, ...said })));
  return { child, ended };
}
