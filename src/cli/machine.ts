import { readFileSync } from 'node:fs';
import { basename, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TranscriptLocations } from '../agents/transcript/transcript.ts';
import type { Machine } from '../install/index.ts';
import { type Home, homeFolder, userHomeFolder } from '../project/index.ts';
import { parseObject } from '../record/object.ts';
import type { CommandContext } from './command.ts';

/** The facts about this machine that decide where agents keep their settings. */
export function getMachine({ homeOption, env }: CommandContext): Machine {
  return { userHome: userHomeFolder(), yoreHome: homeFolder(homeOption, env), env, platform: process.platform };
}

/** Where agents keep transcripts on this machine, including the folders of known projects. */
export function getMachinePlaces({ env, cwd }: CommandContext, home: Home): TranscriptLocations {
  const projects = new Set([...home.projects().map(({ projectPath }) => projectPath), cwd]);
  return { home: userHomeFolder(), env, platform: process.platform, projects: [...projects] };
}

/** The path of a file in the built package, such as `dist/hook/main.cjs`. The package is two folders up from the bundle. */
export function packageFile(name: string): string {
  return fileURLToPath(new URL(`../../${name}`, import.meta.url));
}

/** A path with `~` for the user's home folder. */
export function shortenPath(path: string): string {
  const home = userHomeFolder();
  const isInside = path.startsWith(home) && /^[/\\]/.test(path.slice(home.length));
  return isInside ? `~${path.slice(home.length)}` : path;
}

/** The version of the package. */
export function readVersion(): string {
  const file = new URL('../../package.json', import.meta.url);
  return String(parseObject(readFileSync(file, 'utf8'))?.version ?? 'unknown');
}

/** How the user can start yore here: `yore`, or the script if it was started from a checkout. */
export function yoreCommand(cwd: string, script: string = process.argv[1] ?? ''): string {
  const isInstalled = basename(script) !== 'main.cjs' || script.split(sep).includes('node_modules');
  return isInstalled ? 'yore' : `node ${relative(cwd, script)}`;
}
