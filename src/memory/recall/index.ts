export { recall } from './recall.ts';
export {
  RECALL_FILE,
  updateRecallFile,
  withRecallMemory,
} from './recall-file.ts';
export { encodeRecallIndex, openRecallIndex, updateRecallIndex } from './recall-index.ts';
export { type ActiveFailure, createRecallMemory } from './recall-memory.ts';
export { LONGEST_TEXT, type Recollection } from './recollection.ts';
