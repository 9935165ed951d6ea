import { existsSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, isRepoDataFolder, storageError } from '../files/file-access.ts';
import { shortHash } from '../record/id.ts';
import { readLogLines } from './read.ts';

/** The logs of a project. */
export type LogName = 'history' | 'failures' | 'successes' | 'warnings';

/** The logs that hold attempts. */
export const ATTEMPT_LOGS: readonly ['failures', 'successes'] = ['failures', 'successes'];

/** One file of a log. `history.jsonl` is open, `history-<n>.jsonl` are closed. */
export interface Segment {
  readonly path: string;
  readonly name: string;
  readonly isOpen: boolean;
}

/** Path of the segment that is appended to. */
export function openSegmentPath(directory: string, log: LogName): string {
  return join(directory, `${log}.jsonl`);
}

/** The existing segments of a log, oldest first, the open one last. */
export function listSegments(directory: string, log: LogName): readonly Segment[] {
  const pattern = new RegExp(`^${log}(?:-(\\d+))?\\.jsonl$`);
  return namesIn(directory)
    .flatMap((name) => {
      const match = pattern.exec(name);
      return match ? [{ name, number: Number(match[1] ?? Number.POSITIVE_INFINITY) }] : [];
    })
    .sort((a, b) => a.number - b.number)
    .map(({ name, number }) => ({ path: join(directory, name), name, isOpen: !Number.isFinite(number) }));
}

/**
 * Closes the open segment by renaming it. Returns the new path, or undefined when there is no open segment. A process
 * that had opened the file keeps writing to it under its new name. The caller must hold the project's lock.
 */
export function rotate(directory: string, log: LogName): string | undefined {
  const open = openSegmentPath(directory, log);
  if (!existsSync(open)) return undefined;
  const path = join(directory, `${log}-${nextNumber(directory, log)}.jsonl`);
  try {
    renameSync(open, path);
  } catch (error) {
    throw storageError('rename', open, error);
  }
  return path;
}

/** The folder of archived segments, which are kept but not read for warnings. */
export function archiveFolder(directory: string): string {
  return join(directory, 'archive');
}

/** The folder with the local copy of what the project's team shares: logs of the same form, with their own snapshots. */
export function teamFolder(directory: string): string {
  return join(directory, 'team');
}

/** Path of a small file that hooks keep about a session from one process to the next; they remove old ones. */
export function sessionFilePath(directory: string, sessionId: string, name: string): string {
  return join(directory, 'told', `${shortHash(sessionId)}.${name}`);
}

/** Whether a project, or what its team shares of it, has any records other than tombstones. Stops at the first one. */
export function hasRecords(directory: string): boolean {
  for (const log of ['history', ...ATTEMPT_LOGS] as const) {
    for (const { path } of [directory, teamFolder(directory)].flatMap((folder) => listAllSegments(folder, log))) {
      for (const { text } of readLogLines(path)) if (!text.includes('"kind":"tombstone"')) return true;
    }
  }
  return false;
}

function listAllSegments(directory: string, log: LogName): readonly Segment[] {
  return [directory, archiveFolder(directory)].flatMap((folder) => listSegments(folder, log));
}

/** Numbers are never reused, not even those of archived segments. */
function nextNumber(directory: string, log: LogName): number {
  const closed = listAllSegments(directory, log);
  return 1 + Math.max(0, ...closed.map(({ name }) => Number(/-(\d+)\.jsonl$/.exec(name)?.[1] ?? 0)));
}

function namesIn(directory: string): readonly string[] {
  try {
    if (!isRepoDataFolder(directory)) return readdirSync(directory);
    // What a checkout puts there, such as a link, is no segment.
    return readdirSync(directory, { withFileTypes: true }).flatMap((item) => (item.isFile() ? item.name : []));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw storageError('read', directory, error);
  }
}
