import type { Connection } from './connection.ts';
import { DocumentIds } from './document-ids.ts';
import { factTerms } from './facts.ts';
import { indexedTerms } from './indexed-terms.ts';
import { removeDocuments } from './remove-documents.ts';
import { type Searchable, searchableText } from './searchable.ts';
import {
  addToSession,
  emptySession,
  type PlacedRecord,
  type SessionRow,
  saveSession,
} from './session-rows.ts';
import { changeDocumentCount } from './state.ts';
import { TermCounter } from './term-counter.ts';
import { addTerms } from './term-table.ts';
import type { FoundFile } from './tracked-files.ts';

/** A log file whose records are being added. */
export interface BatchFile extends Pick<FoundFile, 'log' | 'position'> {
  readonly id: number;
  readonly project: number;
  readonly projectName: string;
}

interface NewDocument extends PlacedRecord {
  readonly file: BatchFile;
  readonly length: number;
}

interface Forgotten {
  readonly file: BatchFile;
  readonly session: string;
  readonly time: number;
}

/** Records that go into the index together. Lives inside one transaction. */
export class IndexBatch {
  readonly #connection: Connection;
  readonly #ids: DocumentIds;
  readonly #documents: NewDocument[] = [];
  readonly #forgotten: Forgotten[] = [];
  /** By project and session, once all tombstones are written. */
  readonly #forgottenUntil = new Map<string, number>();

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#ids = new DocumentIds(connection);
  }

  /** Takes in a message or an attempt, found `length` bytes long at `start` of its file. */
  addRecord(file: BatchFile, start: number, length: number, record: Searchable): void {
    const time = Date.parse(record.timestamp);
    const { log, position } = file;
    this.#documents.push({
      document: this.#ids.take(time),
      time,
      log,
      position,
      start,
      length,
      file,
      record,
    });
  }

  /** Hides a session's records up to a time: those that are known, and those that are yet to come. */
  addTombstone(file: BatchFile, session: string, time: number): void {
    this.#forgotten.push({ file, session, time });
  }

  /** Writes everything; returns the number of documents. */
  write(): number {
    this.#writeTombstones();
    const documents = this.#documents.filter((document) => !this.#isForgotten(document));
    // FTS5 writes out what it has gathered whenever an id is smaller than the one before.
    documents.sort((a, b) => a.document - b.document);
    this.#writeDocuments(documents);
    this.#ids.save();
    changeDocumentCount(this.#connection, documents.length);
    return documents.length;
  }

  #writeTombstones(): void {
    for (const { file, session, time } of this.#forgotten) {
      this.#connection.run('INSERT INTO tombstone VALUES (?, ?, ?, ?)', file.project, session, time, file.id);
      const hidden = this.#connection.all<{ readonly id: number }>(
        `SELECT document.id FROM session JOIN document ON document.session = session.id
         WHERE session.name = ? AND session.project = ? AND document.time <= ?`,
        session,
        file.project,
        time,
      );
      removeDocuments(
        this.#connection,
        hidden.map(({ id }) => id),
      );
    }
  }

  #isForgotten({ file, record, time }: NewDocument): boolean {
    const key = `${file.project} ${record.sessionId}`;
    const known = this.#forgottenUntil.get(key);
    if (known !== undefined) return time <= known;
    const row = this.#connection.get<{ readonly time: number | null }>(
      'SELECT max(time) AS time FROM tombstone WHERE project = ? AND session = ?',
      file.project,
      record.sessionId,
    );
    const until = row?.time ?? Number.NEGATIVE_INFINITY;
    this.#forgottenUntil.set(key, until);
    return time <= until;
  }

  #writeDocuments(documents: readonly NewDocument[]): void {
    const counter = new TermCounter();
    const sessions = new Map<string, SessionRow>();
    for (const added of documents) {
      const { text, parts } = indexedTerms(searchableText(added.record));
      counter.nextDocument();
      counter.add(text);
      counter.add(parts);
      const facts = factTerms(added.file.projectName, added.record).join(' ');
      const session = this.#sessionOf(sessions, added);
      this.#connection.run(
        'INSERT INTO fts (rowid, text, parts, facts) VALUES (?, ?, ?, ?)',
        added.document,
        text,
        parts,
        facts,
      );
      this.#connection.run(
        'INSERT INTO document VALUES (?, ?, ?, ?, ?, ?)',
        added.document,
        added.file.id,
        added.start,
        added.length,
        session.id,
        added.time,
      );
      addToSession(this.#connection, session, added);
    }
    for (const session of sessions.values()) saveSession(this.#connection, session);
    addTerms(this.#connection, counter);
  }

  #sessionOf(sessions: Map<string, SessionRow>, { file, record }: NewDocument): SessionRow {
    const key = `${file.project} ${record.sessionId}`;
    const known = sessions.get(key);
    if (known) return known;
    const row =
      this.#connection.get<SessionRow>(
        'SELECT * FROM session WHERE name = ? AND project = ?',
        record.sessionId,
        file.project,
      ) ?? emptySession(this.#newSessionId(sessions.size), file.project, record.sessionId);
    sessions.set(key, row);
    return row;
  }

  /** Sessions are written at the end of the batch, so those before this one are counted in. */
  #newSessionId(unsaved: number): number {
    const row = this.#connection.get<{ readonly last: number | null }>('SELECT max(id) AS last FROM session');
    return (row?.last ?? 0) + unsaved + 1;
  }
}
