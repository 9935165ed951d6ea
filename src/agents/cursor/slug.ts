import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { MachinePlaces } from '../transcript/transcript-source.ts';

/** Folders that are looked into for one slug, at most. */
const MOST_FOLDERS = 200;

/**
 * The folder that a slug stands for: a known project, else a folder in the user's home that is there now. A slug is the
 * path with everything but letters and digits made one `-`, so it cannot be turned back without looking.
 */
export function folderOfSlug(
  slug: string,
  { home, projects }: Pick<MachinePlaces, 'home' | 'projects'>,
): string | undefined {
  const wanted = slug.toLowerCase();
  const known = projects.find((folder) => slugOf(folder) === wanted);
  if (known !== undefined) return known;
  const prefix = `${slugOf(home)}-`;
  return wanted.startsWith(prefix)
    ? folderIn(home, wanted.slice(prefix.length), { left: MOST_FOLDERS })
    : undefined;
}

/** The slug of a folder, in lower case. */
function slugOf(folder: string): string {
  return folder
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}

/** The folder below `folder` whose path from there has this slug. */
function folderIn(folder: string, slug: string, budget: { left: number }): string | undefined {
  if (budget.left-- <= 0) return undefined;
  for (const name of foldersIn(folder)) {
    const part = slugOf(name);
    if (part === '') continue;
    if (part === slug) return join(folder, name);
    if (!slug.startsWith(`${part}-`)) continue;
    const found = folderIn(join(folder, name), slug.slice(part.length + 1), budget);
    if (found !== undefined) return found;
  }
  return undefined;
}

function foldersIn(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
  } catch {
    return [];
  }
}
