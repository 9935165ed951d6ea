export { AppendBuffer, appendLine, appendRecord } from './append.ts';
export { archiveOldSegments } from './archive.ts';
export { cutText, MAX_RECORD_BYTES } from './bound.ts';
export { type LogCursor, type LogEntry, type NewLines, readSince } from './follow.ts';
export { type Line, readLines, readSpan } from './read.ts';
export { readBackwards, readEnd } from './read-backwards.ts';
export { type Rewritten, rewriteSegment } from './rewrite.ts';
export { archiveFolder, type LogName, listSegments, openSegment, rotate, type Segment } from './segments.ts';
