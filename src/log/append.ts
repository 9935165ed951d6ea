import { closeSync, constants, fstatSync, mkdirSync, openSync, readSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode, storageError } from '../files/index.ts';
import { YoreError } from '../record/index.ts';
import { redactValue } from '../redact/index.ts';
import { serialiseBounded } from './bound.ts';

const NEWLINE = 0x0a;
/** Of the lines that are written at once, in characters. */
const WRITE_LENGTH = 256 * 1024;
const FLAGS = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT;

/**
 * Appends one record to a log: redacted, bounded in size, as one line in one `write()`. Any number of
 * processes may append to the same file. Creates the file (0600) and its folder (0700) when missing. A line
 * torn by an earlier crash is closed first, so that it costs nothing but itself.
 */
export function appendRecord(path: string, record: object): void {
  appendLine(path, serialiseBounded(redactValue(record)));
}

/**
 * Records on their way to a log. Each is redacted and bounded when it comes, as {@link appendRecord} does; many lines are
 * written in one `write()`. When one fails, the lines written before are whole.
 */
export class AppendBuffer {
  readonly #path: string;
  #whole: string[] = [];
  #text = '';
  #length = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** Of what waits, in characters. */
  get length(): number {
    return this.#length;
  }

  add(record: object): void {
    const line = serialiseBounded(redactValue(record));
    this.#text += `${line}\n`;
    this.#length += line.length + 1;
    if (this.#text.length < WRITE_LENGTH) return;
    this.#whole.push(this.#text);
    this.#text = '';
  }

  /** Writes what waits. */
  flush(): void {
    if (this.#length === 0) return;
    const pieces = [...this.#whole, this.#text];
    this.#whole = [];
    this.#text = '';
    this.#length = 0;
    withDescriptor(this.#path, (descriptor) => {
      for (const piece of pieces) if (piece !== '') write(descriptor, this.#path, piece);
    });
  }
}

/** Where a line went. */
export interface Appended {
  /** Number of the file, which it keeps when it is renamed. */
  readonly ino: number;
  /** Of the file, with the line, in bytes. */
  readonly size: number;
}

/**
 * Appends one line as it is. For records that were redacted before: read from another log, or not to be cut.
 * `look` sees the result while the file is open, so that no other file can have its number.
 */
export function appendLine(
  path: string,
  line: string,
  look: (appended: Appended) => void = () => undefined,
): void {
  withDescriptor(path, (descriptor) => look(write(descriptor, path, `${line}\n`)));
}

function withDescriptor(path: string, work: (descriptor: number) => void): void {
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

function write(descriptor: number, path: string, lines: string): Appended {
  const { ino, size } = fstatSync(descriptor);
  const bytes = Buffer.from(endsInTornLine(descriptor, size) ? `\n${lines}` : lines);
  const written = writeSync(descriptor, bytes);
  if (written < bytes.length) throw diskFull(path, written, bytes.length);
  return { ino, size: size + written };
}

function openForAppend(path: string): number {
  try {
    return openSync(path, FLAGS, 0o600);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return openSync(path, FLAGS, 0o600);
  }
}

function endsInTornLine(descriptor: number, size: number): boolean {
  if (size === 0) return false;
  const lastByte = Buffer.alloc(1);
  return readSync(descriptor, lastByte, 0, 1, size - 1) === 1 && lastByte[0] !== NEWLINE;
}

function diskFull(path: string, written: number, wanted: number): YoreError {
  return new YoreError(
    'DISK_FULL',
    `Cannot write to ${path}: the disk is full (${written} of ${wanted} bytes written). ` +
      'Free some space and try again; what was written before is intact.',
  );
}
