import { openDatabase } from '../../sqlite/database.ts';
import { Connection } from './connection.ts';
import { indexBytes } from './index-store.ts';
import { SCHEMA_VERSION, schemaVersion } from './schema.ts';
import {
  areUntouched,
  compareFiles,
  type FileChanges,
  folderTime,
  type ProjectSource,
  trackedFiles,
  trustedTime,
  UNSURE,
} from './tracked-files.ts';

/** What the index knows of a project. */
interface KnownProject {
  readonly id: number;
  /** When the names in its folder last changed, if that can be trusted. */
  readonly folderTime: number;
}

/**
 * Bytes that are not in the index yet; 0 when there is only something to note, undefined when there is nothing at
 * all. Only reads; call it inside a snapshot.
 */
export function pendingBytes(
  connection: Connection,
  projects: readonly ProjectSource[],
  now: number,
): number | undefined {
  let bytes: number | undefined;
  for (const source of projects) {
    const known = connection.remembered(`project ${source.id}`, () => knownProject(connection, source));
    if (known && isQuiet(connection, source, known)) continue;
    const changes = changesOf(connection, source, known, now);
    const isNoted =
      changes.lost.length + changes.pending.length > 0 || (known && isToNote(source, known, now));
    if (isNoted) bytes = (bytes ?? 0) + changes.bytes;
  }
  return bytes;
}

/** How the files of a project differ from what the index knows. */
export function changesOf(
  connection: Connection,
  source: ProjectSource,
  known: KnownProject | undefined,
  now: number,
): FileChanges {
  const files = known ? trackedFiles(connection, known.id) : [];
  return compareFiles(files, source.directory, now);
}

/** The project, which becomes known if it was not. */
export function ensureProject(connection: Connection, source: ProjectSource): KnownProject {
  const known = knownProject(connection, source);
  if (known) return known;
  connection.run('INSERT INTO project (name, folderTime) VALUES (?, ?)', source.id, UNSURE);
  return ensureProject(connection, source);
}

/** Remembers up to which state of its folder a project is known. */
export function noteProject(connection: Connection, id: number, time: number): void {
  connection.run('UPDATE project SET folderTime = ? WHERE id = ?', time, id);
}

function knownProject(connection: Connection, source: ProjectSource): KnownProject | undefined {
  return connection.get<KnownProject>('SELECT id, folderTime FROM project WHERE name = ?', source.id);
}

/** Whether no file came, went or changed. */
function isQuiet(connection: Connection, source: ProjectSource, known: KnownProject): boolean {
  return (
    known.folderTime !== UNSURE &&
    known.folderTime === folderTime(source.directory) &&
    areUntouched(connection.remembered(`files ${known.id}`, () => trackedFiles(connection, known.id)))
  );
}

/** Whether something is known now that will make the next look shorter. */
function isToNote(source: ProjectSource, known: KnownProject, now: number): boolean {
  const time = trustedTime(folderTime(source.directory), now);
  return time !== UNSURE && time !== known.folderTime;
}

/**
 * Whether the index can be used as it is. `behind`: the logs hold more than it does, or an older yore made it, and
 * the next search sees to it. `corrupt`: it cannot be read.
 */
export type IndexState = 'ready' | 'behind' | 'missing' | 'corrupt';

/** Looks at the index without changing or repairing anything. */
export function inspectIndex(
  path: string,
  projects: readonly ProjectSource[],
): { readonly state: IndexState; readonly bytes: number } {
  const bytes = indexBytes(path);
  if (bytes === 0) return { state: 'missing', bytes };
  try {
    const database = openDatabase(path);
    try {
      return { state: stateOfTables(new Connection(database), schemaVersion(database), projects), bytes };
    } finally {
      database.close();
    }
  } catch {
    return { state: 'corrupt', bytes };
  }
}

function stateOfTables(
  connection: Connection,
  version: number,
  projects: readonly ProjectSource[],
): IndexState {
  if (version === 0) return 'missing';
  if (version > SCHEMA_VERSION) return 'corrupt';
  if (version < SCHEMA_VERSION) return 'behind';
  connection.get('SELECT rowid FROM fts WHERE fts MATCH ? LIMIT 1', '"a"');
  return connection.snapshot(() => pendingBytes(connection, projects, Date.now())) ? 'behind' : 'ready';
}
