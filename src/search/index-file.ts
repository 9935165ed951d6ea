import { existsSync, rmSync, statSync } from 'node:fs';
import { openDatabase } from '../sqlite/index.ts';
import { Connection } from './connection.ts';
import { createTables, SCHEMA_VERSION, schemaVersion } from './schema.ts';
import { sqliteFailure } from './sqlite-error.ts';

/** What became of opening the index. */
export type OpenedIndex =
  /** `isNew`: it holds nothing yet. `reason`: why what was there before had to go. */
  | { readonly ok: true; readonly connection: Connection; readonly isNew: boolean; readonly reason?: string }
  | { readonly ok: false; readonly reason: string };

const COMPANIONS = ['', '-wal', '-shm', '-journal'];

/**
 * Opens the index, or makes an empty one when there is none, when it is damaged, or when an older yore made it.
 * One that a newer yore made is left alone.
 */
export function openIndex(path: string): OpenedIndex {
  try {
    return openExisting(path);
  } catch (error) {
    if (sqliteFailure(error) !== 'corrupt') return { ok: false, reason: describe(error) };
    return recreateIndex(path, 'it was damaged');
  }
}

/** Deletes the index and makes an empty one. */
export function recreateIndex(path: string, reason: string): OpenedIndex {
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
export function describe(error: unknown): string {
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
