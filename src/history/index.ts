export { MAX_IMAGE_BYTES, MAX_IMAGES, saveImages } from './images.ts';
export { parseLine, readAttempts, readHistory } from './records.ts';
export { allAttempts, NO_RECORDS, type SessionRecords, scanSessions } from './scan.ts';
export {
  type ContextMessage,
  type DisplayMessage,
  type HistoryIndex,
  type HistoryOptions,
  HistoryStore,
  type NewMessage,
  SUMMARY_ACKNOWLEDGEMENT,
} from './store.ts';
export { previewOf, previewOfAttempt, SessionTally } from './summary.ts';
