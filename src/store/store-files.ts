import { readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { statIfExists } from '../files/file-access.ts';
import { DATABASE_SUFFIXES } from '../sqlite/database.ts';

/** Raise it whenever the tables or their content change: each version has a database of its own, built from the logs. */
export const SCHEMA_VERSION = 39;

/** The database in yore's home. */
export function storePath(home: string): string {
  return join(home, `store-${SCHEMA_VERSION}.db`);
}

/** A database of any version. yore 0.1 had one without a version in its name. */
const STORE_NAME = /^(?:search|store-(\d+))\.db$/;
const DAY_MS = 86_400_000;
const MAX_UNTOUCHED_MS = 14 * DAY_MS;

/** Opening a database beside a larger write-ahead log takes too long for a process that an agent waits for. */
const MAX_LOG_BYTES = 16 * 1024 * 1024;

/** Whether a process that was killed has left so much in the write-ahead log that whoever writes next has to put it in order. */
export function isLogTooLarge(path: string): boolean {
  return (statIfExists(`${path}-wal`)?.size ?? 0) > MAX_LOG_BYTES;
}

/** Size of a database with the files beside it, in bytes; 0 when there is none. */
export function storeBytes(path: string): number {
  return filesOf(path).reduce((sum, file) => sum + (statIfExists(file)?.size ?? 0), 0);
}

/** Deletes a database with the files beside it. */
export function removeStore(path: string): void {
  for (const file of filesOf(path)) rmSync(file, { force: true });
}

/**
 * Deletes the databases of older versions in the folder of this one that nothing was written to for two weeks: until then,
 * an older yore that uses the same home may need them. Never throws.
 */
export function removeUnusedStores(path: string, now: number): void {
  try {
    for (const other of otherStores(path)) {
      const times = filesOf(other.path).map((file) => statIfExists(file)?.mtimeMs ?? 0);
      if (other.version < SCHEMA_VERSION && now - Math.max(...times) > MAX_UNTOUCHED_MS) removeStore(other.path);
    }
  } catch {} // They only take up space.
}

/**
 * Deletes the databases of all other versions, which may have what is to be forgotten. Whoever needs one rebuilds it. False
 * if one is in use and cannot be deleted.
 */
export function removeOtherStores(path: string): boolean {
  try {
    for (const other of otherStores(path)) removeStore(other.path);
    return true;
  } catch {
    return false;
  }
}

function otherStores(path: string): readonly { readonly path: string; readonly version: number }[] {
  const folder = dirname(path);
  return readdirSync(folder).flatMap((name) => {
    const match = STORE_NAME.exec(name.replace(/-(?:wal|shm|journal)$/, ''));
    const other = join(folder, match?.[0] ?? '');
    return match === null || other === path ? [] : [{ path: other, version: Number(match[1] ?? 0) }];
  });
}

function filesOf(path: string): readonly string[] {
  return DATABASE_SUFFIXES.map((suffix) => path + suffix);
}
