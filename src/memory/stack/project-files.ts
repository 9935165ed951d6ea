import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What detection needs of a project's folder. Paths are relative to it, with `/`; `''` is the folder itself. */
export interface ProjectFiles {
  /** Names in the folder, sorted; those of folders end in `/`. Undefined when it cannot be listed. */
  list(folder: string): readonly string[] | undefined;
  /** The text of a file; undefined when there is none, or it is too large or no UTF-8. */
  read(path: string): string | undefined;
  /** When the file was last written, in epoch milliseconds; undefined when that is not known. */
  modified?(path: string): number | undefined;
}

/** Larger files are not read: no manifest written by hand is that long. */
const MAX_FILE_SIZE = 256 * 1024;
/** More names than that are not looked at: a folder of data. */
const MAX_NAMES = 2_000;
/** How many folders down the project is looked at. */
const MAX_PATH_DEPTH = 6;

/** Folders of other people's code, of build output and of material that says nothing about the project. */
const SKIPPED_FOLDERS: ReadonlySet<string> = new Set([
  ...['node_modules', 'bower_components', 'vendor', 'third_party', 'external', 'Pods', 'Carthage', 'deps'],
  ...[
    '.git',
    '.hg',
    '.svn',
    '.jj',
    'target',
    'dist',
    'build',
    'out',
    'obj',
    '_build',
    '.build',
    'DerivedData',
  ],
  ...['.venv', 'venv', 'env', '__pycache__', 'site-packages', '.tox', '.nox', '.eggs', '.gradle', '.idea'],
  ...['.next', '.nuxt', '.svelte-kit', '.turbo', '.nx', '.cache', '.yarn', '.pnpm-store', 'coverage', 'tmp'],
  ...[
    'fixtures',
    '__fixtures__',
    'testdata',
    'test-data',
    'templates',
    '__snapshots__',
    'node-compile-cache',
  ],
  ...['example', 'examples', 'sample', 'samples', 'playground', 'playgrounds', 'cmake-build-debug'],
]);

/**
 * The files under `root`, read when asked for. Never throws. Symbolic links are not followed, so that nothing
 * outside of the project is read and no loop is walked; pipes and devices are not opened for reading.
 */
export function projectFiles(root: string): ProjectFiles {
  return {
    list: (folder) => (isInside(folder) ? listFolder(join(root, folder)) : undefined),
    read: (path) => (isInside(path) ? readText(join(root, path)) : undefined),
    modified: (path) => (isInside(path) ? modifiedAt(join(root, path)) : undefined),
  };
}

function isInside(path: string): boolean {
  if (path === '') return true;
  if (path.startsWith('/') || path.includes('\0') || /^[A-Za-z]:/.test(path)) return false;
  const parts = path.split(/[/\\]/);
  return parts.length <= MAX_PATH_DEPTH + 1 && !parts.includes('..');
}

function listFolder(folder: string): readonly string[] | undefined {
  try {
    const names: string[] = [];
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isFile()) names.push(entry.name);
      else if (entry.isDirectory() && !SKIPPED_FOLDERS.has(entry.name)) names.push(`${entry.name}/`);
    }
    return names.sort().slice(0, MAX_NAMES);
  } catch {
    return undefined;
  }
}

/** Non-blocking, since a pipe would wait for its writer. Windows has neither flag. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

function readText(path: string): string | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, OPEN_FLAGS);
    const stats = fstatSync(descriptor);
    if (!stats.isFile() || stats.size > MAX_FILE_SIZE) return undefined;
    const buffer = Buffer.alloc(stats.size);
    const length = readSync(descriptor, buffer, 0, stats.size, 0);
    return new TextDecoder('utf-8', { fatal: true }).decode(buffer.subarray(0, length));
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function modifiedAt(path: string): number | undefined {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return undefined;
  }
}
