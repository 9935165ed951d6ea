import {
  type BigIntStats,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type ErrorCode, reasonOf, YoreError } from '../record/error.ts';
import { randomHex } from '../record/id.ts';

/** Called with the bytes read or written so far, and the total. */
export type Progress = (done: number, total: number) => void;

/** Like `statSync`; undefined when nothing exists at the path. */
export function statIfExists(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw storageError('read', path, error);
  }
}

/** Non-blocking, because opening a pipe waits for its other end. Windows has no such flag. */
const NON_BLOCKING: number = constants.O_NONBLOCK ?? 0;

/**
 * Opens a regular file, and nothing else: reading a pipe or a device may never end. `flags` as of `open(2)`, for reading
 * by default. Throws the file system's error.
 */
export function openRegularFile(path: string, flags: number = constants.O_RDONLY, mode?: number): number {
  const descriptor = openSync(path, flags | NON_BLOCKING, mode);
  const found = fstatSync(descriptor);
  if (found.isFile()) return descriptor;
  closeSync(descriptor);
  const [code, what] = found.isDirectory() ? ['EISDIR', 'a folder'] : ['EFTYPE', 'not a regular file'];
  throw Object.assign(new Error(`${code}: ${path} is ${what}`), { code });
}

/** The bytes of a regular file. Throws the file system's error. */
export function readRegularFile(path: string): Buffer {
  const descriptor = openRegularFile(path);
  try {
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Writes to a regular file, which is created with mode 0600: at its end, or in its place. Throws the file system's error. */
export function writeRegularFile(path: string, text: string, how: 'append' | 'replace'): void {
  const { O_WRONLY, O_CREAT, O_APPEND, O_TRUNC } = constants;
  const descriptor = openRegularFile(path, O_WRONLY | O_CREAT | (how === 'append' ? O_APPEND : O_TRUNC), 0o600);
  try {
    writeFileSync(descriptor, text);
  } finally {
    closeSync(descriptor);
  }
}

/** The text of a file; undefined when it does not exist. */
export function readIfExists(path: string): string | undefined {
  try {
    return readRegularFile(path).toString('utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw storageError('read', path, error);
  }
}

/** The text of a file; undefined when it cannot be read, for whatever reason. */
export function tryReadText(path: string): string | undefined {
  try {
    return readRegularFile(path).toString('utf8');
  } catch {
    return undefined;
  }
}

/** A path with its links resolved; the path itself when it does not exist. */
export function resolveLinks(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/** Runs `work` on a file opened for reading. Returns `missing` when the file does not exist. */
export function withOpenFile<T>(path: string, work: (descriptor: number) => T, missing: T): T {
  let descriptor: number;
  try {
    descriptor = openRegularFile(path);
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

/** Reads `length` bytes at a position of an open file; fewer at its end. */
export function readBytesAt(descriptor: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  return bytes.subarray(0, readSync(descriptor, bytes, 0, length, position));
}

/** Changes whenever a file does; empty when it does not exist. */
export function readStamp(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true });
  return found ? formatStamp(found) : '';
}

/** {@link readStamp} of an open file. */
export function formatStamp({ ino, mtimeNs, size }: BigIntStats): string {
  return `${ino} ${mtimeNs} ${size}`;
}

/** Removes the files of a folder last modified before a time in epoch milliseconds. The folder may be missing. */
export function removeOldFiles(folder: string, before: number): void {
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch {
    return;
  }
  for (const name of names) {
    const path = join(folder, name);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found !== undefined && found.mtimeMs < before) rmSync(path, { force: true });
  }
}

/**
 * Replaces a file atomically, with mode 0600 unless `mode` says otherwise. With `durable: false` it is not synced to
 * disk and may be empty after a power failure: for snapshots, which detect that and are rebuilt.
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

/** Total size of all files in a folder and its subfolders. Links are not followed, unreadable files not counted. */
export function sizeOnDisk(path: string): number {
  try {
    const found = lstatSync(path);
    if (!found.isDirectory()) return found.size;
    return readdirSync(path).reduce((sum, name) => sum + sizeOnDisk(join(path, name)), 0);
  } catch {
    return 0;
  }
}

const FULL = 'Free some space and try again; earlier records are intact';
const DENIED = 'permission denied. Make the folder writable for you, or set YORE_HOME to another one';
const FILE_IN_THE_WAY = 'a file is in the way where a folder should be. Move or delete it and try again';

const NO_FILE = 'it is not a regular file but a pipe, a socket or a device. Move or delete it and try again';

const CAUSES: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  ENOSPC: ['DISK_FULL', `the disk is full. ${FULL}`],
  EDQUOT: ['DISK_FULL', `the disk quota is used up. ${FULL}`],
  EROFS: ['READ_ONLY', 'the file system is read-only. Set YORE_HOME to a writable folder'],
  EACCES: ['READ_ONLY', DENIED],
  EPERM: ['READ_ONLY', DENIED],
  ENOTDIR: ['STORAGE', FILE_IN_THE_WAY],
  EEXIST: ['STORAGE', FILE_IN_THE_WAY],
  EISDIR: ['STORAGE', 'a folder is in the way where a file should be. Move or delete it and try again'],
  ENOENT: ['STORAGE', 'the folder does not exist'],
  EFTYPE: ['STORAGE', NO_FILE],
  ENXIO: ['STORAGE', NO_FILE],
};

/**
 * Converts a file-system error to a YoreError that names the path, the cause and what to do. `action` completes
 * "Cannot …"; a YoreError is returned as it is.
 */
export function storageError(action: string, path: string, cause: unknown): YoreError {
  if (cause instanceof YoreError) return cause;
  const known = CAUSES[errorCode(cause) ?? ''];
  if (known) return new YoreError(known[0], `Cannot ${action} ${path}: ${known[1]}.`, { cause });
  return new YoreError('STORAGE', `Cannot ${action} ${path}: ${reasonOf(cause)}.`, { cause });
}

/** The `code` of a Node.js system error, e.g. `ENOENT`. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
