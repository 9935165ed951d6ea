import { closeSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { errorCode, storageError } from './storage-error.ts';

/** A file or folder as it is now; undefined when there is none. */
export function statIfThere(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw storageError('read', path, error);
  }
}

/** What `work` makes of an open file; `missing` when there is no such file. */
export function withFile<T>(path: string, work: (descriptor: number) => T, missing: T): T {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'r');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return missing;
    throw storageError('read', path, error);
  }
  try {
    return work(descriptor);
  } catch (error) {
    throw storageError('read', path, error);
  } finally {
    closeSync(descriptor);
  }
}

/** The bytes at a place of an open file; fewer where it ends. */
export function bytesAt(descriptor: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  return bytes.subarray(0, readSync(descriptor, bytes, 0, length, position));
}
