export { isAlive, pause, withLock } from './lock.ts';
export { errorCode, storageError } from './storage-error.ts';
export { writeFileAtomic } from './write-file-atomic.ts';
