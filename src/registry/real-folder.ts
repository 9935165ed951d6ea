import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { YoreError } from '../record/index.ts';

/**
 * The one spelling of a folder: absolute, links resolved, letters as the file system has them, drive letter in
 * upper case. Of a folder that is gone, as much as is still there. Throws USAGE for a file.
 */
export function realFolder(folder: string): string {
  const path = resolve(folder);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === false) {
    throw new YoreError('USAGE', `${path} is a file. Name the folder of a project instead.`);
  }
  return upperDrive(realPart(path));
}

/** `folder` and every folder above it, nearest first. */
export function* upwards(folder: string): Generator<string> {
  for (let current = folder; ; current = dirname(current)) {
    yield current;
    if (dirname(current) === current) return;
  }
}

function realPart(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPart(parent), basename(path));
  }
}

/** Windows takes both cases for the same drive. */
function upperDrive(path: string): string {
  return /^[a-z]:[\\/]/.test(path) ? `${path.charAt(0).toUpperCase()}${path.slice(1)}` : path;
}
