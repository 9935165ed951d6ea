import { isAscii } from 'node:buffer';
import { closeSync, openSync, readSync } from 'node:fs';
import { foldCase } from '../../text/fold-case.ts';
import type { Connection } from '../index/connection.ts';
import type { SearchQuery } from '../search-types.ts';
import {
  isTombstone,
  parseRecord,
  type Searchable,
  type SearchedLog,
  searchableText,
} from '../searchable.ts';
import type { DocumentPlace } from './candidates.ts';
import { passesFilters } from './filters.ts';
import type { TextFilter } from './text-matcher.ts';

interface FileInfo {
  readonly log: SearchedLog;
  readonly path: string;
  readonly project: string;
}

/** Reads documents that a query may find. Close it after the search. */
export class DocumentLoader {
  readonly #query: SearchQuery;
  readonly #files: ReadonlyMap<number, FileInfo>;
  readonly #cache: DocumentCache;
  readonly #reader = new RecordReader();

  constructor(connection: Connection, query: SearchQuery) {
    this.#query = query;
    this.#files = connection.remembered('files', () => filesOf(connection));
    this.#cache = connection.remembered('cache', () => new DocumentCache());
  }

  /**
   * The document, or undefined when it is gone from its log or does not pass the filters of the query. With a filter,
   * also when it has to be read and its line is not let through.
   */
  load(place: DocumentPlace, filter?: TextFilter): LoadedDocument | undefined {
    const document = this.#cache.get(place.id) ?? this.#read(place, filter);
    return document && passesFilters(this.#query, document.project, document.record) ? document : undefined;
  }

  close(): void {
    this.#reader.close();
  }

  #read(
    { id, file: fileId, start, length, time }: DocumentPlace,
    filter: TextFilter | undefined,
  ): LoadedDocument | undefined {
    const file = this.#files.get(fileId);
    const record = file && this.#reader.read(file.log, file.path, start, length, filter);
    if (!record) return undefined;
    const text = searchableText(record);
    const document = { id, project: file.project, record, time, text, folded: foldCase(text) };
    this.#cache.add(document);
    return document;
  }
}

function filesOf(connection: Connection): ReadonlyMap<number, FileInfo> {
  const files = connection.all<FileInfo & { readonly id: number }>(
    'SELECT file.id, log, path, project.name AS project FROM file JOIN project ON project.id = file.project',
  );
  return new Map(files.map((file) => [file.id, file]));
}

/** A document with its text, as the log has it. */
export interface LoadedDocument {
  readonly id: number;
  readonly project: string;
  readonly record: Searchable;
  readonly time: number;
  readonly text: string;
  readonly folded: string;
}

/** Characters of text that are kept, twice: as it is and folded. */
const MOST_CHARACTERS = 2 * 1024 * 1024;

/**
 * Documents that were read lately. Whoever searches while typing, or asks again with other filters, gets the same
 * ones again and again. When it is full, those that came first go.
 */
class DocumentCache {
  readonly #documents = new Map<number, LoadedDocument>();
  #characters = 0;

  get(id: number): LoadedDocument | undefined {
    return this.#documents.get(id);
  }

  add(document: LoadedDocument): void {
    this.#documents.set(document.id, document);
    this.#characters += document.text.length;
    for (const [id, { text }] of this.#documents) {
      if (this.#characters <= MOST_CHARACTERS) return;
      this.#documents.delete(id);
      this.#characters -= text.length;
    }
  }
}

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
