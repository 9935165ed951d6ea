import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, storageError, writeFileAtomic } from '../../../files/index.ts';
import type { LogCursor } from '../../../log/index.ts';
import { decodeLine, encodeLine, type Place } from './data-file.ts';

/** What the head of the book says of a session. */
export interface SessionEntry {
  readonly sessionId: string;
  /** ISO 8601, UTC. */
  readonly endedAt: string;
  /** Where its state is in the data file; its digest follows. */
  readonly offset: number;
  readonly stateLength: number;
  readonly digestLength: number;
}

/** The head of the book: how far the logs were read, and where in the data file each session is. */
export interface BookHead {
  readonly v: number;
  /** Of the project, when the logs were read from their beginning. */
  readonly generation: number;
  /** Number of the data file. */
  readonly data: number;
  /** Bytes of the data file that count. */
  readonly size: number;
  /** How many of them are of former states. */
  readonly dead: number;
  readonly logs: LogCursor;
  readonly archive: LogCursor;
  /** Sessions that were forgotten, and until when. */
  readonly tombstones: Readonly<Record<string, string>>;
  readonly sessions: readonly SessionEntry[];
  /** Where the tally of the project is in the data file. */
  readonly tally: Place;
}

/** To be raised with every change of what is derived from the logs: books of other versions are made anew. */
const VERSION = 2;
const HEAD = 'digest.json';
const DATA = /^digest-\d+\.jsonl$/;

/** Path of the data file of that number. */
export function dataPath(directory: string, number: number): string {
  return join(directory, `digest-${number}.jsonl`);
}

/** Reads the head; undefined when it is missing, damaged or of another version. */
export function readHead(directory: string): BookHead | undefined {
  let text: Buffer;
  try {
    text = readFileSync(join(directory, HEAD));
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return undefined;
    throw storageError('read', join(directory, HEAD), error);
  }
  const head = decodeLine(text) as (Omit<BookHead, 'sessions'> & { sessions: readonly Row[] }) | undefined;
  if (head?.v !== VERSION) return undefined;
  return { ...head, sessions: head.sessions.map(entryOf) };
}

/** Replaces the head and returns it. */
export function writeHead(directory: string, fields: Omit<BookHead, 'v'>): BookHead {
  const head = { v: VERSION, ...fields };
  const line = encodeLine({ ...head, sessions: head.sessions.map(rowOf) });
  writeFileAtomic(join(directory, HEAD), line, { durable: false });
  return head;
}

/** Differs whenever another head was written; empty when there is none. */
export function headStamp(directory: string): string {
  const status = statSync(join(directory, HEAD), { throwIfNoEntry: false, bigint: true });
  return status ? `${status.ino} ${status.mtimeNs} ${status.size}` : '';
}

/** Deletes what there is of a book, but for the data file of the number `kept`. */
export function deleteData(directory: string, kept?: number): void {
  for (const name of namesIn(directory)) {
    if (!DATA.test(name) || (kept !== undefined && join(directory, name) === dataPath(directory, kept)))
      continue;
    rmSync(join(directory, name), { force: true });
  }
}

/** Deletes the book of a project. It is made anew from the logs when it is next updated. */
export function removeDigests(directory: string): void {
  rmSync(join(directory, HEAD), { force: true });
  deleteData(directory);
}

/** Sessions are many: a short form for each. */
type Row = readonly [sessionId: string, endedAt: string, offset: number, state: number, digest: number];

function rowOf({ sessionId, endedAt, offset, stateLength, digestLength }: SessionEntry): Row {
  return [sessionId, endedAt, offset, stateLength, digestLength];
}

function entryOf([sessionId, endedAt, offset, stateLength, digestLength]: Row): SessionEntry {
  return { sessionId, endedAt, offset, stateLength, digestLength };
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw storageError('read', directory, error);
  }
}
