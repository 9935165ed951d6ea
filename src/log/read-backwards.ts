import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { errorCode, storageError } from '../files/index.ts';

const NEWLINE = 0x0a;

/**
 * The last lines of a log, newest first, out of at most `bytes` at its end. The first of those bytes are usually in the
 * middle of a line, which is left out. A missing file has no lines.
 */
export function readBackwards(path: string, bytes: number): readonly string[] {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, 'r');
    const { size } = fstatSync(descriptor);
    const start = Math.max(0, size - bytes);
    const end = Buffer.allocUnsafe(size - start);
    const read = end.subarray(0, readSync(descriptor, end, 0, end.length, start));
    const firstEnd = read.indexOf(NEWLINE);
    if (start > 0 && firstEnd < 0) return [];
    const whole = start === 0 ? read : read.subarray(firstEnd + 1);
    return whole
      .toString('utf8')
      .split('\n')
      .filter((line) => line.trim() !== '')
      .reverse();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw storageError('read', path, error);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
