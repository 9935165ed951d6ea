// Builds dist/ unless it is newer than everything that it is made from.
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const FOLDERS = ['src', 'web', 'scripts'];
const FILES = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];

/** Returns whether dist/ is now up to date: false if the build failed. */
export function buildIfChanged() {
  // A folder changes when a file in it is deleted.
  const inside = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  const newest = Math.max(...[...FOLDERS, ...FILES, ...inside].map(changedAt));
  if (newest < changedAt(join('dist', 'cli', 'main.cjs'))) return true;
  console.log('Building…');
  return spawnSync(process.execPath, [join(root, 'scripts', 'build.mjs')], { stdio: 'inherit' }).status === 0;
}

function changedAt(file) {
  return statSync(join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exit(buildIfChanged() ? 0 : 1);
