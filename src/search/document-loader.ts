import { foldCase } from '../text/fold-case.ts';
import type { DocumentPlace } from './candidates.ts';
import type { Connection } from './connection.ts';
import { DocumentCache, type LoadedDocument } from './document-cache.ts';
import { passesFilters } from './facts.ts';
import { RecordReader } from './record-reader.ts';
import type { SearchQuery } from './search-query.ts';
import { type SearchedLog, searchableText } from './searchable.ts';
import type { TextFilter } from './text-filter.ts';

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
