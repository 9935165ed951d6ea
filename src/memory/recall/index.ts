export { type RecallOptions, recall } from './recall.ts';
export {
  type DigestChange,
  type DigestSource,
  openRecallMemory,
  RECALL_FILE,
  updateRecallFile,
} from './recall-file.ts';
export { encodeRecallIndex, openRecallIndex, type RecallIndex, updateRecallIndex } from './recall-index.ts';
export { createRecallMemory, type RecallMemory, type StandingFailure } from './recall-memory.ts';
export { LONGEST_TEXT, type Recollection, type RecollectionKind } from './recollection.ts';
