import { getOrAdd } from '../record/once.ts';
import type { Connection } from './connection.ts';
import { DocumentIds } from './document-ids.ts';
import { FactRows } from './fact-rows.ts';
import { recordFilterTerms } from './filters.ts';
import { toIndexTerms } from './index-terms.ts';
import { removeDocuments } from './remove-documents.ts';
import { changeDocumentCount } from './schema.ts';
import { isAttempt, type Searchable, type SearchedLog, searchedText } from './searchable.ts';
import {
  addToSession,
  emptySession,
  locateDocument,
  type RecordPlace,
  type SessionRow,
  saveSession,
} from './session-rows.ts';
import { saveTermCounts, TermCounter } from './term-counts.ts';
import type { FoundFile } from './tracked-files.ts';
import { SessionUsage, saveActivity } from './usage-rows.ts';

/** A log file whose records are being added. */
export interface BatchFile extends Pick<FoundFile, 'segmentOrder'> {
  readonly id: number;
  readonly log: SearchedLog;
  /** Row of the project, and the project's own id. */
  readonly project: number;
  readonly projectId: string;
}

interface NewDocument {
  readonly id: number;
  readonly file: number;
  readonly start: number;
  readonly length: number;
  readonly session: number;
  readonly time: number;
  readonly isCall: boolean;
  /** Where its texts, parts and filter terms begin in the arena: each ends where the next one begins. */
  readonly text: number;
  readonly output: number;
  readonly parts: number;
  readonly filters: number;
  readonly end: number;
}

const NOTHING: Uint8Array = new Uint8Array();

/** Memory that one batch leaves to the next, so that it need not grow again each time. */
export class BatchBuffers {
  readonly terms: TermCounter = new TermCounter();
  readonly texts: TextArena = new TextArena();
}

/** Records that are added to the index in one transaction, in any order. */
export class IndexBatch {
  readonly #connection: Connection;
  readonly #ids: DocumentIds;
  readonly #terms: TermCounter;
  readonly #texts: TextArena;
  readonly #documents: NewDocument[] = [];
  readonly #places = new Map<number, RecordPlace>();
  readonly #locate = (document: number | null): RecordPlace | undefined =>
    this.#places.get(document ?? 0) ?? locateDocument(this.#connection, document);
  #lastSession = 0;
  readonly #sessions = new Map<string, SessionRow>();
  readonly #usage = new SessionUsage();
  readonly #facts = new FactRows();
  readonly #tombstones: { readonly file: BatchFile; readonly session: string; readonly time: number }[] = [];

  constructor(connection: Connection, { terms, texts }: BatchBuffers) {
    this.#connection = connection;
    this.#terms = terms;
    this.#texts = texts;
    terms.clear();
    texts.clear();
    this.#ids = new DocumentIds(connection);
  }

