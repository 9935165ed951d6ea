import { existsSync, realpathSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import type { FileProblem } from './read-text-file.ts';

const DRIVE = /^[A-Za-z]:/;
const UNC = /^\\\\/;
/** Windows drops dots and spaces at the end of a name, so that `.. ` and `...` mean a folder above, too. */
const ONLY_DOTS_AND_SPACES = /^[. ]*$/;

/** A path that may be used, relative to the root, or why it may not. */
export type ProjectPath = { readonly path: string } | FileProblem;

/**
 * The name under which a file is kept: relative to the root (an absolute path), with slashes, none at its ends. A path inside the root may be
 * given as an absolute one. Nothing is decoded: `%2e%2e` is a name like any other. Looks at the disk only for a path with
 * a leading slash that is not inside the root.
 */
export function projectPath(given: string, root: string | undefined): ProjectPath {
  if (given.includes('\0')) return problem(given, 'bad-path', 'The path holds a NUL character');
  const inRoot = root === undefined ? undefined : insideRoot(given, root);
  if (inRoot === undefined && (DRIVE.test(given) || UNC.test(given))) return outside(given);
  const segments = segmentsOf(inRoot ?? given);
  if (segments.some((segment) => ONLY_DOTS_AND_SPACES.test(segment))) return outside(given);
  const path = segments.join('/');
  if (path === '') return problem(given, 'bad-path', 'The path names no file');
  const isAbsoluteElsewhere = root !== undefined && inRoot === undefined && /^[\\/]/.test(given);
  if (isAbsoluteElsewhere && !isMeantFromRoot(root, path)) return outside(given);
  return { path };
}

/** The name under which a file would be kept, for looking it up: without the checks, as nothing is read by it. */
export function lookupPath(given: string, root: string | undefined): string {
  return segmentsOf((root === undefined ? undefined : insideRoot(given, root)) ?? given).join('/');
}

/** Is a path the folder itself or below it? Both are real paths. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (!isAbsolute(way) && way !== '..' && !/^\.\.[\\/]/.test(way));
}

/** The way from the root to an absolute path below it, the root written as given or as it really is. */
function insideRoot(given: string, root: string): string | undefined {
  const path = given.replaceAll('\\', '/');
  if (!isAbsolute(path) || path.split('/').includes('..')) return undefined;
  for (const folder of [root, realRoot(root)]) {
    if (folder !== undefined && isWithin(folder, path)) return relative(folder, path);
  }
  return undefined;
}

function realRoot(root: string): string | undefined {
  try {
    return realpathSync.native(root);
  } catch {
    return undefined;
  }
}

/**
 * `/src/main.ts` is a common way to write a path of the project, and `/etc/hosts` is none: it is meant from the root when
 * it exists there, or when this machine has no such top folder at all.
 */
function isMeantFromRoot(root: string, path: string): boolean {
  const top = path.split('/')[0] ?? '';
  return existsSync(join(root, path)) || !existsSync(join('/', top));
}

function segmentsOf(path: string): string[] {
  return path.split(/[\\/]/).filter((segment) => segment !== '' && segment !== '.');
}

function outside(given: string): FileProblem {
  return problem(given, 'outside', 'The path leaves the project');
}

function problem(path: string, reason: FileProblem['reason'], what: string): FileProblem {
  const shown = JSON.stringify(path.slice(0, 200));
  return {
    path,
    reason,
    message: `${what}: ${shown}. Give a path below the project's folder, relative to it.`,
  };
}
