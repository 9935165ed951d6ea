export { AppendBuffer, appendLine, appendRecord } from './append.ts';
export { type LogCursor, type LogLine, type NewLines, readSince } from './follow.ts';
export { type Line, readBackwards, readLastBytes, readLines, readSpan } from './read.ts';
export { type RewriteResult, rewriteSegment } from './rewrite.ts';
export {
  archiveFolder,
  archiveOldSegments,
  hasRecords,
  type LogName,
  listSegments,
  openSegmentPath,
  rotate,
  type Segment,
} from './segments.ts';
export { MAX_RECORD_BYTES, truncateMiddle } from './serialise.ts';
