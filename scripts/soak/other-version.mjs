// A second version of yore, which reads and writes the same home: a copy of dist/ whose store has another version, so that
// each of the two has a store of its own.
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleHook } from '../bundle-hook.mjs';

const VERSION = /\b(SCHEMA_VERSION(?:\$\d+)?\s?=\s?)(\d+)\b/;
const BUNDLES = ['cli/yore.cjs', 'cli/import-worker.cjs', 'cli/server-worker.cjs'];
/** Differs from any version that exists. */
const RAISE = 70;

/** Builds the other version of a package in an empty folder. */
export async function buildOtherVersion(source, folder) {
  const dist = join(folder, 'dist');
  mkdirSync(folder, { recursive: true });
  cpSync(join(source, 'dist'), dist, { recursive: true });
  symlinkSync(join(source, 'node_modules'), join(folder, 'node_modules'));
  const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, version: '99.0.0' }));
  for (const module of ['store/store-files.js', ...BUNDLES]) raiseVersion(join(dist, module));
  // Compiled from the code before it was changed.
  rmSync(join(dist, 'cli', 'yore.cache'), { force: true });
  await bundleHook(dist);
  return folder;
}

function raiseVersion(path) {
  const code = readFileSync(path, 'utf8');
  if (!VERSION.test(code)) throw new Error(`no version of the store in ${path}`);
  writeFileSync(
    path,
    code.replace(VERSION, (_, name, version) => `${name}${Number(version) + RAISE}`),
  );
}
