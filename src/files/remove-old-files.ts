import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Removes the files of a folder that were last changed before a time, in epoch milliseconds. A missing folder has none. */
export function removeOldFiles(folder: string, before: number): void {
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch {
    return;
  }
  for (const name of names) {
    const path = join(folder, name);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found !== undefined && found.mtimeMs < before) rmSync(path, { force: true });
  }
}
