import { existsSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, storageError } from '../files/index.ts';

/** The logs of a project. */
export type LogName = 'history' | 'failures' | 'successes' | 'warnings';

/** One file of a log: `history.jsonl` is the open one, `history-<n>.jsonl` are closed. */
export interface Segment {
  readonly path: string;
  readonly name: string;
  readonly open: boolean;
}

/** Path of the segment that is appended to. */
export function openSegment(directory: string, log: LogName): string {
  return join(directory, `${log}.jsonl`);
}

/** The files of a log that exist, oldest first, the open one last. */
export function listSegments(directory: string, log: LogName): readonly Segment[] {
  const pattern = new RegExp(`^${log}(?:-(\\d+))?\\.jsonl$`);
  const found: { readonly segment: Segment; readonly order: number }[] = [];
  for (const name of namesIn(directory)) {
    const match = pattern.exec(name);
    if (!match) continue;
    const open = match[1] === undefined;
    found.push({
      segment: { path: join(directory, name), name, open },
      order: open ? Number.POSITIVE_INFINITY : Number(match[1]),
    });
  }
  return found.sort((a, b) => (a.order < b.order ? -1 : 1)).map(({ segment }) => segment);
}

/**
 * Closes the open segment by renaming it and returns the closed one; undefined when there is nothing to
 * close. Whoever opened the file before still writes into it, under its new name. Hold the project's lock.
 */
export function rotate(directory: string, log: LogName): string | undefined {
  const open = openSegment(directory, log);
  if (!existsSync(open)) return undefined;
  const path = join(directory, `${log}-${nextNumber(directory, log)}.jsonl`);
  try {
    renameSync(open, path);
  } catch (error) {
    throw storageError('rename', open, error);
  }
  return path;
}

/** The folder of closed segments that are kept but no longer read. */
export function archiveFolder(directory: string): string {
  return join(directory, 'archive');
}

/** Numbers are never used again, also not those of segments that were archived. */
function nextNumber(directory: string, log: LogName): number {
  const closed = [directory, archiveFolder(directory)].flatMap((folder) => listSegments(folder, log));
  return 1 + Math.max(0, ...closed.map(({ name }) => Number(/-(\d+)\.jsonl$/.exec(name)?.[1] ?? 0)));
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw storageError('read', directory, error);
  }
}
