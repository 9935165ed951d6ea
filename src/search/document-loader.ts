import type { DocumentPlace } from './candidates.ts';
import type { Connection } from './connection.ts';
import { passesFilters } from './facts.ts';
import { fold } from './fold.ts';
import { RecordReader } from './record-reader.ts';
import type { SearchQuery } from './search-query.ts';
import { type Searchable, type SearchedLog, searchableText } from './searchable.ts';

/** A document with its text, as the log has it. */
export interface LoadedDocument {
  readonly id: number;
  readonly project: string;
  readonly record: Searchable;
  readonly time: number;
  readonly text: string;
  readonly folded: string;
}

interface FileInfo {
  readonly log: SearchedLog;
  readonly path: string;
  readonly project: string;
}

/** Texts that are kept although they were not what was looked for: another part of the search may want them. */
const MOST_KEPT = 500;

/** Reads documents that a query may find. Close it after the search. */
export class DocumentLoader {
  readonly #connection: Connection;
  readonly #query: SearchQuery;
  readonly #loaded = new Map<number, LoadedDocument | undefined>();
  readonly #reader = new RecordReader();

  constructor(connection: Connection, query: SearchQuery) {
    this.#connection = connection;
    this.#query = query;
  }

  /** The document, or undefined when it is gone from its log or does not pass the filters of the query. */
  load(place: DocumentPlace): LoadedDocument | undefined {
    if (this.#loaded.has(place.id)) return this.#loaded.get(place.id);
    const document = this.#read(place);
    this.#loaded.set(place.id, document);
    return document;
  }

  /** Lets go of a document that is probably not needed again, when there are many. */
  discard(id: number): void {
    if (this.#loaded.size > MOST_KEPT) this.#loaded.delete(id);
  }

  close(): void {
    this.#reader.close();
  }

  #read({ id, file: fileId, start, length, time }: DocumentPlace): LoadedDocument | undefined {
    const file = this.#file(fileId);
    const record = file && this.#reader.read(file.log, file.path, start, length);
    if (!record || !passesFilters(this.#query, file.project, record)) return undefined;
    const text = searchableText(record);
    return { id, project: file.project, record, time, text, folded: fold(text) };
  }

  #file(id: number): FileInfo | undefined {
    return this.#connection.remembered('files', () => filesOf(this.#connection)).get(id);
  }
}

function filesOf(connection: Connection): ReadonlyMap<number, FileInfo> {
  const files = connection.all<FileInfo & { readonly id: number }>(
    'SELECT file.id, log, path, project.name AS project FROM file JOIN project ON project.id = file.project',
  );
  return new Map(files.map((file) => [file.id, file]));
}
