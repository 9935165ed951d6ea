import {
  closeSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { randomHex } from '../record/index.ts';
import { storageError } from './storage-error.ts';

/**
 * Replaces a file (0600, or `mode`) as a whole: readers see the old content or the new, never a part. With `durable` false (default
 * true) it does not wait for the disk, so that after a power failure the file may be empty: for files that tell when they
 * are damaged and can be made anew.
 */
export function writeFileAtomic(
  path: string,
  content: string | Uint8Array,
  options: { readonly durable?: boolean; readonly mode?: number } = {},
): void {
  const temporary = `${path}.${process.pid}-${randomHex(8)}.tmp`;
  let descriptor: number | undefined;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    descriptor = openSync(temporary, 'wx', 0o600);
    writeFileSync(descriptor, content);
    if (options.mode !== undefined) fchmodSync(descriptor, options.mode);
    if (options.durable !== false) fsyncSync(descriptor);
    closeSync(descriptor);
    descriptor = undefined;
    renameSync(temporary, path);
  } catch (error) {
    if (descriptor !== undefined) closeSync(descriptor);
    rmSync(temporary, { force: true });
    throw storageError('write', path, error);
  }
}
