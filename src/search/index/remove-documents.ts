import { RecordReader } from '../query/document-loader.ts';
import type { SearchedLog } from '../searchable.ts';
import { removeFiles } from './catch-up.ts';
import type { Connection } from './connection.ts';
import { changeDocumentCount, setState, stateOf } from './schema.ts';
import { addToSession, emptySession, type SessionRow, saveSession } from './session-rows.ts';
import { recountTerms } from './term-counts.ts';
import { trackedFiles } from './tracked-files.ts';

/** Removes documents, and their sessions when nothing is left of them. */
export function removeDocuments(connection: Connection, ids: readonly number[]): void {
  const sessions = new Set<number>();
  for (const id of ids) {
    const row = connection.get<{ readonly session: number }>('SELECT session FROM document WHERE id = ?', id);
    if (!row) continue;
    sessions.add(row.session);
    connection.run('DELETE FROM fts WHERE rowid = ?', id);
    connection.run('DELETE FROM document WHERE id = ?', id);
  }
  for (const session of sessions) rebuildSession(connection, session);
  if (ids.length === 0) return;
  changeDocumentCount(connection, -ids.length);
  setState(connection, 'removed', removedDocuments(connection) + ids.length);
}

/** How many documents were removed since the terms were counted. */
export function removedDocuments(connection: Connection): number {
  return stateOf(connection, 'removed');
}

/** Makes up a session anew from the records that are left, which are read again. */
function rebuildSession(connection: Connection, id: number): void {
  const before = connection.get<SessionRow>('SELECT * FROM session WHERE id = ?', id);
  if (!before) return;
  const session = emptySession(id, before.project, before.name);
  const reader = new RecordReader();
  try {
    for (const place of placesOfSession(connection, id)) {
      const record = reader.read(place.log, place.path, place.start, place.length);
      if (record) addToSession(connection, session, { ...place, record });
    }
  } finally {
    reader.close();
  }
  saveSession(connection, session);
}

/** Where the records of a session are. */
interface PlaceInSession {
  readonly document: number;
  readonly time: number;
  readonly log: SearchedLog;
  readonly path: string;
  readonly position: number;
  readonly start: number;
  readonly length: number;
}

/** The places of a session's records, in the order in which they were written, log by log. */
export function placesOfSession(connection: Connection, session: number): readonly PlaceInSession[] {
  return connection.all<PlaceInSession>(
    `SELECT document.id AS document, time, log, path, position, start, length
     FROM document JOIN file ON file.id = document.file WHERE session = ?
     ORDER BY CASE log WHEN 'history' THEN 0 WHEN 'failures' THEN 1 ELSE 2 END, position, start`,
    session,
  );
}

/** Takes the records of one session out of the index. Call inside a transaction. */
export function removeSession(connection: Connection, project: string, sessionId: string): void {
  const rows = connection.all<{ readonly id: number }>(
    `SELECT document.id FROM document JOIN session ON session.id = document.session
     JOIN project ON project.id = session.project WHERE session.name = ? AND project.name = ?`,
    sessionId,
    project,
  );
  removeDocuments(
    connection,
    rows.map(({ id }) => id),
  );
}

/** Takes everything of a project out of the index. Call inside a transaction. */
export function removeProject(connection: Connection, project: string): void {
  const row = connection.get<{ readonly id: number }>('SELECT id FROM project WHERE name = ?', project);
  if (!row) return;
  removeFiles(connection, trackedFiles(connection, row.id));
  connection.run('DELETE FROM tombstone WHERE project = ?', row.id);
  connection.run('DELETE FROM project WHERE id = ?', row.id);
}

/**
 * Makes sure that nothing of removed documents is left in the file: not in the index, not among its terms, not in
 * pages that are no longer used. Takes long on a large index.
 */
export function purge(connection: Connection): void {
  connection.transaction(() => {
    connection.run("INSERT INTO fts (fts) VALUES ('optimize')");
    recountTerms(connection);
    connection.run("INSERT INTO piece (piece) VALUES ('optimize')");
  });
  connection.exec('VACUUM');
  connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}
