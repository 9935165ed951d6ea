import type { Connection } from './connection.ts';
import { DocumentIds } from './document-ids.ts';
import { factTerms } from './facts.ts';
import { indexedTerms } from './indexed-terms.ts';
import { removeDocuments } from './remove-documents.ts';
import { type Searchable, searchableText } from './searchable.ts';
import { addToSession, emptySession, type SessionRow, saveSession } from './session-rows.ts';
import { changeDocumentCount } from './state.ts';
import { TermCounter } from './term-counter.ts';
import { addTerms } from './term-table.ts';
import { TextArena } from './text-arena.ts';
import type { FoundFile } from './tracked-files.ts';

/** A log file whose records are being added. */
export interface BatchFile extends Pick<FoundFile, 'log' | 'position'> {
  readonly id: number;
  readonly project: number;
  readonly projectName: string;
}

interface NewDocument {
  readonly id: number;
  readonly file: number;
  readonly start: number;
  readonly length: number;
  readonly session: number;
  readonly time: number;
  /** Where its text, its parts and its facts are: each ends where the next one begins. */
  readonly text: number;
  readonly parts: number;
  readonly facts: number;
  readonly end: number;
}

/** What a batch gathers, kept for the next one: making it large again every time would take memory. */
export class BatchMemory {
  readonly terms: TermCounter = new TermCounter();
  readonly texts: TextArena = new TextArena();
}

/** Records that go into the index together, inside one transaction. Add them in the order of the logs. */
export class IndexBatch {
  readonly #connection: Connection;
  readonly #ids: DocumentIds;
  readonly #terms: TermCounter;
  readonly #texts: TextArena;
  readonly #documents: NewDocument[] = [];
  #lastSession = 0;
  readonly #sessions = new Map<string, SessionRow>();
  readonly #tombstones: { readonly file: BatchFile; readonly session: string; readonly time: number }[] = [];

  constructor(connection: Connection, { terms, texts }: BatchMemory) {
    this.#connection = connection;
    this.#terms = terms;
    this.#texts = texts;
    terms.clear();
    texts.clear();
    this.#ids = new DocumentIds(connection);
  }

  /** Takes in a message or an attempt, found `length` bytes long at `start` of its file. */
  addRecord(file: BatchFile, start: number, length: number, record: Searchable): void {
    const time = Date.parse(record.timestamp);
    const session = this.#sessionOf(file, record.sessionId);
    const document = this.#ids.take(time);
    const { log, position } = file;
    addToSession(this.#connection, session, { document, time, log, position, start, record });
    const indexed = indexedTerms(searchableText(record));
    this.#terms.nextDocument();
    this.#terms.add(indexed.text);
    this.#terms.add(indexed.parts);
    const text = this.#texts.end;
    const parts = this.#texts.add(indexed.text);
    const facts = this.#texts.add(indexed.parts);
    const end = this.#texts.add(factTerms(file.projectName, record).join(' '));
    const place = { file: file.id, start, length, session: session.id, time };
    this.#documents.push({ id: document, ...place, text, parts, facts, end });
  }

  /** Hides a session's records up to a time: those that are known, and those that are yet to come. */
  addTombstone(file: BatchFile, session: string, time: number): void {
    this.#tombstones.push({ file, session, time });
  }

  /** Writes everything; returns the number of documents. */
  write(): number {
    this.#writeDocuments();
    for (const session of this.#sessions.values()) saveSession(this.#connection, session);
    addTerms(this.#connection, this.#terms);
    this.#ids.save();
    changeDocumentCount(this.#connection, this.#documents.length);
    this.#hideForgotten();
    return this.#documents.length;
  }

  #writeDocuments(): void {
    // FTS5 writes out what it has gathered whenever an id is smaller than the one before.
    this.#documents.sort((a, b) => a.id - b.id);
    for (const { id, file, start, length, session, time, text, parts, facts, end } of this.#documents) {
      this.#connection.run(
        'INSERT INTO fts (rowid, text, parts, facts) VALUES (?, ?, ?, ?)',
        id,
        this.#texts.bytes(text, parts),
        this.#texts.bytes(parts, facts),
        this.#texts.bytes(facts, end),
      );
      this.#connection.run(
        'INSERT INTO document VALUES (?, ?, ?, ?, ?, ?)',
        id,
        file,
        start,
        length,
        session,
        time,
      );
    }
  }

  /** Of the sessions that this batch touched or forgets, removes what a tombstone hides. */
  #hideForgotten(): void {
    for (const { file, session, time } of this.#tombstones) {
      this.#connection.run('INSERT INTO tombstone VALUES (?, ?, ?, ?)', file.project, session, time, file.id);
      this.#hide(file.project, session);
    }
    if (!this.#connection.get('SELECT 1 FROM tombstone LIMIT 1')) return;
    for (const { project, name } of this.#sessions.values()) this.#hide(project, name);
  }

  #hide(project: number, session: string): void {
    const hidden = this.#connection.all<{ readonly id: number }>(
      `SELECT document.id FROM session JOIN document ON document.session = session.id
       WHERE session.name = ?1 AND session.project = ?2
         AND time <= (SELECT max(time) FROM tombstone WHERE project = ?2 AND session = ?1)`,
      session,
      project,
    );
    removeDocuments(
      this.#connection,
      hidden.map(({ id }) => id),
    );
  }

  #sessionOf(file: BatchFile, name: string): SessionRow {
    const key = `${file.project} ${name}`;
    const known = this.#sessions.get(key);
    if (known) return known;
    const row =
      this.#connection.get<SessionRow>(
        'SELECT * FROM session WHERE name = ? AND project = ?',
        name,
        file.project,
      ) ?? emptySession(this.#newSessionId(), file.project, name);
    this.#sessions.set(key, row);
    return row;
  }

  /** Sessions are written at the end of the batch, and others may be removed meanwhile, so ids are remembered. */
  #newSessionId(): number {
    const row = this.#connection.get<{ readonly last: number | null }>('SELECT max(id) AS last FROM session');
    this.#lastSession = Math.max(row?.last ?? 0, this.#lastSession) + 1;
    return this.#lastSession;
  }
}
