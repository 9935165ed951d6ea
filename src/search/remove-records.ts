import { removeFiles } from './catch-up.ts';
import type { Connection } from './connection.ts';
import { removeDocuments } from './remove-documents.ts';
import { trackedFiles } from './tracked-files.ts';

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
