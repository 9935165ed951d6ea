import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

/** The path of a file of the build that an adapter measures: that of `--dist DIR`, by default `dist`. */
export function builtPath(path) {
  const { values } = parseArgs({
    options: { dist: { type: 'string', default: fileURLToPath(new URL('../dist', import.meta.url)) } },
    strict: false,
  });
  return resolve(String(values.dist), path);
}

/** Imports a module of the same build. */
export async function loadBuilt(path) {
  return await import(pathToFileURL(builtPath(path)).href);
}
