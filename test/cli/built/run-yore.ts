import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../temp-folder.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');

/** The built CLI, as it is installed. */
export const MAIN: string = join(root, JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).bin.yore);

/** How a process ended and what it said. */
export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A home and a project folder of their own for one test. */
export interface Place {
  readonly folder: string;
  readonly home: string;
  readonly cwd: string;
}

/** What differs from one run to the next. */
export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly input?: string | Buffer;
}

/** New folders, by default for one test. The home does not exist yet. */
export function createPlace(folder: string = temporaryFolder()): Place {
  const cwd = join(folder, 'my-app');
  mkdirSync(cwd);
  return { folder, home: join(folder, 'home'), cwd };
}

/** The environment of a process: nothing of the one the tests run in. */
export function environment(place: Place, more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: place.folder, YORE_HOME: place.home, ...more };
}

/** Starts the built CLI and waits for it. */
export function yore(place: Place, args: readonly string[], options: RunOptions = {}): Ran {
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [MAIN, ...args], {
    cwd: options.cwd ?? place.cwd,
    env: environment(place, options.env),
    input: options.input ?? '',
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error) throw error;
  return { code: status, stdout, stderr };
}

/** Starts a command that must succeed and reads its JSON. */
export function yoreJson(place: Place, args: readonly string[], options: RunOptions = {}): unknown {
  const ran = yore(place, [...args, '--json'], options);
  if (ran.code !== 0) throw new Error(`yore ${args.join(' ')} ended with ${ran.code}: ${ran.stderr}`);
  return JSON.parse(ran.stdout);
}
