import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Bytes of all files in a folder and below. Links are not followed; what cannot be read counts nothing. */
export function sizeOnDisk(path: string): number {
  try {
    const found = lstatSync(path);
    if (!found.isDirectory()) return found.size;
    return readdirSync(path).reduce((sum, name) => sum + sizeOnDisk(join(path, name)), 0);
  } catch {
    return 0;
  }
}
