import { archiveFolder, listSegments, readLines } from '../log/index.ts';

/** Whether a project holds anything but the tombstones of what was forgotten. Reads no more than it must. */
export function hasRecords(directory: string): boolean {
  for (const log of ['history', 'failures', 'successes'] as const) {
    const segments = [directory, archiveFolder(directory)].flatMap((folder) => listSegments(folder, log));
    for (const { path } of segments) {
      for (const { text } of readLines(path)) if (!text.includes('"kind":"tombstone"')) return true;
    }
  }
  return false;
}
