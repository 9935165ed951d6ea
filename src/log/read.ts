import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { errorCode, storageError } from '../files/index.ts';
import { MAX_RECORD_BYTES } from './bound.ts';

/** A line of a log, where it begins and where the next one does, in bytes. */
export interface Line {
  readonly offset: number;
  readonly end: number;
  /** Counted from 1 at the place where reading began. */
  readonly number: number;
  /** Without the line break. Empty when the line is far larger than any record, which makes it unreadable. */
  readonly text: string;
}

const NEWLINE = 0x0a;
const CHUNK_BYTES = 256 * 1024;
const LEAST_CHUNK_BYTES = 1024;
const LONGEST_LINE = 4 * MAX_RECORD_BYTES;

/**
 * Yields the lines of a log from byte `from` on, in bounded memory. Blank lines are passed over. A tail
 * without a line break is yielded only if it is a whole JSON object: otherwise somebody may still be writing
 * it, or it is torn. A missing file has no lines.
 */
export function* readLines(path: string, options: { readonly from?: number } = {}): Generator<Line> {
  const descriptor = openForReading(path);
  if (descriptor === undefined) return;
  try {
    yield* linesOf(descriptor, options.from ?? 0);
  } catch (error) {
    throw storageError('read', path, error);
  } finally {
    closeSync(descriptor);
  }
}

function* linesOf(descriptor: number, from: number): Generator<Line> {
  // Mostly a few lines are new: a large buffer for each look would keep the garbage collector busy.
  const chunk = Buffer.allocUnsafe(
    Math.min(CHUNK_BYTES, Math.max(LEAST_CHUNK_BYTES, fstatSync(descriptor).size - from)),
  );
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
        restBytes > 0
          ? decode([...rest, chunk.subarray(start, stop)], length)
          : chunk.toString('utf8', start, stop);
      rest = [];
      restBytes = 0;
      if (length > 0) yield { offset, end: offset + length + 1, number, text };
      offset += length + 1;
      start = stop + 1;
    }
    const left = bytes - start;
    if (left > 0) {
      // Past the longest line its bytes are only counted, so that a damaged file cannot fill the memory.
      if (restBytes + left <= LONGEST_LINE) rest.push(Buffer.from(chunk.subarray(start, bytes)));
      restBytes += left;
    }
    position += bytes;
  }
  const tail = decode(rest, restBytes);
  if (isWholeObject(tail)) yield { offset, end: offset + restBytes, number: number + 1, text: tail };
}

function decode(parts: readonly Buffer[], length: number): string {
  return length > LONGEST_LINE ? '' : Buffer.concat(parts).toString('utf8');
}

function isWholeObject(text: string): boolean {
  if (!text.trimEnd().endsWith('}')) return false;
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

/** Reads the bytes from `offset` to `end`, as found in a {@link Line}, without its line break. */
export function readSpan(path: string, offset: number, end: number): string {
  const descriptor = openForReading(path);
  if (descriptor === undefined) return '';
  try {
    const bytes = Buffer.allocUnsafe(Math.max(0, end - offset));
    const read = readSync(descriptor, bytes, 0, bytes.length, offset);
    return bytes.toString('utf8', 0, read > 0 && bytes[read - 1] === NEWLINE ? read - 1 : read);
  } catch (error) {
    throw storageError('read', path, error);
  } finally {
    closeSync(descriptor);
  }
}

function openForReading(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw storageError('read', path, error);
  }
}
