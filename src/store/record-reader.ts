import { isAscii } from 'node:buffer';
import { closeSync, readSync } from 'node:fs';
import { openFile } from '../files/file-access.ts';
import { isTombstone, parseRecord, type Searchable, type SearchedLog } from './searchable.ts';

/** Where a record is in the logs. */
export interface RecordLocation {
  readonly log: SearchedLog;
  readonly path: string;
  readonly start: number;
  readonly length: number;
}

/** Rules out records by their unparsed line. */
export type LineFilter = (line: string) => boolean;

const MIN_BUFFER_BYTES = 16 * 1024;

/** Reads single records from the logs. Files stay open until it is closed. */
export class RecordReader {
  readonly #descriptors = new Map<string, number | undefined>();
  #buffer: Buffer = Buffer.alloc(0);

  /** The record, or undefined when it is no longer there or the filter rules it out. */
  read({ log, path, start, length }: RecordLocation, filter?: LineFilter): Searchable | undefined {
    const descriptor = this.#open(path);
    if (descriptor === undefined) return undefined;
    if (this.#buffer.length < length) this.#buffer = Buffer.allocUnsafe(Math.max(length, MIN_BUFFER_BYTES));
    const bytes = this.#buffer.subarray(0, readSync(descriptor, this.#buffer, 0, length, start));
    // Decoding UTF-8 takes three times as long as copying ASCII, which most records are.
    const line = bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
    if (filter?.(line) === false) return undefined;
    const parsed = parseRecord(log, line);
    return parsed.ok && !isTombstone(parsed.record) ? parsed.record : undefined;
  }

  close(): void {
    for (const descriptor of this.#descriptors.values()) if (descriptor !== undefined) closeSync(descriptor);
    this.#descriptors.clear();
  }

  #open(path: string): number | undefined {
    if (this.#descriptors.has(path)) return this.#descriptors.get(path);
    let descriptor: number | undefined;
    try {
      descriptor = openFile(path);
    } catch {} // Removed since it was indexed; the next catch-up removes its documents.
    this.#descriptors.set(path, descriptor);
    return descriptor;
  }
}
