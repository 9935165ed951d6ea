import { closeSync, fstatSync, readSync } from 'node:fs';
import { errorCode, openFile, readBytesAt, storageError, withOpenFile } from '../files/file-access.ts';

/** A line of a log with its byte range; `end` is where the next line starts. */
export interface SegmentLine {
  readonly offset: number;
  readonly end: number;
  /** Counted from 1 where reading started. */
  readonly number: number;
  /** Without the line break. Empty when the line exceeds {@link MAX_LINE_BYTES}. */
  readonly text: string;
}

/** Maximum size of a record's line in bytes. */
export const MAX_RECORD_BYTES: number = 1024 * 1024;
const NEWLINE = 0x0a;
const NO_BYTES = Buffer.alloc(0);
const CHUNK_BYTES = 256 * 1024;
const MIN_CHUNK_BYTES = 1024;
/** Longer lines are damage: no record is that large. */
const MAX_LINE_BYTES = 4 * MAX_RECORD_BYTES;

/**
 * Yields the lines of a log from byte `from` on, in bounded memory, skipping blank lines. A last line without a line
 * break is yielded only if it is a complete JSON object; otherwise it is torn or still being written. A missing file
 * has no lines.
 */
export function* readLogLines(path: string, options: { readonly from?: number } = {}): Generator<SegmentLine> {
  let descriptor: number;
  try {
    descriptor = openFile(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw storageError('read', path, error);
  }
  try {
    yield* linesOf(descriptor, options.from ?? 0);
  } catch (error) {
    throw storageError('read', path, error);
  } finally {
    closeSync(descriptor);
  }
}

function* linesOf(descriptor: number, from: number): Generator<SegmentLine> {
  // Usually only a few lines are new, and a full-size buffer each time would burden the garbage collector.
  const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(MIN_CHUNK_BYTES, fstatSync(descriptor).size - from)));
  let rest: Buffer[] = [];
  let restBytes = 0;
  let offset = from;
  let position = from;
  let number = 0;
  for (;;) {
    const bytes = readSync(descriptor, chunk, 0, chunk.length, position);
    if (bytes === 0) break;
    let start = 0;
    for (let stop = chunk.indexOf(NEWLINE); stop >= 0 && stop < bytes; stop = chunk.indexOf(NEWLINE, start)) {
      const length = restBytes + stop - start;
      number++;
      const text =
        restBytes > 0 ? decode([...rest, chunk.subarray(start, stop)], length) : chunk.toString('utf8', start, stop);
      rest = [];
      restBytes = 0;
      if (length > 0) yield { offset, end: offset + length + 1, number, text };
      offset += length + 1;
      start = stop + 1;
    }
    const left = bytes - start;
    if (left > 0) {
      // Beyond the maximum only the length is counted, so that a damaged file cannot exhaust memory.
      if (restBytes + left <= MAX_LINE_BYTES) rest.push(Buffer.from(chunk.subarray(start, bytes)));
      restBytes += left;
    }
    position += bytes;
  }
  const tail = decode(rest, restBytes);
  if (isCompleteObject(tail)) yield { offset, end: offset + restBytes, number: number + 1, text: tail };
}

function decode(parts: readonly Buffer[], length: number): string {
  return length > MAX_LINE_BYTES ? '' : Buffer.concat(parts).toString('utf8');
}

function isCompleteObject(text: string): boolean {
  if (!text.trimEnd().endsWith('}')) return false;
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

const TIMESTAMP_KEY = '"timestamp":"';

/** The time of a record in epoch milliseconds, found without parsing its line; undefined when it has none. */
export function findTimestamp(line: string): number | undefined {
  const at = line.indexOf(TIMESTAMP_KEY);
  if (at < 0) return undefined;
  const start = at + TIMESTAMP_KEY.length;
  const time = Date.parse(line.slice(start, line.indexOf('"', start)));
  return Number.isNaN(time) ? undefined : time;
}

/** Reads the text of one {@link SegmentLine} by its byte range, without the line break. */
export function readSpan(path: string, offset: number, end: number): string {
  const bytes = withOpenFile(
    path,
    (descriptor) => readBytesAt(descriptor, offset, Math.max(0, end - offset)),
    NO_BYTES,
  );
  return bytes.toString('utf8', 0, bytes.at(-1) === NEWLINE ? bytes.length - 1 : bytes.length);
}

/**
 * Yields the complete, non-blank lines in the last `bytes` of a log, newest first. With `containing`, only lines that
 * contain that text; others are not decoded. A missing file has no lines.
 */
export function readBackwards(path: string, bytes: number, containing?: string): Iterable<string> {
  const { read, isWholeFile } = readEnd(path, bytes);
  return linesFromEnd(read, isWholeFile, containing);
}

/** The last `bytes` of a log, or all of it if it is shorter. Empty when the file is missing. */
export function readLastBytes(path: string, bytes: number): Buffer {
  return readEnd(path, bytes).read;
}

function* linesFromEnd(read: Buffer, isWholeFile: boolean, containing?: string): Generator<string> {
  let end = read.length;
  while (end > 0) {
    if (containing !== undefined) {
      const at = read.lastIndexOf(containing, end - 1);
      if (at < 0) return;
      const stop = read.indexOf(NEWLINE, at);
      end = stop < 0 ? read.length : stop;
    }
    const start = read.lastIndexOf(NEWLINE, end - 1) + 1;
    if (start === 0 && !isWholeFile) return;
    const line = start === end ? '' : read.toString('utf8', start, end);
    if (line.trim() !== '') yield line;
    end = start - 1;
  }
}

function readEnd(path: string, bytes: number): { readonly read: Buffer; readonly isWholeFile: boolean } {
  return withOpenFile(
    path,
    (descriptor) => {
      const { size } = fstatSync(descriptor);
      const start = Math.max(0, size - bytes);
      return { read: readBytesAt(descriptor, start, size - start), isWholeFile: start === 0 };
    },
    { read: NO_BYTES, isWholeFile: true },
  );
}
