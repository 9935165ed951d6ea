import { closeSync, openSync } from 'node:fs';
import { createRequire } from 'node:module';

/** A value that SQLite stores. Bytes stand for text in UTF-8. */
export type SqlValue = string | number | null | Uint8Array;
/** A prepared statement. */
export interface Statement {
  run(...values: SqlValue[]): { readonly changes: number | bigint };
  get(...values: SqlValue[]): unknown;
  all(...values: SqlValue[]): unknown[];
  iterate(...values: SqlValue[]): IterableIterator<unknown>;
  /** Makes rows come as arrays, which takes half as long. Older versions of Node's SQLite do not have it. */
  setReturnArrays?(isWanted: boolean): void;
}

/** What yore uses of SQLite. */
export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

interface SqliteModule {
  readonly DatabaseSync: new (path: string, options?: { readonly readOnly?: boolean }) => Database;
}

let sqlite: SqliteModule | undefined;

/**
 * Opens, or creates with mode 0600, a database file; SQLite gives the files beside it the same mode. Throws what
 * SQLite throws.
 */
export function openDatabase(path: string): Database {
  sqlite ??= loadSqlite();
  closeSync(openSync(path, 'a', 0o600));
  const database = new sqlite.DatabaseSync(path);
  try {
    database.exec('PRAGMA busy_timeout = 5000; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -8000');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Opens a database of another program to read it while that program may be writing. Throws what SQLite throws.
 */
export function openForeignDatabase(path: string): Database {
  sqlite ??= loadSqlite();
  const database = new sqlite.DatabaseSync(path, { readOnly: true });
  try {
    database.exec('PRAGMA busy_timeout = 2000; PRAGMA query_only = ON');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Node's own SQLite where there is one, else the package with the same interface. */
function loadSqlite(): SqliteModule {
  const own = withoutWarnings(() => process.getBuiltinModule?.('node:sqlite') as SqliteModule | undefined);
  return own ?? (createRequire(import.meta.url)('@photostructure/sqlite') as SqliteModule);
}

/** Node says of its SQLite that it is experimental; nobody who runs yore can do anything about that. */
function withoutWarnings<T>(work: () => T): T {
  const emitWarning = process.emitWarning;
  process.emitWarning = () => {};
  try {
    return work();
  } finally {
    process.emitWarning = emitWarning;
  }
}
