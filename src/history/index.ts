export { MAX_IMAGE_BYTES, MAX_IMAGES, saveImages } from './images.ts';
export {
  describeProblem,
  NO_RECORDS,
  parseLine,
  readAllAttempts,
  readAttempts,
  readHistory,
  type SessionRecords,
  scanSessions,
} from './records.ts';
export { formatAttemptPreview, formatPreview, summariseSession } from './session-summary.ts';
export {
  type ContextMessage,
  type DisplayMessage,
  type HistoryIndex,
  type HistoryOptions,
  HistoryStore,
  type NewMessage,
  SUMMARY_ACKNOWLEDGEMENT,
} from './store.ts';
