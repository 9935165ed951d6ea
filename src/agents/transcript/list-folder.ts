import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A file or folder in a folder. */
export interface FolderItem {
  readonly name: string;
  readonly path: string;
  readonly isFolder: boolean;
}

/** What is in a folder, by name; links are left out, and nothing is in a folder that cannot be read. */
export function listFolder(folder: string): readonly FolderItem[] {
  let found: Dirent[];
  try {
    found = readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
  return found
    .filter((item) => item.isFile() || item.isDirectory())
    .map((item) => ({ name: item.name, path: join(folder, item.name), isFolder: item.isDirectory() }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The files in a folder and the folders in it, at most `depth` deep, whose name fits. */
export function listFiles(folder: string, fits: (name: string) => boolean, depth: number): readonly string[] {
  return listFolder(folder).flatMap((item) => {
    if (!item.isFolder) return fits(item.name) ? [item.path] : [];
    return depth > 0 ? listFiles(item.path, fits, depth - 1) : [];
  });
}
