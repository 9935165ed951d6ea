// A second version of yore, which reads and writes the same home: a copy of dist/ whose store and snapshots have other
// versions, so that each has a store of its own, and the two rebuild and lock snapshots that the other has written.
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleHook } from '../bundle-hook.mjs';

/** Versions of what can be rebuilt, by module. */
const VERSIONS = {
  'store/store-files.js': /\bSCHEMA_VERSION = (\d+)/,
  'memory/digest/store/snapshot.js': /\bVERSION = (\d+)/,
  'memory/recall/recall-index.js': /\bVERSION = (\d+)/,
  'memory/knowledge/knowledge-file.js': /\bKNOWLEDGE_VERSION = (\d+)/,
  'hook/start.js': /\bCACHE_VERSION = (\d+)/,
};
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
  for (const [module, pattern] of Object.entries(VERSIONS)) raiseVersion(join(dist, module), pattern);
  for (const bundle of BUNDLES) raiseInBundle(join(dist, bundle));
  // Compiled from the code before it was changed.
  rmSync(join(dist, 'cli', 'yore.cache'), { force: true });
  await bundleHook(dist);
  return folder;
}

function raiseVersion(path, pattern) {
  const code = readFileSync(path, 'utf8');
  if (!pattern.test(code)) throw new Error(`no version ${pattern} in ${path}`);
  writeFileSync(
    path,
    code.replace(pattern, (text, version) => text.replace(version, String(Number(version) + RAISE))),
  );
}

/** In a bundle, constants keep their names, some with a number behind them. Those of files that cannot be rebuilt are 1. */
function raiseInBundle(path) {
  const code = readFileSync(path, 'utf8');
  let count = 0;
  const raised = code.replace(
    /\b((?:(?:SCHEMA|KNOWLEDGE|CACHE)_VERSION|VERSION)(?:\$\d+)?)=(\d+)\b/g,
    (text, name, version) => {
      if (name.startsWith('VERSION') && version === '1') return text;
      count++;
      return `${name}=${Number(version) + RAISE}`;
    },
  );
  if (count < 4) throw new Error(`only ${count} versions in ${path}`);
  writeFileSync(path, raised);
}
