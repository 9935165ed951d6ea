export { BloomFilter } from './bloom-filter.ts';
export {
  readBytesAt,
  readIfExists,
  removeOldFiles,
  statIfExists,
  withOpenFile,
  writeFileAtomic,
} from './file-access.ts';
export { checksum, KeyedFile, writeKeyedFile } from './keyed-file.ts';
export {
  isProcessAlive,
  releaseOwnLock,
  sleepSync,
  tryWithLock,
  tryWithLockAsync,
  withLock,
} from './lock.ts';
export { errorCode, storageError } from './storage-error.ts';
export { findWorkerFile } from './worker-file.ts';