  /** Adds a message or attempt whose line has `length` bytes from `start` on in its file. */
  addRecord(file: BatchFile, start: number, length: number, record: Searchable): void {
    const time = Date.parse(record.timestamp);
    const session = this.#findSession(file, record.sessionId);
    const document = this.#ids.take(time);
    const { log, segmentOrder } = file;
    const place = { log, segmentOrder, start };
    const { project, projectId } = file;
    const found = this.#facts.add({ project, projectId, session: session.id, document, time }, record);
    addToSession(this.#locate, session, { document, time, ...place, record, found });
    this.#places.set(document, place);
    this.#usage.add(session.id, time, record);
    const terms = toIndexTerms(searchedText(record));
    this.#terms.nextDocument();
    this.#terms.add(terms.text);
    this.#terms.add(terms.output);
    this.#terms.add(terms.parts);
    const text = this.#texts.end;
    const output = this.#texts.add(terms.text);
    const parts = this.#texts.add(terms.output);
    const filters = this.#texts.add(terms.parts);
    const end = this.#texts.add(recordFilterTerms(file.projectId, record).join(' '));
    const location = { file: file.id, start, length, session: session.id, time, isCall: isAttempt(record) };
    this.#documents.push({ id: document, ...location, text, output, parts, filters, end });
  }

  /** Hides the records of a session up to a time: those that are indexed, and those that are still to come. */
  addTombstone(file: BatchFile, session: string, time: number): void {
    this.#tombstones.push({ file, session, time });
  }

  /** Writes everything; returns the number of documents. */
  write(): number {
    this.#writeDocuments();
    this.#usage.save(this.#connection);
    this.#facts.save(this.#connection);
    for (const session of this.#sessions.values()) {
      saveSession(this.#connection, session);
      saveActivity(this.#connection, session.id);
    }
    saveTermCounts(this.#connection, this.#terms);
    this.#ids.save();
    changeDocumentCount(this.#connection, this.#documents.length);
    this.#applyTombstones();
    return this.#documents.length;
  }

  #writeDocuments(): void {
    // FTS5 flushes what it has collected whenever an id is smaller than the one before.
    this.#documents.sort((a, b) => a.id - b.id);
    for (const { id, file, start, length, session, time, isCall, text, output, parts, filters, end } of this
      .#documents) {
      this.#connection.run(
        'INSERT INTO fts (rowid, said, did, output, parts, filters) VALUES (?, ?, ?, ?, ?, ?)',
        id,
        isCall ? NOTHING : this.#texts.bytes(text, output),
        isCall ? this.#texts.bytes(text, output) : NOTHING,
        this.#texts.bytes(output, parts),
        this.#texts.bytes(parts, filters),
        this.#texts.bytes(filters, end),
      );
      this.#connection.run('INSERT INTO document VALUES (?, ?, ?, ?, ?, ?)', id, file, start, length, session, time);
    }
  }

  /** Removes the hidden documents of all sessions that this batch added to or deletes. */
  #applyTombstones(): void {
    for (const { file, session, time } of this.#tombstones) {
      this.#connection.run('INSERT INTO tombstone VALUES (?, ?, ?, ?)', file.project, session, time, file.id);
      this.#removeHidden(file.project, session);
    }
    if (!this.#connection.get('SELECT 1 FROM tombstone LIMIT 1')) return;
    for (const { project, name } of this.#sessions.values()) this.#removeHidden(project, name);
  }

  #removeHidden(project: number, session: string): void {
    const hidden = this.#connection.all<{ readonly id: number }>(
      `SELECT document.id FROM session JOIN document ON document.session = session.id
       WHERE session.name = ?1 AND session.project = ?2
         AND time <= (SELECT max(time) FROM tombstone WHERE project = ?2 AND session = ?1)`,
      session,
      project,
    );
    removeDocuments(this.#connection, hidden);
  }

  #findSession(file: BatchFile, name: string): SessionRow {
    const sql = 'SELECT * FROM session WHERE name = ? AND project = ?';
    return getOrAdd(
      this.#sessions,
      `${file.project} ${name}`,
      () =>
        this.#connection.get<SessionRow>(sql, name, file.project) ??
        emptySession(this.#newSessionId(), file.project, name),
    );
  }

  /** The last id is remembered because sessions are written at the end of the batch. */
  #newSessionId(): number {
    const row = this.#connection.get<{ readonly last: number | null }>('SELECT max(id) AS last FROM session');
    this.#lastSession = Math.max(row?.last ?? 0, this.#lastSession) + 1;
    return this.#lastSession;
  }
}

const INITIAL_BYTES = 64 * 1024;
const MAX_BYTES_PER_UNIT = 3;

/**
 * Holds many texts as UTF-8 in one reused block of memory until they are written. As strings they would outlive the
 * short-lived ones around them and pile up until the next major garbage collection.
 */
export class TextArena {
  #bytes: Buffer = Buffer.allocUnsafe(INITIAL_BYTES);
  #used = 0;

  /** Adds a text; returns where it ends and the next one begins. */
  add(text: string): number {
    const needed = this.#used + text.length * MAX_BYTES_PER_UNIT;
    if (needed > this.#bytes.length) this.#grow(needed);
    this.#used += this.#bytes.write(text, this.#used);
    return this.#used;
  }

  /** Where the next text begins. */
  get end(): number {
    return this.#used;
  }

  /** The bytes of a range. Valid until something is added. */
  bytes(start: number, end: number): Uint8Array {
    return this.#bytes.subarray(start, end);
  }

  clear(): void {
    this.#used = 0;
  }

  #grow(needed: number): void {
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#used);
    this.#bytes = larger;
  }
}
