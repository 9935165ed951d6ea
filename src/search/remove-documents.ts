import type { Connection } from './connection.ts';
import { RecordReader } from './record-reader.ts';
import type { SearchedLog } from './searchable.ts';
import { addToSession, emptySession, type SessionRow, saveSession } from './session-rows.ts';
import { changeDocumentCount, setState, stateOf } from './state.ts';

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
export interface PlaceInSession {
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
