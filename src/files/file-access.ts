import {
  type BigIntStats,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
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
import { dirname, join, sep } from 'node:path';
import { type ErrorCode, reasonOf, YoreError } from '../record/error.ts';
import { randomHex } from '../record/id.ts';

/** Called with the bytes read or written so far, and the total. */
export type Progress = (done: number, total: number) => void;

/** A data folder in a repository. Its name is a secret of the user: see `repoDataFolder()`. */
const REPO_DATA_FOLDER = /^(.*[\\/]\.yore)[\\/][0-9a-f]{32}(?=[\\/]|$)/s;

/** Whether a folder is a data folder in a repository, or in one. */
export function isRepoDataFolder(folder: string): boolean {
  return REPO_DATA_FOLDER.test(folder);
}

/**
 * Why a folder must not be used: it is in a data folder in a repository, and a part of its path is a link, no folder or
 * somebody else's. Undefined if it may be used, or does not exist yet.
 */
export function findFolderProblem(folder: string): string | undefined {
  const [, top] = REPO_DATA_FOLDER.exec(folder) ?? [];
  if (top === undefined) return undefined;
  let path = top;
  for (const name of ['', ...folder.slice(top.length + 1).split(/[\\/]/)]) {
    if (name !== '') path += sep + name;
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return undefined;
    if (found.isSymbolicLink()) return `${path} is a link`;
    if (!found.isDirectory()) return `${path} is not a folder`;
    if (!isOwn(found)) return `${path} belongs to another user`;
  }
  return undefined;
}

function isOwn({ uid }: Stats): boolean {
  return process.getuid === undefined || uid === process.getuid();
}

/** Flags of {@link openFile} that create a file, which must not exist. */
export const CREATE: number = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;

/**
 * Opens a regular file, by default for reading: the only way in which files of a project are opened. Nothing else is
 * opened, because reading a pipe or a device may never end. In a repository, neither the file nor a folder on the way to
 * it may be a link, and it must be the user's: what a checkout puts there is refused with STORAGE. Throws system errors
 * otherwise.
 */
export function openFile(path: string, flags: number = constants.O_RDONLY, mode = 0o600): number {
  const isInRepository = REPO_DATA_FOLDER.test(path);
  const folderProblem = isInRepository ? findFolderProblem(dirname(path)) : undefined;
  if (folderProblem !== undefined) throw refusedError(folderProblem);
  let descriptor: number;
  try {
    descriptor = openSync(path, flags | O_NONBLOCK | (isInRepository ? O_NOFOLLOW : 0), mode);
  } catch (error) {
    if (isInRepository && errorCode(error) === 'ELOOP') throw refusedError(`${path} is a link`);
    throw error;
  }
  const found = fstatSync(descriptor);
  const isOthers = isInRepository && !isOwn(found);
  if (found.isFile() && !isOthers) return descriptor;
  closeSync(descriptor);
  if (isInRepository) throw refusedError(`${path} ${isOthers ? 'belongs to another user' : 'is not a regular file'}`);
  const [code, what] = found.isDirectory() ? ['EISDIR', 'a folder'] : ['EFTYPE', 'not a regular file'];
  throw Object.assign(new Error(`${code}: ${path} is ${what}`), { code });
}

/** The error for something in a data folder that yore does not use. */
export function refusedError(problem: string): YoreError {
  return new YoreError('STORAGE', `${problem}, so yore does not use it. Remove it and try again.`);
}

/** Reads a whole file with {@link openFile}. */
export function readBytes(path: string): Buffer {
  const descriptor = openFile(path);
  try {
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Creates a folder (0700) and those on the way to it. STORAGE when a link is in the way. */
export function makeFolder(folder: string): void {
  const problem = findFolderProblem(folder);
  if (problem !== undefined) throw refusedError(problem);
  makeMissing(folder);
}

/** Does not use `recursive`: with it, Node.js never returns where nothing can be created in a folder that exists (`/proc`). */
function makeMissing(folder: string): void {
  if (statIfExists(folder)?.isDirectory()) return;
  const parent = dirname(folder);
  if (parent !== folder) makeMissing(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST' || !statIfExists(folder)?.isDirectory()) throw error;
  }
}

/** Like `statSync`; undefined when nothing exists at the path. */
export function statIfExists(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw storageError('read', path, error);
  }
}

/** Writes to a file with {@link openFile}, which creates it: at its end, or in place of what it contains. */
export function writeText(path: string, text: string, how: 'append' | 'replace'): void {
  const { O_WRONLY, O_CREAT, O_APPEND } = constants;
  const descriptor = openFile(path, O_WRONLY | O_CREAT | (how === 'append' ? O_APPEND : 0));
  try {
    // Not before it is known what was opened.
    if (how === 'replace') ftruncateSync(descriptor);
    writeFileSync(descriptor, text);
  } finally {
    closeSync(descriptor);
  }
}

/** The text of a file; undefined when it does not exist. */
export function readIfExists(path: string): string | undefined {
  try {
    return readBytes(path).toString('utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw storageError('read', path, error);
  }
}

/** The text of a file; undefined when it cannot be read, for whatever reason. */
export function tryReadText(path: string): string | undefined {
  try {
    return readBytes(path).toString('utf8');
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
    descriptor = openFile(path);
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
  if (findFolderProblem(folder) !== undefined) return;
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
    makeFolder(dirname(path));
    descriptor = openFile(temporary, CREATE);
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
const FOLDER_IN_THE_WAY = 'a folder is in the way where a file should be. Move or delete it and try again';
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
  EISDIR: ['STORAGE', FOLDER_IN_THE_WAY],
  // Of `rmSync`.
  ERR_FS_EISDIR: ['STORAGE', FOLDER_IN_THE_WAY],
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
