import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Folders that say nothing of a project: what is generated, fetched or kept by a tool. */
const IGNORED_FOLDERS: ReadonlySet<string> = new Set([
  '.git',
  '.hg',
  '.svn',
  '.yore',
  'node_modules',
  'dist',
  'build',
  'target',
  'vendor',
  '.venv',
  'venv',
  '__pycache__',
  '.next',
  '.cache',
  'coverage',
]);
/** Names that are looked at: a folder with more is too large to go through for each question. */
const MAX_NAMES = 20_000;

/**
 * Paths of a project's files, those nearest to the top first, without what is generated or fetched. Links are not
 * followed; a folder that cannot be read has no files; ends after 20,000 names.
 */
export function* walkFiles(root: string): Generator<string> {
  const folders = [''];
  let looked = 0;
  for (let next = folders.shift(); next !== undefined; next = folders.shift()) {
    for (const item of listing(join(root, next))) {
      if (++looked > MAX_NAMES) return;
      const path = next === '' ? item.name : `${next}/${item.name}`;
      if (item.isFile()) yield path;
      else if (item.isDirectory() && !IGNORED_FOLDERS.has(item.name)) folders.push(path);
    }
  }
}

function listing(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}
