import { closeSync, fstatSync, readSync } from 'node:fs';
import { openRegularFile } from '../../files/file-access.ts';

/** An open file, or bytes in its place. */
export interface FileContent {
  readonly size: number;
  /** Fills a buffer from a position on and returns the number of bytes read. */
  read(buffer: Uint8Array, position: number): number;
  close(): void;
}

/** Opens a file for reading. Throws the file system's error. */
export function openContent(path: string): FileContent {
  const descriptor = openRegularFile(path);
  try {
    return {
      size: fstatSync(descriptor).size,
      read: (buffer, position) => readSync(descriptor, buffer, 0, buffer.length, position),
      close: () => closeSync(descriptor),
    };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** Bytes in place of a file. */
export function toContent(bytes: Uint8Array): FileContent {
  return {
    size: bytes.length,
    read: (buffer, position) => {
      const part = bytes.subarray(position, position + buffer.length);
      buffer.set(part);
      return part.length;
    },
    close: () => {},
  };
}

/** A line of a file. */
export interface FileLine {
  /** Where it and the next line begin, in bytes. */
  readonly offset: number;
  readonly end: number;
  /** Without the line break; undefined when the line is too long. */
  readonly bytes: Buffer | undefined;
  /** Whether it ends with a line break. Only the last line of a file may not. */
  readonly isEnded: boolean;
}

const MAX_LINE_BYTES = 64 * 1024 * 1024;
/** The first chunk is smaller: often only a few lines are needed, at the beginning of a file or new at its end. */
const FIRST_CHUNK_BYTES = 64 * 1024;
const CHUNK_BYTES = 1024 * 1024;
const MIN_CHUNK_BYTES = 4096;
const NEWLINE = 0x0a;

/**
 * Reads lines from an offset on, in bounded memory: a line of more than 64 MB has no bytes. The bytes are valid until the
 * next line is requested. Blank lines are skipped unless `withBlank` is set.
 */
export function* readLines(content: FileContent, from: number, withBlank: boolean): Generator<FileLine> {
  // No larger than the rest of the file: many large buffers would keep the garbage collector busy.
  const chunkSize = (at: number, max: number): number => Math.min(max, Math.max(MIN_CHUNK_BYTES, content.size - at));
  let chunk = Buffer.allocUnsafe(chunkSize(from, FIRST_CHUNK_BYTES));
  let rest: Buffer[] = [];
  let restBytes = 0;
  let offset = from;
  let position = from;
  for (;;) {
    const bytes = content.read(chunk, position);
    if (bytes === 0) break;
    const filled = chunk.subarray(0, bytes);
    let start = 0;
    for (let stop = filled.indexOf(NEWLINE); stop >= 0; stop = filled.indexOf(NEWLINE, start)) {
      const length = restBytes + stop - start;
      const end = offset + length + 1;
      const line = joinChunks(rest, filled.subarray(start, stop), length);
      if (withBlank || !isBlank(line)) yield { offset, end, bytes: line, isEnded: true };
      rest = [];
      restBytes = 0;
      offset = end;
      start = stop + 1;
    }
    if (start < bytes) {
      // Beyond the maximum the bytes are only counted, so that a damaged file cannot exhaust the memory.
      if (restBytes + bytes - start <= MAX_LINE_BYTES) rest.push(Buffer.from(filled.subarray(start)));
      restBytes += bytes - start;
    }
    position += bytes;
    if (chunk.length < chunkSize(position, CHUNK_BYTES)) chunk = Buffer.allocUnsafe(chunkSize(position, CHUNK_BYTES));
  }
  const tail = joinChunks(rest, Buffer.alloc(0), restBytes);
  if (restBytes > 0 && (withBlank || !isBlank(tail)))
    yield { offset, end: offset + restBytes, bytes: tail, isEnded: false };
}

function joinChunks(rest: readonly Buffer[], last: Buffer, length: number): Buffer | undefined {
  if (length > MAX_LINE_BYTES) return undefined;
  return rest.length === 0 ? last : Buffer.concat([...rest, last], length);
}

const BLANKS: ReadonlySet<number> = new Set([0x20, 0x09, 0x0d]);

function isBlank(line: Buffer | undefined): boolean {
  if (!line) return false;
  for (const byte of line) if (!BLANKS.has(byte)) return false;
  return true;
}
