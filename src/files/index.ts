export { BloomFilter } from './bloom-filter.ts';
export { KeyedFile, writeKeyedFile } from './keyed-file.ts';
export { isAlive, pause, releaseOwnLock, withFreeLock, withFreeLockHeld, withLock } from './lock.ts';
export { bytesAt, statIfThere, withFile } from './part-of-file.ts';
export { removeOldFiles } from './remove-old-files.ts';
export { errorCode, storageError } from './storage-error.ts';
export { writeFileAtomic } from './write-file-atomic.ts';
