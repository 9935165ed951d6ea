import { walkFiles } from '../../chat/walk-files.ts';

const MOST_FOUND = 200;

/** Files of a project whose path holds all words of the query, upper or lower case: at most 200, the topmost first. */
export function findFiles(root: string, query: string): readonly string[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const found: string[] = [];
  for (const path of walkFiles(root)) {
    const lower = path.toLowerCase();
    if (words.every((word) => lower.includes(word))) found.push(path);
    if (found.length >= MOST_FOUND) break;
  }
  return found;
}
