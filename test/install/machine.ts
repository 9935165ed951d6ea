import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Machine } from '../../src/agents/installation.ts';
import { temporaryFolder } from '../temp-folder.ts';

/** A machine with a user's home of its own, removed when the test is over. */
export function createMachine(env: Readonly<Record<string, string>> = {}): Machine {
  const userHome = join(temporaryFolder(), 'ada');
  mkdirSync(userHome);
  return { userHome, yoreHome: join(userHome, '.yore'), env: { PATH: '', ...env }, platform: 'linux' };
}

/** Writes a file below a folder. */
export function put(folder: string, path: string, text: string): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

/** Every file and folder below a folder but yore's own: files with their bytes and mode. */
export function snapshot(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const found: Record<string, string> = {};
  for (const name of names) {
    const path = join(folder, name);
    if (relative(folder, path).split(/[/\\]/)[0] === '.yore') continue;
    const { mode } = lstatSync(path);
    const isFile = lstatSync(path).isFile();
    found[name] = `${(mode & 0o777).toString(8)} ${isFile ? readFileSync(path, 'base64') : ''}`;
  }
  return found;
}
