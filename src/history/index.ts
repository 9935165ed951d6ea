export { MAX_IMAGE_BYTES, MAX_IMAGES, saveImages } from './images.ts';
export { PRICES_AS_OF } from './list-prices.ts';
export { PriceTable } from './prices.ts';
export {
  describeProblem,
  formatAttemptPreview,
  formatPreview,
  hasLabels,
  isListedSession,
  labelTitle,
  NO_RECORDS,
  parseRecordLine,
  readAllAttempts,
  readAttempts,
  readHistory,
  type SessionRecords,
  scanSessions,
  summariseLabels,
  summariseSession,
} from './records.ts';
export {
  type ContextMessage,
  type HistoryIndex,
  type HistoryOptions,
  HistoryStore,
  type NewMessage,
  type SessionMessage,
  SUMMARY_ACKNOWLEDGEMENT,
} from './store.ts';
export { TOKEN_KINDS, USAGE_COUNTS } from './usage.ts';
