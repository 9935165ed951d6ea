import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder, statIfExists, storageError } from '../files/file-access.ts';
import { tryWithLock } from '../files/lock.ts';
import { appendLine } from './append.ts';
import { findTimestamp, readBackwards, readLogLines } from './read.ts';
import { rewriteSegment } from './rewrite.ts';
import { archiveFolder, type LogName, listSegments, rotate } from './segments.ts';

const TAIL_BYTES = 2 * 1024 * 1024;

/** A segment is divided at most once a day, when its oldest record is this much older than what is archived. */
const ARCHIVE_SLACK_MS = 86_400_000;

/**
 * Moves the records of a log that are older than `before` (epoch milliseconds) to the archive, to a segment of the same
 * name, and returns the names of the segments that had any. A record may stay a day longer. Cheap when there is nothing
 * to do; does nothing while another process holds the maintenance lock.
 */
export function archiveOldRecords(directory: string, log: LogName, before: number): readonly string[] {
  const isDue = (path: string): boolean => isBefore(firstTime(path), before - ARCHIVE_SLACK_MS);
  if (!listSegments(directory, log).some(({ path }) => isDue(path))) return [];
  const archived = tryWithLock(join(directory, 'maintenance.lock'), () => {
    const open = listSegments(directory, log).find((segment) => segment.isOpen);
    if (open !== undefined && isDue(open.path)) rotate(directory, log);
    const due = listSegments(directory, log).filter(({ path, isOpen }) => !isOpen && isDue(path));
    for (const { path, name } of due) {
      const target = join(archiveFolder(directory), name);
      if (isBefore(lastTime(path), before)) moveSegment(path, target);
      else divideSegment(path, target, before);
    }
    return due.map(({ name }) => name);
  });
  return archived ?? [];
}

/**
 * Moves archived segments with records since `before` back, and returns whether there were any: they were archived while
 * the clock was ahead. Cheap when there is nothing to do.
 */
export function restoreRecentSegments(directory: string, log: LogName, before: number): boolean {
  if (!isRecent(listSegments(archiveFolder(directory), log).at(-1)?.path, before)) return false;
  const restored = tryWithLock(join(directory, 'maintenance.lock'), () => {
    const recent = listSegments(archiveFolder(directory), log).filter(({ path }) => isRecent(path, before));
    for (const { path, name } of recent) moveSegment(path, join(directory, name));
    return recent.length > 0;
  });
  return restored ?? false;
}

/** Moves a segment to a path where a part of it may be already. */
function moveSegment(from: string, to: string): void {
  if (!existsSync(to)) {
    move(from, to);
    return;
  }
  copyLines(from, to, () => true);
  rmSync(from, { force: true });
}

function divideSegment(from: string, to: string, before: number): void {
  const isOld = (line: string): boolean => isBefore(findTimestamp(line), before);
  makeFolder(dirname(to));
  copyLines(from, to, isOld);
  rewriteSegment(from, isOld);
}

/** Appends the lines of a file to another one, but for those that it has: the process may have been killed in between. */
function copyLines(from: string, to: string, isWanted: (line: string) => boolean): void {
  const known = new Set(existsSync(to) ? Array.from(readLogLines(to), ({ text }) => text) : []);
  for (const { text } of readLogLines(from)) if (isWanted(text) && !known.has(text)) appendLine(to, text);
}

/** A segment that was not written to since `before` is not read. */
function isRecent(path: string | undefined, before: number): boolean {
  const modifiedAt = path === undefined ? undefined : statIfExists(path)?.mtimeMs;
  if (path === undefined || modifiedAt === undefined || modifiedAt < before) return false;
  return (lastTime(path) ?? before - 1) >= before;
}

function move(from: string, to: string): void {
  try {
    makeFolder(dirname(to));
    renameSync(from, to);
  } catch (error) {
    throw storageError('move', from, error);
  }
}

function firstTime(path: string): number | undefined {
  for (const { text } of readLogLines(path)) {
    const time = findTimestamp(text);
    if (time !== undefined) return time;
  }
  return undefined;
}

/** The latest time near the end, since records of several writers are not strictly ordered. */
function lastTime(path: string): number | undefined {
  const times = Array.from(readBackwards(path, TAIL_BYTES), findTimestamp);
  return times.reduce((a, b) => (a === undefined || (b !== undefined && b > a) ? b : a), undefined);
}

function isBefore(time: number | undefined, before: number): boolean {
  return time !== undefined && time < before;
}
