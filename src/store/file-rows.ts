import { getOrAdd } from '../record/once.ts';
import type { Connection } from './connection.ts';
import { type RecordLocation, RecordReader } from './record-reader.ts';
import type { Searchable } from './searchable.ts';

/** A file that a record of a session changed. */
export interface NewChange {
  readonly project: number;
  readonly session: number;
  readonly document: number;
  readonly at: number;
  readonly path: string;
  readonly isCall: boolean;
}

/** No file that anybody looks for has a longer one. */
const MAX_PATH_LENGTH = 1_000;

/** Saves which records changed which files, and counts the changes of these files again. */
export function saveChanges(connection: Connection, changes: readonly NewChange[]): void {
  const ids = new Map<string, number>();
  for (const { project, session, document, at, path, isCall } of changes) {
    if (path.length > MAX_PATH_LENGTH) continue;
    const id = getOrAdd(ids, `${project} ${path}`, () => ensurePath(connection, project, path));
    const sql = 'INSERT OR IGNORE INTO change VALUES (?, ?, ?, ?, ?)';
    connection.run(sql, id, session, document, at, isCall ? 1 : 0);
  }
  for (const id of ids.values()) countChanges(connection, id);
}

function ensurePath(connection: Connection, project: number, path: string): number {
  const sql = 'SELECT id FROM path WHERE project = ? AND name = ?';
  const known = connection.get<{ readonly id: number }>(sql, project, path);
  if (known) return known.id;
  connection.run(
    'INSERT INTO path (project, name, sessions, changes, changedAt) VALUES (?, ?, 0, 0, 0)',
    project,
    path,
  );
  return connection.get<{ readonly id: number }>(sql, project, path)?.id ?? 0;
}

/**
 * Counts the changes of a file again, and removes its name when none is left. What a reply says as a whole counts only where
 * no call of the session says it.
 */
function countChanges(connection: Connection, path: number): void {
  connection.run(
    `UPDATE path SET (sessions, changes, changedAt) = (
       SELECT count(*), coalesce(sum(CASE calls WHEN 0 THEN records ELSE calls END), 0), coalesce(max(latest), 0) FROM (
         SELECT sum(isCall) AS calls, count(*) AS records, max(at) AS latest FROM change WHERE path = ?1 GROUP BY session
       )) WHERE id = ?1`,
    path,
  );
  connection.run('DELETE FROM path WHERE id = ? AND sessions = 0', path);
}

/** Removes what some sessions changed, and the names of files that no other session changed. `sessions` is a list as JSON. */
export function removeChanges(connection: Connection, sessions: string): void {
  const ofSessions = 'session IN (SELECT value FROM json_each(?))';
  const paths = connection.all<{ readonly path: number }>(
    `SELECT DISTINCT path FROM change WHERE ${ofSessions}`,
    sessions,
  );
  connection.run(`DELETE FROM change WHERE ${ofSessions}`, sessions);
  for (const { path } of paths) countChanges(connection, path);
}

/** In which order files are listed: the last changed, most often changed, changed in most sessions, or by name. */
export type FileOrder = 'recent' | 'changes' | 'sessions' | 'path';

/** Which files to list. */
export interface FileFilter {
  /** Id of the project. */
  readonly project: string;
  /** Files whose path contains this, in upper or lower case. */
  readonly query?: string;
  /** Default `recent`. */
  readonly order?: FileOrder;
  /** Default 200. */
  readonly limit?: number;
}

/** A file that sessions changed. */
export interface FileOfSessions {
  readonly path: string;
  /** Number of sessions that changed it, and how often they did. */
  readonly sessions: number;
  readonly changes: number;
  /** ISO 8601. */
  readonly changedAt: string;
}

/** Files that sessions changed, and how many match regardless of the limit. */
export interface FileList {
  readonly files: readonly FileOfSessions[];
  readonly total: number;
}

const DEFAULT_FILES = 200;
const ORDERS: Readonly<Record<FileOrder, string>> = {
  recent: 'changedAt DESC, name',
  changes: 'changes DESC, name',
  sessions: 'sessions DESC, changes DESC, name',
  path: 'name',
};

