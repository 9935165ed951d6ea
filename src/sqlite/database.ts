import { closeSync, constants, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { openFile, statIfExists, storageError } from '../files/file-access.ts';

/** A value that SQLite stores. Bytes are UTF-8 text. */
export type SqlValue = string | number | null | Uint8Array;

/** A prepared statement. */
export interface Statement {
  run(...values: SqlValue[]): { readonly changes: number | bigint };
  get(...values: SqlValue[]): unknown;
  all(...values: SqlValue[]): unknown[];
  iterate(...values: SqlValue[]): IterableIterator<unknown>;
  /** Returns rows as arrays, which takes half as long. Missing in older versions of Node's SQLite. */
  setReturnArrays?(enabled: boolean): void;
}

/** The part of SQLite's interface that yore uses. */
export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

interface SqliteModule {
  readonly DatabaseSync: new (path: string, options?: { readonly readOnly?: boolean }) => Database;
}

/** What SQLite appends to the name of a database: nothing for itself, the rest for the files that it keeps beside it. */
export const DATABASE_SUFFIXES: readonly string[] = ['', '-wal', '-shm', '-journal'];

let sqlite: SqliteModule | undefined;

/** What is deleted is overwritten. A write-ahead log that was large once does not stay so. */
const WRITER_PRAGMAS =
  'PRAGMA synchronous = NORMAL; PRAGMA cache_size = -32000; PRAGMA secure_delete = ON; PRAGMA journal_size_limit = 4000000';

/**
 * Opens a database file, or creates it with mode 0600, which SQLite also uses for the files beside it. Errors of SQLite
 * are passed on.
 */
export function openDatabase(path: string, waitMs = 5000): Database {
  if (path !== ':memory:')
    closeSync(openFile(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT, 0o600));
  return open(path, {}, `PRAGMA busy_timeout = ${waitMs}; ${WRITER_PRAGMAS}`);
}

/**
 * Opens a database file to be read by a process that waits for nobody. Temporary tables, which are kept in memory, can be
 * written. Errors of SQLite are passed on.
 */
export function openReadOnlyDatabase(path: string): Database {
  return open(path, { readOnly: true }, 'PRAGMA busy_timeout = 0; PRAGMA temp_store = MEMORY');
}

/** Opens the database of another program, read-only, while that program may be writing. Errors of SQLite are passed on. */
export function openForeignDatabase(path: string): Database {
  return open(path, { readOnly: true }, 'PRAGMA busy_timeout = 2000; PRAGMA query_only = ON');
}

function open(path: string, options: { readonly readOnly?: boolean }, pragmas: string): Database {
  if (path !== ':memory:') checkFiles(path);
  sqlite ??= loadSqlite();
  const database = new sqlite.DatabaseSync(path, options);
  try {
    database.exec(pragmas);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** SQLite would wait forever for a pipe that is in the place of one of its files. */
function checkFiles(path: string): void {
  for (const file of DATABASE_SUFFIXES.map((suffix) => path + suffix)) {
    if (statIfExists(file)?.isFile() === false) throw storageError('open', file, new Error('it is not a file'));
  }
}

/** Node's built-in SQLite where there is one, else the package with the same interface. */
function loadSqlite(): SqliteModule {
  const own = withoutWarnings(() => process.getBuiltinModule?.('node:sqlite') as SqliteModule | undefined);
  return own ?? loadPrebuilt() ?? (createRequire(import.meta.url)(PACKAGE) as SqliteModule);
}

const PACKAGE = '@photostructure/sqlite';

/**
 * The package's own library for Linux with glibc, whose interface is the same. Finding and wrapping it in the package takes
 * longer than checking a call.
 */
function loadPrebuilt(): SqliteModule | undefined {
  if (process.platform !== 'linux' || existsSync('/etc/alpine-release')) return undefined;
  const file = join(PACKAGE, 'prebuilds', `linux-${process.arch}`, '@photostructure+sqlite.glibc.node');
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const path = join(folder, 'node_modules', file);
    if (existsSync(path)) {
      const library = { exports: {} as SqliteModule };
      try {
        process.dlopen(library, path);
        return library.exports;
      } catch {
        return undefined;
      }
    }
    if (folder === dirname(folder)) return undefined;
  }
}

/** Node warns that its SQLite is experimental, which users of yore can do nothing about. */
function withoutWarnings<T>(work: () => T): T {
  const emitWarning = process.emitWarning;
  process.emitWarning = () => {};
  try {
    return work();
  } finally {
    process.emitWarning = emitWarning;
  }
}
