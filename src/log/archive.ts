import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { storageError, tryWithLock } from '../files/index.ts';
import { readLines } from './read.ts';
import { readBackwards } from './read-backwards.ts';
import { archiveFolder, type LogName, listSegments, rotate } from './segments.ts';

const LAST_BYTES = 2 * 1024 * 1024;

/**
 * Moves records that are older than `before` (milliseconds since 1970) out of a log, where they are kept but no longer
 * read. Whole segments are moved and none is rewritten, so records stay up to twice as long. Cheap when there is
 * nothing to do; does nothing while another process works on the logs. Returns the names of the moved segments.
 */
export function archiveOldSegments(directory: string, log: LogName, before: number): readonly string[] {
  const [oldest] = listSegments(directory, log);
  if (oldest === undefined || !isOlder(firstTime(oldest.path), before)) return [];
  const moved = tryWithLock(join(directory, 'maintenance.lock'), () => {
    const open = listSegments(directory, log).find((segment) => segment.open);
    if (open !== undefined && isOlder(firstTime(open.path), before)) rotate(directory, log);
    const old: string[] = [];
    for (const { path, name, open: isOpen } of listSegments(directory, log)) {
      if (isOpen || !isOlder(lastTime(path), before)) break;
      move(path, join(archiveFolder(directory), name));
      old.push(name);
    }
    return old;
  });
  return moved ?? [];
}

function move(from: string, to: string): void {
  try {
    mkdirSync(join(to, '..'), { recursive: true, mode: 0o700 });
    renameSync(from, to);
  } catch (error) {
    throw storageError('move', from, error);
  }
}

function firstTime(path: string): number | undefined {
  for (const { text } of readLines(path)) {
    const time = timeOf(text);
    if (time !== undefined) return time;
  }
  return undefined;
}

/** The latest time near the end: records of several writers are not quite in order. */
function lastTime(path: string): number | undefined {
  const times = Array.from(readBackwards(path, LAST_BYTES), timeOf);
  return times.reduce((a, b) => (a === undefined || (b !== undefined && b > a) ? b : a), undefined);
}

function timeOf(line: string): number | undefined {
  const time = Date.parse(/"timestamp":"([^"]+)"/.exec(line)?.[1] ?? '');
  return Number.isNaN(time) ? undefined : time;
}

function isOlder(time: number | undefined, before: number): boolean {
  return time !== undefined && time < before;
}
