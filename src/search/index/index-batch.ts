import { factTerms } from '../query/filters.ts';
import { type Searchable, searchableText } from '../searchable.ts';
import type { Connection } from './connection.ts';
import { indexedTerms } from './index-terms.ts';
import { removeDocuments } from './remove-documents.ts';
import { changeDocumentCount, setState, stateOf } from './schema.ts';
import { addToSession, emptySession, type SessionRow, saveSession } from './session-rows.ts';
import { addTerms, TermCounter } from './term-counts.ts';
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

/** Ids per second. More records than this in one second go on into the ids of the next. */
const PER_SECOND = 64;
/** Later times than this (the year 2514) share ids. */
const LAST_SECOND = 2 ** 34 - 1;
/** Larger than any id. */
const TOP = 2 ** 41;

/**
 * Gives documents ids that fall with their time, so that the index yields the newest first and a span of time is a
 * span of ids, whatever the order in which logs are read. Falling and not rising, because FTS5 reads twice as fast
 * upwards as downwards. Seconds and not milliseconds, because it stores differences of ids, and larger ones make the
 * index a third larger.
 */
class DocumentIds {
  readonly #connection: Connection;
  /** For a second, the place to try next. Places rise with time: an id is what is left of {@link TOP}. */
  readonly #next = new Map<number, number>();
  readonly #taken = new Set<number>();
  #overflow = 0;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** An unused id for a document of that time. Of equal times, those that come later are newer. */
  take(time: number): number {
    const second = secondOf(time);
    let place = this.#next.get(second) ?? this.#freeFrom(second * PER_SECOND);
    while (this.#taken.has(place)) place = this.#after(place);
    this.#taken.add(place);
    this.#next.set(second, this.#after(place));
    this.#overflow = Math.max(this.#overflow, Math.floor(place / PER_SECOND) - second);
    return TOP - place;
  }

  /** Remembers by how much ids went beyond their second, which {@link idRange} must allow for. */
  save(): void {
    if (this.#overflow <= overflowOf(this.#connection)) return;
    setState(this.#connection, 'overflow', this.#overflow);
  }

  /** The next place that the database has not. */
  #after(place: number): number {
    const next = place + 1;
    return next % PER_SECOND === 0 ? this.#freeFrom(next) : next;
  }

  /** The first place after those that the database has of a second, or of the first one later that has any left. */
  #freeFrom(firstOfSecond: number): number {
    for (let first = firstOfSecond; ; first += PER_SECOND) {
      const row = this.#connection.get<{ readonly id: number | null }>(
        'SELECT min(id) AS id FROM document WHERE id BETWEEN ? AND ?',
        TOP - first - PER_SECOND + 1,
        TOP - first,
      );
      const free = row?.id == null ? first : TOP - row.id + 1;
      if (free < first + PER_SECOND) return free;
    }
  }
}

/** The ids that documents between two times, ends included, may have. Some of them may be of other times. */
export function idRange(
  connection: Connection,
  since: number | undefined,
  until: number | undefined,
): { readonly first: number; readonly last: number } {
  const end = until === undefined ? undefined : secondOf(until) + 1 + overflowOf(connection);
  return {
    first: end === undefined ? 0 : TOP - end * PER_SECOND + 1,
    last: since === undefined ? TOP : TOP - secondOf(since) * PER_SECOND,
  };
}

function overflowOf(connection: Connection): number {
  return stateOf(connection, 'overflow');
}

function secondOf(time: number): number {
  return Math.min(Math.max(0, Math.floor(time / 1000)), LAST_SECOND);
}

const FIRST_BYTES = 64 * 1024;
/** Of UTF-8, for one UTF-16 unit. */
const MOST_BYTES_PER_UNIT = 3;

/**
 * Holds many texts until they are written, in one piece of memory that is used again and again. As strings they
 * would outlive the short-lived ones around them, and the garbage collector would let them pile up.
 */
export class TextArena {
  #bytes: Buffer = Buffer.allocUnsafe(FIRST_BYTES);
  #used = 0;

  /** Adds a text; returns where it ends, which is where the next one begins. */
  add(text: string): number {
    const most = this.#used + text.length * MOST_BYTES_PER_UNIT;
    if (most > this.#bytes.length) this.#grow(most);
    this.#used += this.#bytes.write(text, this.#used);
    return this.#used;
  }

  /** Where the next text begins. */
  get end(): number {
    return this.#used;
  }

  /** The bytes from one place to another. Valid until something is added. */
  bytes(start: number, end: number): Uint8Array {
    return this.#bytes.subarray(start, end);
  }

  clear(): void {
    this.#used = 0;
  }

  #grow(most: number): void {
    const larger = Buffer.allocUnsafe(Math.max(most, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#used);
    this.#bytes = larger;
  }
}
