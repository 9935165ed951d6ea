import { walkFiles } from './walk-files.ts';

const MOST_LINES = 300;

/** The files of a project as a list of paths, sorted. Beyond 300 the deepest are left out, which the last line says. */
export function fileTree(root: string): string {
  const all = [...walkFiles(root)];
  const more = all.length - MOST_LINES;
  return [...all.slice(0, MOST_LINES).sort(), ...(more > 0 ? [`(${more} more)`] : [])].join('\n');
}
