import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode, statIfExists } from '../files/file-access.ts';
import { openDatabase } from '../sqlite/database.ts';
import { Connection } from './connection.ts';
import { schemaVersion } from './schema.ts';
import { SCHEMA_VERSION, storeBytes } from './store-files.ts';
import {
  areUnchanged,
  compareFiles,
  folderMtime,
  type LogChanges,
  type ProjectSource,
  settledTime,
  trackedFiles,
  UNKNOWN_TIME,
} from './tracked-files.ts';

/** A project as the index knows it. */
interface ProjectRow {
  readonly id: number;
  /** The mtime of its folder when its files were last compared, or {@link UNKNOWN_TIME}. */
  readonly folderTime: number;
}

/**
 * Bytes of the logs that are not indexed yet; 0 when there are only file states to store, undefined when there is nothing
 * to do at all. Only reads; call it inside a snapshot.
 */
export function pendingBytes(
  connection: Connection,
  projects: readonly ProjectSource[],
  now: number,
): number | undefined {
  let bytes: number | undefined;
  for (const source of projects) {
    const known = connection.cached(`project ${source.id}`, () => findProject(connection, source));
    if (known && isUnchanged(connection, source, known)) continue;
    const changes = findChanges(connection, source, known, now);
    const isPending =
      changes.removed.length + changes.pending.length > 0 || (known && hasNewFolderTime(source, known, now));
    if (isPending) bytes = (bytes ?? 0) + changes.bytes;
  }
  return bytes;
}

/** How the files of a project differ from what the index knows. */
export function findChanges(
  connection: Connection,
  source: ProjectSource,
  known: ProjectRow | undefined,
  now: number,
): LogChanges {
  const files = known ? trackedFiles(connection, known.id) : [];
  return compareFiles(files, source.directory, now);
}

/** The row of a project. */
export function findProject(connection: Connection, source: ProjectSource): ProjectRow | undefined {
  return connection.get<ProjectRow>('SELECT id, folderTime FROM project WHERE name = ?', source.id);
}

/** The row of a project, inserted if there is none. */
export function ensureProject(connection: Connection, source: ProjectSource): ProjectRow {
  const known = findProject(connection, source);
  if (known) return known;
  connection.run('INSERT INTO project (name, folderTime) VALUES (?, ?)', source.id, UNKNOWN_TIME);
  return ensureProject(connection, source);
}

/** Stores the mtime of the project's folder up to which its files are known. */
export function saveFolderTime(connection: Connection, id: number, time: number): void {
  connection.run('UPDATE project SET folderTime = ? WHERE id = ?', time, id);
}

/** Whether no file was added, removed or changed. */
function isUnchanged(connection: Connection, source: ProjectSource, known: ProjectRow): boolean {
  return (
    known.folderTime !== UNKNOWN_TIME &&
    known.folderTime === folderMtime(source.directory) &&
    areUnchanged(connection.cached(`files ${known.id}`, () => trackedFiles(connection, known.id)))
  );
}

/** Whether storing the folder's mtime would make the next comparison cheaper. */
function hasNewFolderTime(source: ProjectSource, known: ProjectRow, now: number): boolean {
  const time = settledTime(folderMtime(source.directory), now);
  return time !== UNKNOWN_TIME && time !== known.folderTime;
}

/**
 * Whether the index can be used as it is. `behind`: the logs have more records, which the
 * next search adds. `locked`: this process may not write to its folder, without which SQLite cannot read it. `corrupt`: it
 * cannot be read.
 */
export type IndexState = 'ready' | 'behind' | 'missing' | 'locked' | 'corrupt';

/** Inspects the index without changing or repairing anything. */
export function inspectIndex(
  path: string,
  projects: readonly ProjectSource[],
): { readonly state: IndexState; readonly bytes: number } {
  const bytes = storeBytes(path);
  if (!isWritable(dirname(path))) return { state: 'locked', bytes };
  // What is left of a store that was deleted while a process used it is none.
  if (statIfExists(path) === undefined) return { state: 'missing', bytes };
  try {
    const database = openDatabase(path);
    try {
      return { state: inspectTables(new Connection(database), schemaVersion(database), projects), bytes };
    } finally {
      database.close();
    }
  } catch {
    return { state: 'corrupt', bytes };
  }
}

/** A folder that does not exist yet can be created. */
function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch (error) {
    return errorCode(error) === 'ENOENT';
  }
}

function inspectTables(connection: Connection, version: number, projects: readonly ProjectSource[]): IndexState {
  if (version === 0) return 'missing';
  if (version !== SCHEMA_VERSION) return 'corrupt';
  // Throws when the full-text tables are damaged.
  connection.get('SELECT rowid FROM fts WHERE fts MATCH ? LIMIT 1', '"a"');
  return connection.snapshot(() => pendingBytes(connection, projects, Date.now())) ? 'behind' : 'ready';
}