/** The files that sessions of a project changed. */
export function listFiles(connection: Connection, filter: FileFilter): FileList {
  const { project, query = '', order = 'recent', limit = DEFAULT_FILES } = filter;
  const matches = `FROM path WHERE project = (SELECT id FROM project WHERE name = ?1)
    AND (?2 = '' OR instr(lower(name), lower(?2)) > 0)`;
  const rows = connection.all<Omit<FileOfSessions, 'changedAt'> & { readonly time: number }>(
    `SELECT name AS path, sessions, changes, changedAt AS time ${matches} ORDER BY ${ORDERS[order]} LIMIT ?3`,
    project,
    query,
    limit,
  );
  const count = connection.get<{ readonly total: number }>(`SELECT count(*) AS total ${matches}`, project, query);
  const files = rows.map(({ path, sessions, changes, time }) => ({
    path,
    sessions,
    changes,
    changedAt: new Date(time).toISOString(),
  }));
  return { files, total: count?.total ?? 0 };
}

/** A record that changed a file, and its session. */
export interface ChangeRecord {
  readonly sessionId: string;
  readonly record: Searchable;
}

/** The records that changed a file, the latest first, and how many there are. */
export interface ChangeRecords {
  readonly records: readonly ChangeRecord[];
  readonly total: number;
  readonly sessions: number;
}

/** Reads the records that changed a file, the latest first. */
export function readFileChanges(
  connection: Connection,
  { project, path, limit, offset = 0 }: { project: string; path: string; limit: number; offset?: number },
): ChangeRecords {
  // Replies of sessions whose calls are known say nothing new.
  const from = `FROM path JOIN change ON change.path = path.id
     WHERE path.project = (SELECT id FROM project WHERE name = ?1) AND path.name = ?2 AND (isCall = 1 OR NOT EXISTS (
       SELECT 1 FROM change AS other WHERE other.path = change.path AND other.session = change.session AND other.isCall = 1
     ))`;
  const counts = connection.get<{ readonly total: number; readonly sessions: number }>(
    `SELECT count(*) AS total, count(DISTINCT session) AS sessions ${from}`,
    project,
    path,
  );
  const places = connection.all<RecordLocation & { readonly sessionId: string }>(
    `SELECT log, file.path, start, length, session.name AS sessionId
     FROM (SELECT document, at ${from} ORDER BY at DESC, document LIMIT ?3 OFFSET ?4) AS listed
     JOIN document ON document.id = listed.document JOIN file ON file.id = document.file
     JOIN session ON session.id = document.session ORDER BY at DESC, listed.document`,
    project,
    path,
    limit,
    offset,
  );
  return { records: readAll(places), total: counts?.total ?? 0, sessions: counts?.sessions ?? 0 };
}

/** The calls that made a commit, by its hash or the beginning of it, the earliest first. */
export function findCommits(connection: Connection, project: string, hash: string): readonly ChangeRecord[] {
  const name = hash.toLowerCase();
  const places = connection.all<RecordLocation & { readonly sessionId: string; readonly hash: string }>(
    `SELECT hash, log, path, start, length, session.name AS sessionId
     FROM gitCommit JOIN document ON document.id = gitCommit.document JOIN file ON file.id = document.file
     JOIN session ON session.id = document.session
     WHERE gitCommit.project = (SELECT id FROM project WHERE name = ?1) AND hash >= ?2 AND hash <= ?3
     ORDER BY time, gitCommit.document DESC`,
    project,
    name.slice(0, MIN_HASH_LENGTH),
    `${name}\u{10ffff}`,
  );
  return readAll(places.filter((place) => place.hash.startsWith(name) || name.startsWith(place.hash)));
}

/** Git does not print shorter hashes. */
const MIN_HASH_LENGTH = 4;

function readAll(places: readonly (RecordLocation & { readonly sessionId: string })[]): readonly ChangeRecord[] {
  const reader = new RecordReader();
  try {
    return places.flatMap(({ sessionId, ...place }) => {
      const record = reader.read(place);
      return record === undefined ? [] : [{ sessionId, record }];
    });
  } finally {
    reader.close();
  }
}
