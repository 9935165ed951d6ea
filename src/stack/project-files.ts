import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Read access to a project's folder. Paths are relative to it, with `/`; `''` is the folder itself. */
export interface ProjectFiles {
  /** Sorted names in a folder; those of folders end in `/`. Undefined when it cannot be listed. */
  list(folder: string): readonly string[] | undefined;
  /** The text of a file; undefined when it is missing, too large or not UTF-8. */
  read(path: string): string | undefined;
  /** When a file was last written, in epoch milliseconds, if known. */
  modified?(path: string): number | undefined;
}

/** Larger files are not read: no handwritten manifest is that long. */
const MAX_FILE_SIZE = 256 * 1024;
/** A folder with more names contains data. */
const MAX_NAMES = 2_000;
const MAX_PATH_DEPTH = 6;

/** Folders of third-party code, build output and test data. */
const SKIPPED_FOLDERS: ReadonlySet<string> = new Set([
  ...['node_modules', 'bower_components', 'vendor', 'third_party', 'external', 'Pods', 'Carthage', 'deps'],
  ...'.git .hg .svn .jj target dist build out obj _build .build DerivedData'.split(' '),
  ...['.venv', 'venv', 'env', '__pycache__', 'site-packages', '.tox', '.nox', '.eggs', '.gradle', '.idea'],
  ...['.next', '.nuxt', '.svelte-kit', '.turbo', '.nx', '.cache', '.yarn', '.pnpm-store', 'coverage', 'tmp'],
  ...'fixtures __fixtures__ testdata test-data templates __snapshots__ node-compile-cache'.split(' '),
  ...['example', 'examples', 'sample', 'samples', 'playground', 'playgrounds', 'cmake-build-debug'],
]);

/**
 * The files under `root`, read on demand. Never throws. Symbolic links are not followed, so that nothing outside the
 * project is read and there are no loops; pipes and devices are not read.
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

/** Non-blocking, because a pipe would wait for its writer. Windows has neither flag. */
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

/** A folder of the project, as detectors see it. Names and paths are relative to it. */
export interface ProjectFolder {
  /** Relative to the project; `''` is the root. */
  readonly path: string;
  readonly depth: number;
  /** Names of the files in it, sorted. */
  readonly files: readonly string[];
  readonly folders: readonly string[];
  has(name: string): boolean;
  /** The first of the names that exists. */
  first(names: readonly string[]): string | undefined;
  read(path: string): string | undefined;
  /** Names in a subfolder, which may be hidden; empty if there is none. */
  list(folder: string): readonly string[];
  modified(path: string): number | undefined;
  /** Number of files with one of the extensions, in it and below. */
  countSources(extensions: readonly string[]): number;
  /** The folders that were walked below it, and itself first. */
  readonly descendants: readonly ProjectFolder[];
  /** Paths of all files in it and below. */
  paths(): Iterable<string>;
  /** The containing folder; absent for the root. */
  readonly parent?: ProjectFolder;
}

/** Manifests of a monorepo are two or three levels deep, sources a little deeper. */
const MAX_WALK_DEPTH = 5;
const MAX_FOLDERS = 250;

/** Lists the folders of a project breadth-first, starting with the root. */
export function walkFolders(files: ProjectFiles): readonly ProjectFolder[] {
  const folders: MutableFolder[] = [];
  const waiting: { readonly folder: string; readonly parent?: MutableFolder }[] = [{ folder: '' }];
  for (let next = waiting.shift(); next !== undefined && folders.length < MAX_FOLDERS; next = waiting.shift()) {
    const names = files.list(next.folder);
    if (!names) continue;
    const folder = createFolder(files, next.folder, names, next.parent);
    folders.push(folder);
    const counts = countExtensions(folder.files);
    for (let holder: MutableFolder | undefined = folder; holder; holder = holder.parent) {
      holder.descendants.push(folder);
      for (const [extension, count] of counts) {
        holder.counts.set(extension, (holder.counts.get(extension) ?? 0) + count);
      }
    }
    if (folder.depth >= MAX_WALK_DEPTH) continue;
    for (const name of folder.folders) {
      if (!name.startsWith('.')) waiting.push({ folder: joinPath(next.folder, name), parent: folder });
    }
  }
  return folders;
}

/** The extension of a path: `ts` for `src/a.test.ts`; empty if there is none. */
export function fileExtension(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1);
}

function joinPath(folder: string, path: string): string {
  return folder === '' ? path : `${folder}/${path}`;
}

interface MutableFolder extends ProjectFolder {
  readonly descendants: ProjectFolder[];
  readonly counts: Map<string, number>;
  readonly parent?: MutableFolder;
}

function countExtensions(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) {
    const extension = fileExtension(name);
    if (extension !== '') counts.set(extension, (counts.get(extension) ?? 0) + 1);
  }
  return counts;
}

function createFolder(
  files: ProjectFiles,
  folder: string,
  names: readonly string[],
  parent: MutableFolder | undefined,
): MutableFolder {
  const own = names.filter((name) => !name.endsWith('/'));
  const known = new Set(own);
  const counts = new Map<string, number>();
  return {
    path: folder,
    depth: folder === '' ? 0 : folder.split('/').length,
    files: own,
    folders: names.filter((name) => name.endsWith('/')).map((name) => name.slice(0, -1)),
    has: (name) => known.has(name),
    first: (wanted) => wanted.find((name) => known.has(name)),
    read: (path) => (path.includes('/') || known.has(path) ? files.read(joinPath(folder, path)) : undefined),
    list: (inner) => files.list(joinPath(folder, inner)) ?? [],
    modified: (path) => files.modified?.(joinPath(folder, path)),
    countSources: (extensions) => extensions.reduce((sum, extension) => sum + (counts.get(extension) ?? 0), 0),
    descendants: [],
    *paths() {
      const start = folder === '' ? 0 : folder.length + 1;
      for (const { path, files: names } of this.descendants)
        for (const name of names) yield joinPath(path.slice(start), name);
    },
    counts,
    ...(parent ? { parent } : {}),
  };
}
