import { closeSync, fstatSync, fsyncSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { CREATE, openFile, readBytesAt, storageError } from '../files/file-access.ts';
import { sleepSync } from '../files/lock.ts';
import { appendLine } from './append.ts';
import { readLogLines } from './read.ts';

/** How long to wait for slow appenders, which normally hold a file for well under a millisecond. */
const GRACE_MS = 100;
const COPY_BYTES = 256 * 1024;

/** How much {@link rewriteSegment} removed. */
export interface RewriteResult {
  readonly removed: number;
  readonly bytes: number;
}

/**
 * Removes the lines of a closed segment for which `shouldDrop` is true; the bytes of the others do not change. A
 * segment without such lines is not touched. Lines that a slow writer appends meanwhile are carried over. The caller
 * must hold the project's lock.
 */
export function rewriteSegment(path: string, shouldDrop: (text: string) => boolean): RewriteResult {
  if (!hasLine(path, shouldDrop)) return { removed: 0, bytes: 0 };
  const original = openFile(path);
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    const copied = copyKeptLines(original, path, temporary, shouldDrop);
    renameSync(temporary, path);
    sleepSync(GRACE_MS);
    for (const line of linesAfter(original, copied.end)) if (!shouldDrop(line)) appendLine(path, line);
    return { removed: copied.removed, bytes: copied.bytes };
  } catch (error) {
    rmSync(temporary, { force: true });
    throw storageError('rewrite', path, error);
  } finally {
    closeSync(original);
  }
}

function hasLine(path: string, matches: (text: string) => boolean): boolean {
  for (const line of readLogLines(path)) if (matches(line.text)) return true;
  return false;
}

function copyKeptLines(
  original: number,
  path: string,
  target: string,
  shouldDrop: (text: string) => boolean,
): RewriteResult & { readonly end: number } {
  rmSync(target, { force: true }); // of a process with the same id that was killed
  const descriptor = openFile(target, CREATE);
  try {
    let removed = 0;
    let bytes = 0;
    let end = 0;
    for (const line of readLogLines(path)) {
      end = line.end;
      if (shouldDrop(line.text)) {
        removed++;
        bytes += line.end - line.offset;
      } else {
        copyBytes(original, descriptor, line.offset, line.end);
      }
    }
    fsyncSync(descriptor);
    return { removed, bytes, end };
  } finally {
    closeSync(descriptor);
  }
}

/** Copies bytes rather than text, to preserve what cannot be decoded. */
function copyBytes(from: number, to: number, offset: number, end: number): void {
  const chunk = Buffer.allocUnsafe(Math.min(end - offset, COPY_BYTES));
  for (let position = offset; position < end; ) {
    const read = readSync(from, chunk, 0, Math.min(chunk.length, end - position), position);
    if (read === 0) return;
    writeSync(to, chunk, 0, read);
    position += read;
  }
}

function linesAfter(descriptor: number, offset: number): readonly string[] {
  const bytes = readBytesAt(descriptor, offset, Math.max(0, fstatSync(descriptor).size - offset));
  const lines = bytes.toString('utf8').split('\n');
  return lines.filter((line) => line !== '');
}
