import { existsSync, realpathSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';

/** Why a file was rejected, as a code for programs. */
export type FileProblemReason =
  | 'missing' // no such file
  | 'outside' // the path, or a symlink on it, leaves the root
  | 'bad-path' // not a path of a file: empty, with a NUL, the root itself
  | 'not-a-file' // a folder, a pipe, a device
  | 'binary'
  | 'too-large'
  | 'unreadable' // exists but cannot be read
  | 'no-root'; // neither a root nor the content was given

/** A file that was rejected, and why. */
export interface FileProblem {
  /** The path as it was given. */
  readonly path: string;
  readonly reason: FileProblemReason;
  /** What is wrong and what to do, for people. */
  readonly message: string;
}

const DRIVE = /^[A-Za-z]:/;
const UNC = /^\\\\/;
/** Windows drops trailing dots and spaces of a name, so that `.. ` and `...` mean the parent folder, too. */
const ONLY_DOTS_AND_SPACES = /^[. ]*$/;
const MAX_SHOWN_PATH = 200;

/**
 * Normalises a path relative to the root: forward slashes, none at its ends. An absolute path inside the root is accepted.
 * Nothing is decoded: `%2e%2e` is an ordinary name. Touches the disk only for a path with a leading slash that is not
 * inside the root.
 */
export function projectPath(given: string, root: string | undefined): { readonly path: string } | FileProblem {
  if (given.includes('\0')) return problem(given, 'bad-path', 'The path contains a NUL character');
  const inRoot = root === undefined ? undefined : relativeToRoot(given, root);
  if (inRoot === undefined && (DRIVE.test(given) || UNC.test(given))) return outside(given);
  const segments = splitPath(inRoot ?? given);
  if (segments.some((segment) => ONLY_DOTS_AND_SPACES.test(segment))) return outside(given);
  const path = segments.join('/');
  if (path === '') return problem(given, 'bad-path', 'The path does not name a file');
  const isAbsoluteElsewhere = root !== undefined && inRoot === undefined && /^[\\/]/.test(given);
  if (isAbsoluteElsewhere && !isRootRelative(root, path)) return outside(given);
  return { path };
}

/** Normalises a path for looking it up. Without the checks of {@link projectPath}, because nothing is read. */
export function lookupPath(given: string, root: string | undefined): string {
  return splitPath((root === undefined ? undefined : relativeToRoot(given, root)) ?? given).join('/');
}

/** Whether a path is the folder itself or inside it. Both must be real paths. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (!isAbsolute(way) && way !== '..' && !/^\.\.[\\/]/.test(way));
}

/** An absolute path inside the root as a relative one. The root may be written as given or as its real path. */
function relativeToRoot(given: string, root: string): string | undefined {
  const path = given.replaceAll('\\', '/');
  if (!isAbsolute(path) || path.split('/').includes('..')) return undefined;
  for (const folder of [root, realPath(root)]) {
    if (folder !== undefined && isWithin(folder, path)) return relative(folder, path);
  }
  return undefined;
}

function realPath(root: string): string | undefined {
  try {
    return realpathSync.native(root);
  } catch {
    return undefined;
  }
}

/**
 * `/src/main.ts` is a common way to write a path relative to the root, `/etc/hosts` is not: a path with a leading slash is
 * relative to the root if it exists there, or if this machine has no such top-level folder.
 */
function isRootRelative(root: string, path: string): boolean {
  const top = path.split('/')[0] ?? '';
  return existsSync(join(root, path)) || !existsSync(join('/', top));
}

function splitPath(path: string): string[] {
  return path.split(/[\\/]/).filter((segment) => segment !== '' && segment !== '.');
}

function outside(given: string): FileProblem {
  return problem(given, 'outside', 'The path is outside the project');
}

function problem(path: string, reason: FileProblemReason, what: string): FileProblem {
  const shown = JSON.stringify(path.slice(0, MAX_SHOWN_PATH));
  return {
    path,
    reason,
    message: `${what}: ${shown}. Give a path inside the project, relative to its folder.`,
  };
}
