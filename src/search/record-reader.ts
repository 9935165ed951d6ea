import { isAscii } from 'node:buffer';
import { closeSync, openSync, readSync } from 'node:fs';
import { isTombstone, parseRecord, type Searchable, type SearchedLog } from './searchable.ts';
import type { TextFilter } from './text-filter.ts';

const LEAST_BUFFER_BYTES = 16 * 1024;
const NO_BYTES = Buffer.alloc(0);

/** Reads single records out of the logs. Files stay open until it is closed. */
export class RecordReader {
  readonly #descriptors = new Map<string, number | undefined>();
  #buffer: Buffer = NO_BYTES;

  /**
   * The record at a place of a file; undefined when the file or the record is no longer there, or when the filter
   * does not let it through.
   */
  read(
    log: SearchedLog,
    path: string,
    start: number,
    length: number,
    filter?: TextFilter,
  ): Searchable | undefined {
    const descriptor = this.#open(path);
    if (descriptor === undefined) return undefined;
    if (this.#buffer.length < length) this.#buffer = Buffer.allocUnsafe(Math.max(length, LEAST_BUFFER_BYTES));
    const bytes = readSync(descriptor, this.#buffer, 0, length, start);
    const read = this.#buffer.subarray(0, bytes);
    // Decoding UTF-8 takes three times as long as copying ASCII, which most records are.
    const line = read.toString(isAscii(read) ? 'latin1' : 'utf8');
    if (filter && !filter.letsLine(line)) return undefined;
    const parsed = parseRecord(log, line);
    return parsed.ok && !isTombstone(parsed.record) ? parsed.record : undefined;
  }

  close(): void {
    for (const descriptor of this.#descriptors.values()) if (descriptor !== undefined) closeSync(descriptor);
    this.#descriptors.clear();
  }

  #open(path: string): number | undefined {
    if (this.#descriptors.has(path)) return this.#descriptors.get(path);
    const descriptor = openOrUndefined(path);
    this.#descriptors.set(path, descriptor);
    return descriptor;
  }
}

function openOrUndefined(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch {
    return undefined; // gone since it was indexed; the next catching up sees to it
  }
}
