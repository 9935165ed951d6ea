import { type Diagnostic, messageOf } from '../record/error.ts';
import { openDatabase } from '../sqlite/database.ts';
import { Connection } from './connection.ts';
import { createTables, schemaVersion } from './schema.ts';
import { isLogTooLarge, removeStore, removeUnusedStores, SCHEMA_VERSION } from './store-files.ts';

type OpenResult =
  /** `reason`: why the previous index was replaced, if it was. */
  | { readonly ok: true; readonly connection: Connection; readonly reason?: string }
  /** `reason`: why the index cannot be used. */
  | { readonly ok: false; readonly reason: string };

/**
 * The database of the index: opened on first use, rebuilt when it is damaged, and given up when it cannot be used at
 * all.
 */
export class IndexStore {
  readonly path: string;
  readonly #refill: (connection: Connection) => void;
  readonly #waitMs: number | undefined;
  #opened: OpenResult | undefined;

  /**
   * `refill` fills an index that was replaced by an empty one while it was in use. `waitMs`: how long to wait for another
   * process that is writing.
   */
  constructor(path: string, refill: (connection: Connection) => void, { waitMs }: { readonly waitMs?: number } = {}) {
    this.path = path;
    this.#refill = refill;
    this.#waitMs = waitMs;
  }

  /** What the user should know about the state of the index. */
  get diagnostics(): readonly Diagnostic[] {
    const opened = this.#opened;
    if (!opened?.reason) return [];
    const message = opened.ok
      ? `The search index was rebuilt because ${opened.reason}. Nothing is lost.`
      : `The search index ${this.path} cannot be used (${opened.reason}), so the logs were searched instead. Run \`yore reindex\` to rebuild it.`;
    return [{ code: opened.ok ? 'rebuilt' : 'scanned', message }];
  }

  /** Why the index cannot be used; undefined if it can. */
  get problem(): string | undefined {
    return this.#opened?.ok === false ? this.#opened.reason : undefined;
  }

  /** Runs `work` on the index. Undefined when the index cannot be used. */
  use<T>(work: (connection: Connection) => T): T | undefined {
    this.#opened ??= openIndex(this.path, this.#waitMs);
    if (!this.#opened.ok) return undefined;
    try {
      return work(this.#opened.connection);
    } catch (error) {
      const failure = sqliteFailure(error);
      if (failure === undefined) throw error;
      if (failure !== 'corrupt') return this.#giveUp(error);
    }
    this.recreate('it was damaged');
    if (!this.#opened.ok) return undefined;
    try {
      this.#refill(this.#opened.connection);
      return work(this.#opened.connection);
    } catch (error) {
      if (sqliteFailure(error) === undefined) throw error;
      return this.#giveUp(error);
    }
  }

  /** Replaces the index by an empty one. */
  recreate(reason: string): void {
    this.close();
    this.#opened = recreateIndex(this.path, reason, this.#waitMs);
  }

  close(): void {
    if (this.#opened?.ok) this.#opened.connection.close();
    this.#opened = undefined;
  }

  #giveUp(error: unknown): undefined {
    this.close();
    this.#opened = { ok: false, reason: messageOf(error) };
    return undefined;
  }
}

/** A store that knows nothing, in memory. */
export function openEmptyStore(): Connection {
  const database = openDatabase(':memory:');
  createTables(database);
  return new Connection(database);
}

/** Creates an empty index when there is none or it is damaged. */
function openIndex(path: string, waitMs: number | undefined): OpenResult {
  try {
    const opened = openExisting(path, waitMs);
    removeUnusedStores(path, Date.now());
    return opened;
  } catch (error) {
    if (sqliteFailure(error) !== 'corrupt') return { ok: false, reason: messageOf(error) };
    return recreateIndex(path, 'it was damaged', waitMs);
  }
}

function recreateIndex(path: string, reason: string, waitMs: number | undefined): OpenResult {
  try {
    removeStore(path);
    const opened = openExisting(path, waitMs);
    return opened.ok ? { ...opened, reason } : opened;
  } catch (error) {
    return { ok: false, reason: messageOf(error) };
  }
}

function openExisting(path: string, waitMs: number | undefined): OpenResult {
  const database = openDatabase(path, waitMs);
  try {
    const version = schemaVersion(database);
    if (version === SCHEMA_VERSION) {
      if (isLogTooLarge(path)) database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      return { ok: true, connection: new Connection(database) };
    }
    if (version > 0) {
      database.close();
      return recreateIndex(path, 'it was damaged', waitMs);
    }
    database.exec('PRAGMA journal_mode = WAL');
    const connection = new Connection(database);
    connection.transaction(() => {
      // Another process may have created them meanwhile.
      if (schemaVersion(database) === 0) createTables(database);
    });
    return { ok: true, connection };
  } catch (error) {
    database.close();
    throw error;
  }
}

const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

/** Why SQLite failed. `busy`: another process is writing. `corrupt`: the file is damaged. `failed`: anything else. */
type SqliteFailure = 'busy' | 'corrupt' | 'failed';

/** Classifies an error of SQLite; undefined for any other error. */
export function sqliteFailure(error: unknown): SqliteFailure | undefined {
  if (!(error instanceof Error)) return undefined;
  if (!('errcode' in error) || typeof error.errcode !== 'number') return failureByMessage(error);
  const code = error.errcode & 0xff;
  if (code === SQLITE_BUSY || code === SQLITE_LOCKED) return 'busy';
  return code === SQLITE_CORRUPT || code === SQLITE_NOTADB ? 'corrupt' : 'failed';
}

/** Errors that the package meets while iterating rows have SQLite's message, but not its code. */
function failureByMessage(error: Error): SqliteFailure | undefined {
  if (!('code' in error) || error.code !== 'ERR_SQLITE_ERROR') return undefined;
  if (/\b(locked|busy)\b/.test(error.message)) return 'busy';
  return /malformed|not a database/.test(error.message) ? 'corrupt' : 'failed';
}
