import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Folders with generated or downloaded files, or the data of a tool. */
const IGNORED_FOLDERS: ReadonlySet<string> = new Set(
  '.git .hg .svn .yore node_modules dist build target vendor .venv venv __pycache__ .next .cache coverage'.split(' '),
);
/** A larger project would take too long to walk for each question. */
const MAX_NAMES = 20_000;

/**
 * Yields the paths of a project's files relative to `root`, breadth first, without ignored folders. Symlinks are not
 * followed, unreadable folders are skipped. Stops after 20,000 names.
 */
export function* walkFiles(root: string): Generator<string> {
  const folders = [''];
  let names = 0;
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    for (const item of listFolder(join(root, folder))) {
      if (++names > MAX_NAMES) return;
      const path = folder === '' ? item.name : `${folder}/${item.name}`;
      if (item.isFile()) yield path;
      else if (item.isDirectory() && !IGNORED_FOLDERS.has(item.name)) folders.push(path);
    }
  }
}

function listFolder(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}
