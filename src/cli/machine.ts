import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { MachinePlaces } from '../agents/transcript/transcript-source.ts';
import type { Machine } from '../install/index.ts';
import { type Home, homeFolder } from '../project/index.ts';
import type { CommandContext } from './command.ts';

/** What decides where agents keep their settings, of the machine that this process runs on. */
export function machineOf({ homeOption, env }: CommandContext): Machine {
  return { userHome: homedir(), yoreHome: homeFolder(homeOption, env), env, platform: process.platform };
}

/** Where agents keep their transcripts, on the machine that this process runs on: some in the folders of projects. */
export function placesOf({ env, cwd }: CommandContext, home: Home): MachinePlaces {
  const projects = new Set([...home.projects().map(({ projectPath }) => projectPath), cwd]);
  return { home: homedir(), env, platform: process.platform, projects: [...projects] };
}

/** A file of the built package, such as `dist/hook/main.cjs`: from the bundle of the command line, two folders up. */
export function packageFile(name: string): string {
  return fileURLToPath(new URL(`../../${name}`, import.meta.url));
}

/** A path with `~` for the user's home, as people write it. */
export function shortPath(path: string): string {
  const home = homedir();
  const isInside = path.startsWith(home) && /^[/\\]/.test(path.slice(home.length));
  return isInside ? `~${path.slice(home.length)}` : path;
}
