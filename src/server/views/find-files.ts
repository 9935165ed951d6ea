import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Folders whose files nobody picks. */
const LEFT_OUT: ReadonlySet<string> = new Set([
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
const MOST_FOUND = 200;
/** Names that are looked at; a folder with more is too large to go through at each key. */
const MOST_LOOKED_AT = 20_000;

/**
 * Files of a folder whose path holds all words of the query, upper or lower case: at most 200, those nearest to the top
 * first. Links are not followed; a folder that cannot be read has no files.
 */
export function findFiles(root: string, query: string): readonly string[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const found: string[] = [];
  const folders = [''];
  let looked = 0;
  for (let next = folders.shift(); next !== undefined && looked < MOST_LOOKED_AT; next = folders.shift()) {
    for (const { name, isFolder, isFile } of listing(join(root, next))) {
      looked += 1;
      const path = next === '' ? name : `${next}/${name}`;
      if (isFolder && !LEFT_OUT.has(name)) folders.push(path);
      if (!isFile) continue;
      const lower = path.toLowerCase();
      if (words.every((word) => lower.includes(word))) found.push(path);
      if (found.length >= MOST_FOUND) return found;
    }
  }
  return found;
}

function listing(
  folder: string,
): readonly { readonly name: string; readonly isFolder: boolean; readonly isFile: boolean }[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .map((item) => ({ name: item.name, isFolder: item.isDirectory(), isFile: item.isFile() }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}
