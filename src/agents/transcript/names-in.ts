import { readdirSync } from 'node:fs';

/** The names in a folder, sorted; none when there is no such folder or it cannot be read. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
