import { closeSync, constants, fstatSync, fsyncSync, readSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode, makeFolder, openFile, storageError } from '../files/file-access.ts';
import { YoreError } from '../record/error.ts';
import { redactValue } from '../redact/redact.ts';
import { safeCut } from '../text/characters.ts';
import { MAX_RECORD_BYTES } from './read.ts';

const NEWLINE = 0x0a;
/** Characters per `write()`. */
const WRITE_LENGTH = 256 * 1024;
const APPEND_FLAGS = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT;

/**
 * Appends one record to a log: redacted, bounded in size, as one line in one `write()`. Any number of processes may
 * append to the same file. Creates the file (0600) and its folder (0700). A line torn by an earlier crash is
 * terminated first, so that only that line is lost.
 */
export function appendRecord(path: string, record: object): void {
  appendLine(path, serialiseBounded(redactValue(record)));
}

/**
 * Buffers records for a log and writes many lines in one `write()`. Each record is redacted and bounded as in
 * {@link appendRecord} when it is added. When a write fails, the lines of earlier writes are intact.
 */
export class AppendBuffer {
  readonly #path: string;
  #chunks: string[] = [];
  #chunk = '';
  #length = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** Buffered characters. */
  get length(): number {
    return this.#length;
  }

  add(record: object): void {
    const line = serialiseBounded(redactValue(record));
    this.#chunk += `${line}\n`;
    this.#length += line.length + 1;
    if (this.#chunk.length < WRITE_LENGTH) return;
    this.#chunks.push(this.#chunk);
    this.#chunk = '';
  }

  /** Writes the buffered lines. `durable`: they are on disk when it returns, whatever happens to the machine. */
  flush({ durable = false }: { readonly durable?: boolean } = {}): void {
    if (this.#length === 0) return;
    const chunks = [...this.#chunks, this.#chunk];
    this.#chunks = [];
    this.#chunk = '';
    this.#length = 0;
    withAppendFile(this.#path, (descriptor) => {
      for (const chunk of chunks) if (chunk !== '') writeLines(descriptor, this.#path, chunk);
      if (durable) fsyncSync(descriptor);
    });
  }
}

/** The file that a line was appended to. */
interface AppendResult {
  /** Inode, which survives renaming. */
  readonly ino: number;
  /** Size in bytes, including the line. */
  readonly size: number;
}

/**
 * Appends one line as it is, for records that are redacted already. `onAppend` runs while the file is still open, so
 * that its inode cannot be reused.
 */
export function appendLine(path: string, line: string, onAppend?: (result: AppendResult) => void): void {
  withAppendFile(path, (descriptor) => {
    const result = writeLines(descriptor, path, `${line}\n`);
    onAppend?.(result);
  });
}

/** Waits until what was appended to a log is on disk. */
export function syncLog(path: string): void {
  withAppendFile(path, fsyncSync);
}

function withAppendFile(path: string, work: (descriptor: number) => void): void {
  let descriptor: number | undefined;
  try {
    descriptor = openForAppend(path);
    work(descriptor);
  } catch (error) {
    throw storageError('write to', path, error);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function writeLines(descriptor: number, path: string, lines: string): AppendResult {
  const { ino, size } = fstatSync(descriptor);
  const bytes = Buffer.from(endsInTornLine(descriptor, size) ? `\n${lines}` : lines);
  const written = writeSync(descriptor, bytes);
  if (written === bytes.length) return { ino, size: size + written };
  throw new YoreError(
    'DISK_FULL',
    `Cannot write to ${path}: the disk is full (${written} of ${bytes.length} bytes written). ` +
      'Free some space and try again; earlier records are intact.',
  );
}

function openForAppend(path: string): number {
  try {
    return openFile(path, APPEND_FLAGS);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    makeFolder(dirname(path));
    return openFile(path, APPEND_FLAGS);
  }
}

function endsInTornLine(descriptor: number, size: number): boolean {
  if (size === 0) return false;
  const lastByte = Buffer.alloc(1);
  return readSync(descriptor, lastByte, 0, 1, size - 1) === 1 && lastByte[0] !== NEWLINE;
}

const MIN_TEXT_LIMIT = 256;

/**
 * Serialises a record as one line of at most {@link MAX_RECORD_BYTES}. The longest texts of larger records are
 * truncated in the middle, with a marker that says how much is missing.
 */
function serialiseBounded(record: object): string {
  const line = JSON.stringify(record);
  if (fits(line)) return line;
  for (let limit = MAX_RECORD_BYTES / 4; limit >= MIN_TEXT_LIMIT; limit /= 2) {
    const shorter = JSON.stringify(record, (_key, value: unknown) =>
      typeof value === 'string' ? truncateMiddle(value, limit) : value,
    );
    if (fits(shorter)) return shorter;
  }
  return JSON.stringify(dropLargestFields(record));
}

/** Replaces the middle of a text longer than `limit` characters by a marker. */
export function truncateMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = safeCut(text, Math.ceil(limit / 2));
  const tail = safeCut(text, text.length - Math.floor(limit / 2));
  return `${text.slice(0, head)}\n[… ${tail - head} characters cut by yore …]\n${text.slice(tail)}`;
}

function fits(line: string): boolean {
  if (line.length * 3 < MAX_RECORD_BYTES) return true;
  return line.length < MAX_RECORD_BYTES && Buffer.byteLength(line) < MAX_RECORD_BYTES;
}

/** Last resort for records that are large without long texts, e.g. with endless lists. */
function dropLargestFields(record: object): object {
  const kept: Record<string, unknown> = {};
  const truncated: string[] = [];
  for (const [key, value] of Object.entries(record)) {
    if ((JSON.stringify(value)?.length ?? 0) <= MAX_RECORD_BYTES / 32) kept[key] = value;
    else truncated.push(key);
  }
  return { ...kept, truncated };
}
