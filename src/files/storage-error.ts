import { type ErrorCode, YoreError } from '../record/error.ts';

const FULL = 'Free some space and try again; earlier records are intact';
const DENIED = 'permission denied. Make the folder writable for you, or set YORE_HOME to another one';
const FILE_IN_THE_WAY = 'a file is in the way where a folder should be. Move it away and try again';

const CAUSES: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  ENOSPC: ['DISK_FULL', `the disk is full. ${FULL}`],
  EDQUOT: ['DISK_FULL', `the disk quota is used up. ${FULL}`],
  EROFS: ['READ_ONLY', 'the file system is read-only. Set YORE_HOME to a writable folder'],
  EACCES: ['READ_ONLY', DENIED],
  EPERM: ['READ_ONLY', DENIED],
  ENOTDIR: ['STORAGE', FILE_IN_THE_WAY],
  EEXIST: ['STORAGE', FILE_IN_THE_WAY],
  EISDIR: ['STORAGE', 'a folder is in the way where a file should be. Move it away and try again'],
  ENOENT: ['STORAGE', 'the folder does not exist'],
};

/**
 * Converts a file-system error to a YoreError that names the path, the cause and what to do. `action` completes
 * "Cannot …"; a YoreError is returned as it is.
 */
export function storageError(action: string, path: string, cause: unknown): YoreError {
  if (cause instanceof YoreError) return cause;
  const known = CAUSES[errorCode(cause) ?? ''];
  if (known) return new YoreError(known[0], `Cannot ${action} ${path}: ${known[1]}.`, { cause });
  const detail = cause instanceof Error ? cause.message : String(cause);
  return new YoreError('STORAGE', `Cannot ${action} ${path}: ${detail}.`, { cause });
}

/** The `code` of a Node.js system error, e.g. `ENOENT`. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
