import { existsSync } from 'node:fs';
import { openDatabase } from '../../src/sqlite/database.ts';
import { Connection } from '../../src/store/connection.ts';
import { RecordReader } from '../../src/store/record-reader.ts';
import type { SearchedLog } from '../../src/store/searchable.ts';
import { storePath } from '../../src/store/store-files.ts';

/** How rows are named that differ from store to store by their numbers alone. */
interface DumpOptions {
  /** Leave out where in the logs records are, so that stores over logs with the same records in another order are equal. */
  readonly withoutPlaces?: boolean;
}

/**
 * Every row of every table of the store of a home, without the numbers that depend on how it was built: two stores over the
 * same logs give the same.
 */
export function dumpStore(home: string, options: DumpOptions = {}): readonly string[] {
  const path = storePath(home);
  if (!existsSync(path)) return [];
  const connection = new Connection(openDatabase(path));
  try {
    const names = readNames(connection);
    const lines = tablesOf(connection).flatMap((table) => dumpTable(connection, table, names, options));
    return [...lines, ...dumpTerms(connection, names), ...dumpPieces(connection)].sort();
  } finally {
    connection.close();
  }
}

/** The names of the tables that hold rows of their own: not those that FTS5 keeps its data in. */
export function tablesOf(connection: Connection): readonly string[] {
  return connection
    .all<{ readonly name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name",
    )
    .map(({ name }) => name)
    .filter((name) => !/^(?:fts|piece)_/.test(name));
}

/** What numbers stand for, by what they are of. */
type Names = Readonly<Record<'document' | 'session' | 'project' | 'file' | 'path', ReadonlyMap<unknown, string>>>;

function readNames(connection: Connection): Names {
  const read = (sql: string) =>
    new Map(connection.all<{ id: number; name: string }>(sql).map(({ id, name }) => [id as unknown, name]));
  return {
    document: readRecordIds(connection),
    session: read(
      "SELECT session.id, project.name || '/' || session.name AS name FROM session JOIN project ON project.id = session.project",
    ),
    project: read('SELECT id, name FROM project'),
    file: read('SELECT id, path AS name FROM file'),
    path: read(
      "SELECT path.id, project.name || '/' || path.name AS name FROM path JOIN project ON project.id = path.project",
    ),
  };
}

function readRecordIds(connection: Connection): ReadonlyMap<unknown, string> {
  const rows = connection.all<{
    id: number;
    log: SearchedLog;
    path: string;
    start: number;
    length: number;
    project: string;
  }>(
    `SELECT document.id, log, path, start, length, project.name AS project
     FROM document JOIN file ON file.id = document.file JOIN project ON project.id = file.project`,
  );
  const reader = new RecordReader();
  try {
    return new Map(rows.map(({ id, project, ...place }) => [id, `${project}/${place.log}/${reader.read(place)?.id}`]));
  } finally {
    reader.close();
  }
}

/** Columns that say where a record is in the logs, or up to where and when the logs were read. */
const PLACES = ['file', 'start', 'length', 'position', 'line'];
const READ_UP_TO = [
  'length',
  'folderTime',
  'mtime',
  'inode',
  'size',
  'offset',
  'head',
  'headLength',
  'tail',
  'tailOpen',
];
/** Columns that hold the number of a document. */
const DOCUMENTS = [
  'document',
  'firstDocument',
  'titleNameDocument',
  'titleResultDocument',
  'labelsDocument',
  'lastDocument',
  'failed',
  'worked',
];

function dumpTable(
  connection: Connection,
  table: string,
  names: Names,
  { withoutPlaces = false }: DumpOptions,
): readonly string[] {
  if (table === 'file' && withoutPlaces) return [];
  if (table === 'state') return dumpState(connection);
  return connection.all<Record<string, unknown>>(`SELECT * FROM ${table}`).map((row) => {
    const cells = Object.entries(row).flatMap(([column, value]) => {
      if (READ_UP_TO.includes(column) || (withoutPlaces && PLACES.includes(column))) return [];
      return [`${column}=${nameCell(table, column, value, names)}`];
    });
    return `${table} ${cells.join(' ')}`;
  });
}

function nameCell(table: string, column: string, value: unknown, names: Names): string {
  if (column === 'id' && typeof value === 'number')
    return table in names ? nameOf(names[table as keyof Names], value) : '';
  if (value === null) return '';
  if (DOCUMENTS.includes(column)) return nameOf(names.document, value);
  if (column === 'session' && typeof value === 'number') return nameOf(names.session, value);
  if (column === 'project') return nameOf(names.project, value);
  if (column === 'file') return nameOf(names.file, value);
  if (table === 'change' && column === 'path') return nameOf(names.path, value);
  return JSON.stringify(value);
}

function nameOf(names: ReadonlyMap<unknown, string>, value: unknown): string {
  return names.get(value) ?? `nothing named ${value}`;
}

function dumpState(connection: Connection): readonly string[] {
  const sql = "SELECT 'documents ' || value AS line FROM state WHERE key = 'documents' AND value > 0";
  return connection.all<{ readonly line: string }>(sql).map(({ line }) => line);
}

/** The terms of each document, with their columns and positions. */
function dumpTerms(connection: Connection, names: Names): readonly string[] {
  const terms = new Map<number, string>();
  connection.exec('CREATE VIRTUAL TABLE temp.occurrence USING fts5vocab (main, fts, instance)');
  const sql = "SELECT doc, col || offset || '=' || term AS place FROM temp.occurrence ORDER BY doc, col, offset";
  for (const { doc, place } of connection.all<{ readonly doc: number; readonly place: string }>(sql))
    terms.set(doc, `${terms.get(doc) ?? ''} ${place}`);
  connection.exec('DROP TABLE temp.occurrence');
  return [...terms].map(([document, text]) => `terms ${nameOf(names.document, document)}${text}`);
}

function dumpPieces(connection: Connection): readonly string[] {
  connection.exec('CREATE VIRTUAL TABLE temp.piecePart USING fts5vocab (main, piece, row)');
  const sql = "SELECT 'piece ' || term || ' ' || doc AS line FROM temp.piecePart";
  const lines = connection.all<{ readonly line: string }>(sql).map(({ line }) => line);
  connection.exec('DROP TABLE temp.piecePart');
  return lines;
}
