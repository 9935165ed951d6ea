import { type ErrorCode, YoreError } from '../record/index.ts';

const CAUSES: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  ENOSPC: ['DISK_FULL', 'the disk is full. Free some space and try again; what was written before is intact'],
  EDQUOT: [
    'DISK_FULL',
    'the disk quota is used up. Free some space and try again; what was written before is intact',
  ],
  EROFS: ['READ_ONLY', 'the file system is read-only. Set YORE_HOME to a folder that can be written'],
  EACCES: [
    'READ_ONLY',
    'permission denied. Make the folder writable for you, or set YORE_HOME to another one',
  ],
  EPERM: [
    'READ_ONLY',
    'permission denied. Make the folder writable for you, or set YORE_HOME to another one',
  ],
  ENOTDIR: ['STORAGE', 'a file is in the way where a folder should be. Move it away and try again'],
  EEXIST: ['STORAGE', 'a file is in the way where a folder should be. Move it away and try again'],
  EISDIR: ['STORAGE', 'a folder is in the way where a file should be. Move it away and try again'],
  ENOENT: ['STORAGE', 'the folder does not exist'],
};

/** Turns a file-system error into one that says which path, what was wrong and what to do. */
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
