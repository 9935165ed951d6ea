import { closeSync, constants, ftruncateSync, readdirSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import {
  errorCode,
  openFile,
  readBytes,
  readStamp,
  statIfExists,
  storageError,
  writeFileAtomic,
} from '../../../files/file-access.ts';
import { checksum } from '../../../files/keyed-file.ts';
import type { LogCursor } from '../../../log/follow.ts';

/** The position of a line in the data file, in bytes. */
export interface DataRange {
  readonly offset: number;
  readonly length: number;
}

const LINE_END = Buffer.from(']\n');
const NOT_ASCII = /[\u0080-\uffff]/g;

/** Encodes a value as a line with a checksum, `["checksum",value]`, in ASCII, which is many times faster to read. */
export function encodeLine(value: object): Buffer {
  const toEscape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const json = JSON.stringify(value).replace(NOT_ASCII, toEscape);
  const body = Buffer.from(json, 'latin1');
  return Buffer.concat([Buffer.from(`["${checksum(body).toString(36)}",`), body, LINE_END]);
}

/** Decodes a line; undefined when it is damaged. */
export function decodeLine(line: Buffer | undefined): unknown {
  if (line === undefined) return undefined;
  const start = line.indexOf('",') + 2;
  const json = line.subarray(start, -2);
  const head = line.toString('latin1', 0, start);
  return head === `["${checksum(json).toString(36)}",` ? JSON.parse(json.toString('latin1')) : undefined;
}

/**
 * Opens a data file for reading ranges, which are undefined if the file does not exist.
 * @throws STORAGE when it cannot be read
 */
export function withData<T>(path: string, work: (read: (range: DataRange) => Buffer | undefined) => T): T {
  let descriptor: number | undefined;
  try {
    descriptor = openFile(path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw storageError('read', path, error);
  }
  try {
    return work((range) => (descriptor === undefined ? undefined : readRange(descriptor, range)));
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function readRange(descriptor: number, { offset, length }: DataRange): Buffer | undefined {
  const bytes = Buffer.allocUnsafe(length);
  return readSync(descriptor, bytes, 0, length, offset) === length ? bytes : undefined;
}

/** The size of a data file; undefined if it does not exist. */
export function dataSize(path: string): number | undefined {
  return statIfExists(path)?.size;
}

/** Truncates the file to `offset`, discarding an interrupted update, and appends lines. */
export function writeData(path: string, offset: number, lines: readonly Buffer[]): void {
  let descriptor: number | undefined;
  try {
    descriptor = openFile(path, constants.O_RDWR | (offset === 0 ? constants.O_CREAT : 0));
    ftruncateSync(descriptor, offset);
    const bytes = Buffer.concat(lines);
    for (let written = 0; written < bytes.length; ) {
      written += writeSync(descriptor, bytes, written, bytes.length - written, offset + written);
    }
  } catch (error) {
    throw storageError('write', path, error);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** A session in the head. */
export interface SessionEntry {
  readonly sessionId: string;
  /** ISO 8601, UTC. */
  readonly endedAt: string;
  /** Whether it counts as work. */
  readonly isWork: boolean;
  /** Whether another session started it, as a sub-agent. */
  readonly isSubAgent: boolean;
  /** Position of its state in the data file; its digest follows. */
  readonly offset: number;
  readonly stateLength: number;
  readonly digestLength: number;
}

/** The head of the digest snapshot: cursors in the logs, and the position of each session in the data file. */
export interface DigestHead {
  readonly v: number;
  /** Generation of the project's logs. */
  readonly generation: number;
  /** Number of the data file. */
  readonly data: number;
  /** Valid bytes of the data file. */
  readonly size: number;
  /** Obsolete bytes among them. */
  readonly dead: number;
  readonly logs: LogCursor;
  readonly archive: LogCursor;
  /** Times of deletion by session id. */
  readonly tombstones: Readonly<Record<string, string>>;
  readonly sessions: readonly SessionEntry[];
}

/** Must be raised with every change of what is derived from the logs; snapshots of other versions are rebuilt. */
const VERSION = 11;
const HEAD = 'digest.json';
const DATA = /^digest-\d+\.jsonl$/;

/** Path of the data file with that number. */
export function dataPath(directory: string, number: number): string {
  return join(directory, `digest-${number}.jsonl`);
}

/** Reads the head; undefined when it is missing, damaged or of another version. */
export function readHead(directory: string): DigestHead | undefined {
  let text: Buffer;
  try {
    text = readBytes(join(directory, HEAD));
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return undefined;
    throw storageError('read', join(directory, HEAD), error);
  }
  const head = decodeLine(text) as (Omit<DigestHead, 'sessions'> & { sessions: readonly Row[] }) | undefined;
  if (head?.v !== VERSION) return undefined;
  return { ...head, sessions: head.sessions.map(fromRow) };
}

/** Writes the head and returns it. */
export function writeHead(directory: string, fields: Omit<DigestHead, 'v'>): DigestHead {
  const head = { v: VERSION, ...fields };
  const line = encodeLine({ ...head, sessions: head.sessions.map(toRow) });
  writeFileAtomic(join(directory, HEAD), line, { durable: false });
  return head;
}

/** Changes whenever the head is written; empty if there is none. */
export function headStamp(directory: string): string {
  return readStamp(join(directory, HEAD));
}

/** Deletes all data files but the one with the number `kept`. */
export function deleteData(directory: string, kept?: number): void {
  for (const name of listNames(directory)) {
    if (!DATA.test(name) || (kept !== undefined && join(directory, name) === dataPath(directory, kept))) continue;
    rmSync(join(directory, name), { force: true });
  }
}

/** Deletes the digests of a project. The next update rebuilds them from the logs. */
export function removeDigests(directory: string): void {
  rmSync(join(directory, HEAD), { force: true });
  deleteData(directory);
}

/** The compact form of a {@link SessionEntry} on disk. */
/** `flags`: 1 for work, 2 for a sub-agent. */
type Row = readonly [sessionId: string, endedAt: string, flags: number, offset: number, state: number, digest: number];

function toRow(entry: SessionEntry): Row {
  const { sessionId, endedAt, isWork, isSubAgent, offset, stateLength, digestLength } = entry;
  return [sessionId, endedAt, (isWork ? 1 : 0) | (isSubAgent ? 2 : 0), offset, stateLength, digestLength];
}

function fromRow([sessionId, endedAt, flags, offset, stateLength, digestLength]: Row): SessionEntry {
  const is = { isWork: (flags & 1) !== 0, isSubAgent: (flags & 2) !== 0 };
  return { sessionId, endedAt, ...is, offset, stateLength, digestLength };
}

function listNames(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw storageError('read', directory, error);
  }
}
