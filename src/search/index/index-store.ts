import { existsSync, rmSync, statSync } from 'node:fs';
import type { Warning } from '../../record/index.ts';
import { openDatabase } from '../../sqlite/database.ts';
import { Connection } from './connection.ts';
import { createTables, SCHEMA_VERSION, schemaVersion } from './schema.ts';

/**
 * The database behind the index: opened when first used, made anew when it is damaged, and given up when it cannot
 * be used at all.
 */
export class IndexStore {
  readonly path: string;
  readonly #refill: (connection: Connection) => void;
  #opened: OpenedIndex | undefined;

  /** `refill` fills an index that had to be made anew while it was in use. */
  constructor(path: string, refill: (connection: Connection) => void) {
    this.path = path;
    this.#refill = refill;
  }

  /** What a person should know about the index as it is. */
  get warnings(): readonly Warning[] {
    const opened = this.#opened;
    if (!opened?.reason) return [];
    if (opened.ok) {
      return [
        {
          code: 'rebuilt',
          message: `The search index was made anew, because ${opened.reason}. Nothing is lost.`,
        },
      ];
    }
    return [
      {
        code: 'scanned',
        message: `The search index ${this.path} cannot be used (${opened.reason}), so the logs were read instead. \`yore reindex\` makes it anew.`,
      },
    ];
  }

  /** Runs `work` on the index. Undefined when there is no index to be had. */
  use<T>(work: (connection: Connection) => T): T | undefined {
    this.#opened ??= openIndex(this.path);
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
    this.#opened = recreateIndex(this.path, reason);
  }

  close(): void {
    if (this.#opened?.ok) this.#opened.connection.close();
    this.#opened = undefined;
  }

  #giveUp(error: unknown): undefined {
    this.close();
    this.#opened = { ok: false, reason: describe(error) };
    return undefined;
  }
}

/** What became of opening the index. */
type OpenedIndex =
  /** `isNew`: it holds nothing yet. `reason`: why what was there before had to go. */
  | { readonly ok: true; readonly connection: Connection; readonly isNew: boolean; readonly reason?: string }
  | { readonly ok: false; readonly reason: string };

const COMPANIONS = ['', '-wal', '-shm', '-journal'];

/**
 * Opens the index, or makes an empty one when there is none, when it is damaged, or when an older yore made it.
 * One that a newer yore made is left alone.
 */
function openIndex(path: string): OpenedIndex {
  try {
    return openExisting(path);
  } catch (error) {
    if (sqliteFailure(error) !== 'corrupt') return { ok: false, reason: describe(error) };
    return recreateIndex(path, 'it was damaged');
  }
}

/** Deletes the index and makes an empty one. */
function recreateIndex(path: string, reason: string): OpenedIndex {
  try {
    deleteIndex(path);
    const opened = openExisting(path);
    return opened.ok ? { ...opened, reason } : opened;
  } catch (error) {
    return { ok: false, reason: describe(error) };
  }
}

/** Deletes the index and the files that SQLite keeps beside it. */
function deleteIndex(path: string): void {
  for (const suffix of COMPANIONS) rmSync(path + suffix, { force: true });
}

/** Bytes of the index and of what SQLite keeps beside it; 0 when there is none. */
export function indexBytes(path: string): number {
  return COMPANIONS.reduce((sum, suffix) => {
    const file = path + suffix;
    return sum + (existsSync(file) ? statSync(file).size : 0);
  }, 0);
}

/** Why something could not be done, for a person. */
function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function openExisting(path: string): OpenedIndex {
  const database = openDatabase(path);
  try {
    const version = schemaVersion(database);
    if (version > SCHEMA_VERSION) {
      database.close();
      return { ok: false, reason: 'a newer yore made it' };
    }
    if (version === SCHEMA_VERSION) return { ok: true, connection: new Connection(database), isNew: false };
    if (version > 0) {
      database.close();
      return recreateIndex(path, 'an older yore made it');
    }
    database.exec('PRAGMA journal_mode = WAL');
    const connection = new Connection(database);
    connection.transaction(() => {
      // Another process may have been quicker.
      if (schemaVersion(database) === 0) createTables(database);
    });
    return { ok: true, connection, isNew: true };
  } catch (error) {
    database.close();
    throw error;
  }
}

const BUSY = 5;
const LOCKED = 6;
const CORRUPT = 11;
const NOT_A_DATABASE = 26;

/** Why SQLite refused. `busy`: another process writes. `corrupt`: the file is damaged. `failed`: anything else. */
type SqliteFailure = 'busy' | 'corrupt' | 'failed';

/** What an error of SQLite means; undefined when it is not one. */
export function sqliteFailure(error: unknown): SqliteFailure | undefined {
  if (!(error instanceof Error)) return undefined;
  if (!('errcode' in error) || typeof error.errcode !== 'number') return withoutNumber(error);
  const code = error.errcode & 0xff;
  if (code === BUSY || code === LOCKED) return 'busy';
  return code === CORRUPT || code === NOT_A_DATABASE ? 'corrupt' : 'failed';
}

/** Errors that the package meets while it steps through rows carry SQLite's words, but not its number. */
function withoutNumber(error: Error): SqliteFailure | undefined {
  if (!('code' in error) || error.code !== 'ERR_SQLITE_ERROR') return undefined;
  if (/\b(locked|busy)\b/.test(error.message)) return 'busy';
  return /malformed|not a database/.test(error.message) ? 'corrupt' : 'failed';
}
