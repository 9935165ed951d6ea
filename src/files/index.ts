export {
  errorCode,
  findFolderProblem,
  makeFolder,
  openFile,
  type Progress,
  resolveLinks,
  statIfExists,
  storageError,
  tryReadText,
  writeFileAtomic,
} from './file-access.ts';
export { BloomFilter, KeyedFile, writeKeyedFile } from './keyed-file.ts';
export { isProcessAlive, sleepSync, tryWithLock, withLock } from './lock.ts';
export { findWorkerFile } from './worker-file.ts';
