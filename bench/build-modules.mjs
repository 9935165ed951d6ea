import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

/** Imports a module of the build that an adapter measures: that of `--dist DIR`, by default `dist`. */
export async function loadBuilt(path) {
  const { values } = parseArgs({
    options: { dist: { type: 'string', default: fileURLToPath(new URL('../dist', import.meta.url)) } },
  });
  return await import(pathToFileURL(resolve(values.dist, path)).href);
}
