import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { errorCode, storageError } from '../files/index.ts';

const NEWLINE = 0x0a;

/**
 * The last lines of a log, newest first, out of at most `bytes` at its end; blank ones are left out. The first of those
 * bytes are usually in the middle of a line, which is left out too. A missing file has no lines. With `containing` only
 * the lines that hold that text are given, and the others are not even decoded.
 */
export function readBackwards(path: string, bytes: number, containing?: string): Iterable<string> {
  const { read, isWhole } = lastBytes(path, bytes);
  return linesFromEnd(read, isWhole, containing);
}

/** The last bytes of a log, at most that many. Of a missing file there are none. */
export function readEnd(path: string, bytes: number): Buffer {
  return lastBytes(path, bytes).read;
}

function* linesFromEnd(read: Buffer, isWhole: boolean, containing?: string): Generator<string> {
  let end = read.length;
  while (end > 0) {
    if (containing !== undefined) {
      const at = read.lastIndexOf(containing, end - 1);
      if (at < 0) return;
      const stop = read.indexOf(NEWLINE, at);
      end = stop < 0 ? read.length : stop;
    }
    const start = read.lastIndexOf(NEWLINE, end - 1) + 1;
    if (start === 0 && !isWhole) return;
    const line = start === end ? '' : read.toString('utf8', start, end);
    if (line.trim() !== '') yield line;
    end = start - 1;
  }
}

function lastBytes(path: string, bytes: number): { readonly read: Buffer; readonly isWhole: boolean } {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, 'r');
    const { size } = fstatSync(descriptor);
    const start = Math.max(0, size - bytes);
    const end = Buffer.allocUnsafe(size - start);
    return { read: end.subarray(0, readSync(descriptor, end, 0, end.length, start)), isWhole: start === 0 };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return { read: Buffer.alloc(0), isWhole: true };
    throw storageError('read', path, error);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
