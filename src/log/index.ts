export { AppendBuffer, appendLine, appendRecord, truncateMiddle } from './append.ts';
export { archiveOldRecords } from './archive.ts';
export { isArchiveRead, type LogCursor, type LogLine, type NewLines, readSince } from './follow.ts';
export { MAX_RECORD_BYTES, readBackwards, readLastBytes, readLogLines, readSpan, type SegmentLine } from './read.ts';
export { type RewriteResult, rewriteSegment } from './rewrite.ts';
export {
  archiveFolder,
  hasRecords,
  type LogName,
  listSegments,
  openSegmentPath,
  rotate,
  type Segment,
  teamFolder,
} from './segments.ts';
