import { closeSync, fstatSync, fsyncSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { sleepSync, storageError } from '../files/index.ts';
import { appendLine } from './append.ts';
import { readLines } from './read.ts';

/** Appenders hold a file for well under a millisecond; this is how long one that was slow is waited for. */
const GRACE_MS = 100;
const COPY_BYTES = 256 * 1024;

/** What {@link rewriteSegment} left out. */
export interface Rewritten {
  readonly removed: number;
  readonly bytes: number;
}

/**
 * Rewrites a closed segment without the lines that `drop` names; all others keep their bytes. A file from
 * which nothing is dropped is not touched. Lines that a slow writer adds meanwhile are carried over. Hold the
 * project's lock.
 */
export function rewriteSegment(path: string, drop: (text: string) => boolean): Rewritten {
  if (!someLine(path, drop)) return { removed: 0, bytes: 0 };
  const original = openSync(path, 'r');
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    const copied = copyKept(original, path, temporary, drop);
    renameSync(temporary, path);
    sleepSync(GRACE_MS);
    for (const line of linesAfter(original, copied.end)) if (!drop(line)) appendLine(path, line);
    return { removed: copied.removed, bytes: copied.bytes };
  } catch (error) {
    rmSync(temporary, { force: true });
    throw storageError('rewrite', path, error);
  } finally {
    closeSync(original);
  }
}

function someLine(path: string, matches: (text: string) => boolean): boolean {
  for (const line of readLines(path)) if (matches(line.text)) return true;
  return false;
}

function copyKept(
  original: number,
  path: string,
  target: string,
  drop: (text: string) => boolean,
): Rewritten & { readonly end: number } {
  const descriptor = openSync(target, 'w', 0o600);
  try {
    let removed = 0;
    let bytes = 0;
    let end = 0;
    for (const line of readLines(path)) {
      end = line.end;
      if (drop(line.text)) {
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

/** Bytes, not text: what cannot be decoded is kept as it is. */
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
  const bytes = Buffer.alloc(Math.max(0, fstatSync(descriptor).size - offset));
  const read = readSync(descriptor, bytes, 0, bytes.length, offset);
  return bytes
    .toString('utf8', 0, read)
    .split('\n')
    .filter((line) => line !== '');
}
