import type { ReadConnection } from '../../store/connection.ts';
import { passesFilters } from '../../store/filters.ts';
import { type LineFilter, RecordReader } from '../../store/record-reader.ts';
import { type SearchedDocument, type SearchedLog, toDocument } from '../../store/searchable.ts';
import type { SearchQuery } from '../search-types.ts';
import type { DocumentLocation } from './candidates.ts';

/** An indexed document with its text, read from the log. */
export interface LoadedDocument extends SearchedDocument {
  readonly id: number;
}

interface FileInfo {
  readonly log: SearchedLog;
  readonly path: string;
  readonly project: string;
}

/** Reads the documents that a query may find. Close it after the search. */
export class DocumentLoader {
  readonly #query: SearchQuery;
  readonly #files: ReadonlyMap<number, FileInfo>;
  readonly #cache: DocumentCache;
  readonly #reader = new RecordReader();

  constructor(connection: ReadConnection, query: SearchQuery) {
    this.#query = query;
    this.#files = connection.cached('files', () => readFiles(connection));
    this.#cache = connection.cached('cache', () => new DocumentCache());
  }

  /**
   * The document, or undefined when it is gone from its log or does not pass the filters of the query. A filter may
   * also reject documents that are not cached, before their record is parsed.
   */
  load(location: DocumentLocation, filter?: LineFilter): LoadedDocument | undefined {
    const document = this.#cache.get(location.id) ?? this.#read(location, filter);
    return document && passesFilters(this.#query, document.project, document.record) ? document : undefined;
  }

  close(): void {
    this.#reader.close();
  }

  #read(
    { id, file: fileId, start, length, time }: DocumentLocation,
    filter: LineFilter | undefined,
  ): LoadedDocument | undefined {
    const file = this.#files.get(fileId);
    if (!file) return undefined;
    const record = this.#reader.read({ log: file.log, path: file.path, start, length }, filter);
    if (!record) return undefined;
    const document = { id, ...toDocument(file.project, record, time) };
    this.#cache.add(document);
    return document;
  }
}

function readFiles(connection: ReadConnection): ReadonlyMap<number, FileInfo> {
  const files = connection.all<FileInfo & { readonly id: number }>(
    'SELECT file.id, log, path, project.name AS project FROM file JOIN project ON project.id = file.project',
  );
  return new Map(files.map((file) => [file.id, file]));
}

/** Characters of cached texts. Each text is stored twice: as it is and folded. */
const MAX_CACHED_CHARACTERS = 2 * 1024 * 1024;

/**
 * Recently read documents. Searching while typing, or again with other filters, needs the same ones again. When the
 * newer half is full, the older half is dropped.
 */
class DocumentCache {
  #newer = new Map<number, LoadedDocument>();
  #older: ReadonlyMap<number, LoadedDocument> = new Map();
  #characters = 0;

  get(id: number): LoadedDocument | undefined {
    return this.#newer.get(id) ?? this.#older.get(id);
  }

  add(document: LoadedDocument): void {
    if (this.#characters + document.text.length > MAX_CACHED_CHARACTERS / 2) {
      this.#older = this.#newer;
      this.#newer = new Map();
      this.#characters = 0;
    }
    this.#newer.set(document.id, document);
    this.#characters += document.text.length;
  }
}
