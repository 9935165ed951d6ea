import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Folders that say nothing of a project. */
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
const MOST_LINES = 300;
const DEEPEST = 6;

/**
 * The files of a folder as a list of paths, sorted, folders before what is deeper; what is generated or fetched is left
 * out, and so is what is beyond 300 lines, which the last line says.
 */
export function fileTree(root: string): string {
  const paths: string[] = [];
  let left = 0;
  // Breadth first: when there is no room for all, the deepest are left out.
  const folders: { readonly path: string; readonly depth: number }[] = [{ path: '', depth: 0 }];
  for (let next = folders.shift(); next !== undefined; next = folders.shift()) {
    for (const { name, isFolder } of listing(join(root, next.path))) {
      const path = next.path === '' ? name : `${next.path}/${name}`;
      if (isFolder) {
        if (next.depth < DEEPEST && folders.length < MOST_LINES)
          folders.push({ path, depth: next.depth + 1 });
      } else if (paths.length < MOST_LINES) paths.push(path);
      else left += 1;
    }
  }
  const more = left > 0 ? [`(${left} more)`] : [];
  return [...paths.sort(), ...more].join('\n');
}

function listing(folder: string): readonly { readonly name: string; readonly isFolder: boolean }[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((item) => (item.isDirectory() ? !LEFT_OUT.has(item.name) : item.isFile()))
      .map((item) => ({ name: item.name, isFolder: item.isDirectory() }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}
