import type { Connection } from './connection.ts';
import { FactRows, removeFacts } from './fact-rows.ts';
import { type RecordLocation, RecordReader } from './record-reader.ts';
import { changeDocumentCount, documentCount, readState, writeState } from './schema.ts';
import type { Searchable } from './searchable.ts';
import { addToSession, emptySession, locateDocument, type SessionRow, saveSession } from './session-rows.ts';
import { recountTerms } from './term-counts.ts';
import type { TrackedFile } from './tracked-files.ts';
import { removeUsage, SessionUsage, saveActivity } from './usage-rows.ts';
import { removeVectors } from './vectors.ts';

/** After removals, the terms of an index of up to this many documents are recounted at once. */
const MAX_RECOUNTED_AT_ONCE = 5_000;
/** Those of a larger one when this share of its documents was removed. */
const STALE_SHARE = 0.2;

/** Removes documents, and sessions that have none left. */
export function removeDocuments(connection: Connection, documents: readonly { readonly id: number }[]): void {
  const sessions = new Set<number>();
  for (const { id } of documents) {
    const row = connection.get<{ readonly session: number }>('SELECT session FROM document WHERE id = ?', id);
    if (!row) continue;
    sessions.add(row.session);
    connection.run('DELETE FROM fts WHERE rowid = ?', id);
    connection.run('DELETE FROM document WHERE id = ?', id);
  }
  removeVectors(connection, documents);
  removeFacts(connection, sessions);
  const found = new FactRows();
  for (const session of sessions) rebuildSession(connection, session, found);
  found.save(connection);
  for (const session of sessions) saveActivity(connection, session);
  if (documents.length === 0) return;
  changeDocumentCount(connection, -documents.length);
  writeState(connection, 'removed', readState(connection, 'removed') + documents.length);
}

/**
 * Removes files with their documents. Their tombstones stay, without a file, until the end of the catch-up shows whether
 * another file has them.
 */
export function removeFiles(connection: Connection, files: readonly TrackedFile[]): void {
  const documents = files.flatMap(({ id }) =>
    connection.all<{ readonly id: number }>('SELECT id FROM document WHERE file = ?', id),
  );
  for (const { id } of files) {
    connection.run('UPDATE tombstone SET file = 0 WHERE file = ?', id);
    for (const table of ['problem', 'warning', 'override', 'choice'])
      connection.run(`DELETE FROM ${table} WHERE file = ?`, id);
  }
  removeDocuments(connection, documents);
  for (const { id } of files) connection.run('DELETE FROM file WHERE id = ?', id);
}

/** Recounts the terms when enough documents were removed since they were counted. */
export function recountStaleTerms(connection: Connection): void {
  const removed = readState(connection, 'removed');
  const all = documentCount(connection);
  if (removed > 0 && (all < MAX_RECOUNTED_AT_ONCE || removed > all * STALE_SHARE)) recountTerms(connection);
}

/** A document of a session and where its record is. */
interface SessionDocument extends RecordLocation {
  readonly document: number;
  readonly time: number;
  readonly segmentOrder: number;
}

/** Reads the documents of a session, log by log, in the order in which they were written. */
export function* readSessionDocuments(
  connection: Connection,
  session: number,
): Generator<SessionDocument & { readonly record: Searchable }> {
  const documents = connection.all<SessionDocument>(
    `SELECT document.id AS document, time, log, path, segmentOrder, start, length
     FROM document JOIN file ON file.id = document.file WHERE session = ?
     ORDER BY CASE log WHEN 'history' THEN 0 WHEN 'failures' THEN 1 ELSE 2 END, segmentOrder, start`,
    session,
  );
  const reader = new RecordReader();
  try {
    for (const document of documents) {
      const record = reader.read(document);
      if (record) yield { ...document, record };
    }
  } finally {
    reader.close();
  }
}

/** Rebuilds a session from the records that are left, which are read again. */
function rebuildSession(connection: Connection, id: number, found: FactRows): void {
  const before = connection.get<SessionRow & { readonly projectId: string }>(
    'SELECT session.*, project.name AS projectId FROM session JOIN project ON project.id = session.project WHERE session.id = ?',
    id,
  );
  if (!before) return;
  const session = emptySession(id, before.project, before.name);
  const usage = new SessionUsage();
  removeUsage(connection, id);
  for (const document of readSessionDocuments(connection, id)) {
    const { project, projectId } = before;
    const shown = found.add({ project, projectId, session: id, ...document }, document.record);
    const located = { ...document, found: shown };
    addToSession((other) => locateDocument(connection, other), session, located);
    usage.add(id, document.time, document.record);
  }
  saveSession(connection, session);
  usage.save(connection);
}
