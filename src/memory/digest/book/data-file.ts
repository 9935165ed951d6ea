import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { checksum, errorCode, storageError } from '../../../files/index.ts';

/** Where a line is in the data file, in bytes. */
export interface Place {
  readonly offset: number;
  readonly length: number;
}

const LINE_END = Buffer.from(']\n');
const NOT_ASCII = /[\u0080-\uffff]/g;

/**
 * A value as a line that tells when it is damaged: `["checksum",value]`. All of it is ASCII, which is read and
 * written many times faster than other text.
 */
export function encodeLine(value: object): Buffer {
  const json = JSON.stringify(value).replace(NOT_ASCII, escapeUnit);
  const body = Buffer.from(json, 'latin1');
  return Buffer.concat([Buffer.from(`["${checksum(body).toString(36)}",`), body, LINE_END]);
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** The value of a line; undefined when it is damaged. */
export function decodeLine(line: Buffer | undefined): unknown {
  if (line === undefined) return undefined;
  const start = line.indexOf('",') + 2;
  const json = line.subarray(start, -2);
  const head = line.toString('latin1', 0, start);
  return head === `["${checksum(json).toString(36)}",` ? JSON.parse(json.toString('latin1')) : undefined;
}

/**
 * Reads parts of a data file; gives undefined for all of them when there is none.
 * @throws STORAGE when it cannot be read
 */
export function withData<T>(path: string, work: (read: (place: Place) => Buffer | undefined) => T): T {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, 'r');
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw storageError('read', path, error);
  }
  try {
    return work((place) => (descriptor === undefined ? undefined : readPlace(descriptor, place)));
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function readPlace(descriptor: number, { offset, length }: Place): Buffer | undefined {
  const bytes = Buffer.allocUnsafe(length);
  return readSync(descriptor, bytes, 0, length, offset) === length ? bytes : undefined;
}

/** The size of a data file; undefined when there is none. */
export function dataSize(path: string): number | undefined {
  try {
    const descriptor = openSync(path, 'r');
    try {
      return fstatSync(descriptor).size;
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw storageError('read', path, error);
  }
}

/** Writes lines at `offset`, which becomes the end of what was there: an update that was broken off is overwritten. */
export function writeData(path: string, offset: number, lines: readonly Buffer[]): void {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, offset === 0 ? 'w' : 'r+', 0o600);
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
