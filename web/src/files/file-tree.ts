import type { FileOfSessions } from '../../../src/server/rpc/api.ts';

/** A folder with the files that sessions changed in it. */
export interface Folder {
  /** Relative to its parent; several names where a folder has nothing but another folder: `src/server`. */
  readonly name: string;
  /** The whole path, without a slash at the end. */
  readonly path: string;
  readonly folders: readonly Folder[];
  readonly files: readonly FileOfSessions[];
  /** Of all files in it, at any depth. */
  readonly fileCount: number;
  readonly changes: number;
  /** The latest change. */
  readonly changedAt: string;
}

/** Arranges files by folder; folders and files are in alphabetical order. */
export function buildTree(files: readonly FileOfSessions[]): Folder {
  return toFolder('', '', files);
}

/** The name of a file without its folders. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function toFolder(name: string, path: string, files: readonly FileOfSessions[]): Folder {
  const own: FileOfSessions[] = [];
  const inside = new Map<string, FileOfSessions[]>();
  const start = path === '' ? 0 : path.length + 1;
  for (const file of files) {
    const slash = file.path.indexOf('/', start + (file.path.startsWith('/', start) ? 1 : 0));
    if (slash < 0) own.push(file);
    else {
      const child = file.path.slice(start, slash);
      const list = inside.get(child);
      if (list === undefined) inside.set(child, [file]);
      else list.push(file);
    }
  }
  const [[only, onlyFiles] = ['', []]] = inside;
  if (name !== '' && own.length === 0 && inside.size === 1)
    return toFolder(`${name}/${only}`, `${path}/${only}`, onlyFiles);
  const byName = (a: { readonly path: string }, b: { readonly path: string }) => a.path.localeCompare(b.path);
  return {
    name,
    path,
    folders: [...inside]
      .map(([child, list]) => toFolder(child, path === '' ? child : `${path}/${child}`, list))
      .sort(byName),
    files: own.toSorted(byName),
    fileCount: files.length,
    changes: files.reduce((sum, { changes }) => sum + changes, 0),
    changedAt:
      files
        .map((file) => file.changedAt)
        .sort()
        .at(-1) ?? '',
  };
}
