import { type Dirent, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isProcessAlive, tryWithLock } from './lock.ts';

/** `<file>.<process>.tmp` and `<file>.<process>-<random>.tmp`: a file that was to replace another one. */
const TEMPORARY = /\.(\d{1,10})(?:-[0-9a-f]+)?\.tmp$/;
const LOCK = /\.lock(?:\.takeover)?$/;

/** Removes temporary files and locks that killed processes left in a folder and its subfolders. Never throws. */
export function removeAbandonedFiles(folder: string): void {
  for (const item of listFolder(folder)) {
    const path = join(folder, item.name);
    if (item.isDirectory()) removeAbandonedFiles(path);
    else if (item.isFile()) removeIfAbandoned(path, item.name);
  }
}

function removeIfAbandoned(path: string, name: string): void {
  const writer = TEMPORARY.exec(name)?.[1];
  try {
    if (writer !== undefined && !isProcessAlive(Number(writer))) rmSync(path, { force: true });
    // A lock whose holder is dead is taken over, and released at once.
    else if (LOCK.test(name)) tryWithLock(path, () => undefined);
  } catch {
    // It stays until the next time.
  }
}

function listFolder(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
