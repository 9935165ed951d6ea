import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../src/sqlite/database.ts';
import { Connection } from '../../src/store/connection.ts';

/**
 * The whole content of the index of a home, in an order that does not depend on how it was built: an index that grew and
 * one that was rebuilt give the same.
 */
export function dumpIndex(home: string): readonly string[] {
  const path = join(home, 'search.db');
  if (!existsSync(path)) return [];
  const connection = new Connection(openDatabase(path));
  try {
    return [
      ...dumpDocuments(connection),
      ...dumpSessions(connection),
      ...dumpUsage(connection),
      ...dumpRest(connection),
    ];
  } finally {
    connection.close();
  }
}

function dumpDocuments(connection: Connection): readonly string[] {
  const rows = connection.all<{
    readonly id: number;
    readonly location: string;
    readonly time: number;
    readonly session: string;
  }>(
    `SELECT document.id, project.name || ' ' || file.path || ' ' || start || ' ' || length AS location, time, session.name AS session
     FROM document JOIN file ON file.id = document.file JOIN project ON project.id = file.project
     JOIN session ON session.id = document.session ORDER BY project.name, file.path, start`,
  );
  const terms = termsByDocument(connection);
  const lines = rows.map(
    ({ id, location, time, session }) => `document ${location} ${time} ${session} ${terms.get(id) ?? ''}`,
  );
  const known = new Set(rows.map(({ id }) => id));
  const orphans = [...terms.keys()].filter((id) => !known.has(id));
  return [...lines, ...orphans.map((id) => `orphan ${id}`)];
}

function termsByDocument(connection: Connection): ReadonlyMap<number, string> {
  const terms = new Map<number, string>();
  connection.exec('CREATE VIRTUAL TABLE temp.occurrence USING fts5vocab (main, fts, instance)');
  try {
    for (const { doc, place } of connection.all<{ readonly doc: number; readonly place: string }>(
      "SELECT doc, col || offset || '=' || term AS place FROM temp.occurrence ORDER BY doc, col, offset",
    )) {
      terms.set(doc, `${terms.get(doc) ?? ''} ${place}`);
    }
  } finally {
    connection.exec('DROP TABLE temp.occurrence');
  }
  return terms;
}

function dumpSessions(connection: Connection): readonly string[] {
  return connection
    .all<{ readonly line: string }>(
      `SELECT json_array(project.name, session.name, messages, failures, successes, firstIsMessage, firstTime, timestamp,
         preview, role, firstAgent, firstBranch, lastTime, lastActivity, lastAgent, lastBranch, kinds) AS line
       FROM session JOIN project ON project.id = session.project ORDER BY project.name, session.name`,
    )
    .map(({ line }) => `session ${line}`);
}

function dumpUsage(connection: Connection): readonly string[] {
  return connection
    .all<{ readonly line: string }>(
      `SELECT json_array(project.name, session.name, hour, model, replies, inputTokens) AS line
       FROM (SELECT session, hour, model, replies, inputTokens FROM usage
         UNION ALL SELECT session, hour, '', activeMs, 0 FROM activity) AS used
       LEFT JOIN session ON session.id = used.session LEFT JOIN project ON project.id = session.project ORDER BY line`,
    )
    .map(({ line }) => `usage ${line}`);
}

function dumpRest(connection: Connection): readonly string[] {
  const tombstones = connection.all<{ readonly line: string }>(
    `SELECT 'tombstone ' || project.name || ' ' || session || ' ' || time AS line
     FROM tombstone JOIN project ON project.id = tombstone.project ORDER BY line`,
  );
  const problems = connection.all<{ readonly line: string }>(
    `SELECT 'problem ' || path || ' ' || line || ' ' || reason || ' ' || detail AS line
     FROM problem JOIN file ON file.id = problem.file ORDER BY path, problem.line`,
  );
  const count = connection.get<{ readonly line: string }>(
    "SELECT 'documents ' || value AS line FROM state WHERE key = 'documents' AND value > 0",
  );
  return [...tombstones, ...problems, ...(count ? [count] : [])].map(({ line }) => line);
}
