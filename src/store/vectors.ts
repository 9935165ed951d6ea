import { safeCut } from '../text/characters.ts';
import type { Connection } from './connection.ts';
import { sqliteFailure } from './index-store.ts';
import { type RecordLocation, RecordReader } from './record-reader.ts';
import { readState, writeState } from './schema.ts';
import { searchedText } from './searchable.ts';

/**
 * The vector of each message, as {@link packVector} writes it; no bytes for one that has none. Created with the first
 * vectors, so that an index without them stays as it is, and rebuilding the index removes them.
 */
const TABLE =
  'CREATE TABLE IF NOT EXISTS vector (document INTEGER PRIMARY KEY, file INTEGER NOT NULL, data BLOB NOT NULL)';

/** What a message is about is said in its first characters. Many models accept 512 tokens. */
const MAX_TEXT_LENGTH = 1000;
/** The newest vectors that are compared. Comparing takes time and memory in proportion to their number. */
const MAX_COMPARED = 100_000;

/** What makes vectors. */
export interface VectorModel {
  readonly id: string;
  /** How many numbers its vectors have, if that is known. */
  readonly dimensions?: number | undefined;
}

/** A message without a vector. */
export interface PendingText {
  readonly id: number;
  readonly file: number;
  readonly start: number;
  readonly text: string;
}

/** How many messages have a vector of a model. */
export interface VectorCounts {
  readonly messages: number;
  readonly vectors: number;
}

/** The newest messages without a vector of this model among those older than `after`, an id. */
export function pendingTexts(
  connection: Connection,
  model: VectorModel,
  count: number,
  after: number,
): readonly PendingText[] {
  const isMissing = isCurrent(connection, model)
    ? 'AND NOT EXISTS (SELECT 1 FROM vector WHERE vector.document = document.id)'
    : '';
  const rows = connection.all<PendingText & RecordLocation>(
    `SELECT document.id, file, log, path, start, length FROM document CROSS JOIN file ON file.id = document.file
     WHERE document.id > ? AND log = 'history' ${isMissing} ORDER BY document.id LIMIT ?`,
    after,
    count,
  );
  const reader = new RecordReader();
  try {
    return rows.map(({ id, file, start, ...location }) => {
      const record = reader.read({ start, ...location });
      const text = record === undefined ? '' : searchedText(record).said.trim();
      return { id, file, start, text: text.slice(0, safeCut(text, MAX_TEXT_LENGTH)) };
    });
  } finally {
    reader.close();
  }
}

/**
 * Stores vectors; undefined for a text that has none. Vectors of another model or with other dimensions are removed
 * first. Messages that were removed or replaced meanwhile are left out. False if another process is writing.
 */
export function saveVectors(
  connection: Connection,
  id: string,
  vectors: readonly { readonly pending: PendingText; readonly vector: Float32Array | undefined }[],
): boolean {
  try {
    connection.transaction(() => writeVectors(connection, id, vectors));
    return true;
  } catch (error) {
    if (sqliteFailure(error) !== 'busy') throw error;
    return false;
  }
}

function writeVectors(connection: Connection, id: string, vectors: Parameters<typeof saveVectors>[2]): void {
  connection.exec(TABLE);
  const dimensions = vectors.find(({ vector }) => vector !== undefined)?.vector?.length;
  if (!isCurrent(connection, { id, dimensions })) {
    connection.exec('DELETE FROM vector');
    connection.run("INSERT OR REPLACE INTO state VALUES ('vectorModel', ?)", id);
  }
  if (dimensions !== undefined) writeState(connection, 'vectorDimensions', dimensions);
  for (const { pending, vector } of vectors) {
    connection.run(
      'INSERT OR REPLACE INTO vector SELECT id, file, ?4 FROM document WHERE id = ?1 AND file = ?2 AND start = ?3',
      pending.id,
      pending.file,
      pending.start,
      vector === undefined ? new Uint8Array() : packVector(vector),
    );
  }
}

/** Removes the vectors of documents. Call inside a transaction. */
export function removeVectors(connection: Connection, documents: readonly { readonly id: number }[]): void {
  if (!hasTable(connection)) return;
  for (const { id } of documents) connection.run('DELETE FROM vector WHERE document = ?', id);
}

/** Counts messages, and vectors of a model. */
export function countVectors(connection: Connection, model: VectorModel): VectorCounts {
  const count = (sql: string): number => connection.get<{ readonly count: number }>(sql)?.count ?? 0;
  const messages = "SELECT count(*) AS count FROM document JOIN file ON file.id = document.file WHERE log = 'history'";
  const vectors = isCurrent(connection, model) ? count('SELECT count(*) AS count FROM vector') : 0;
  return { messages: count(messages), vectors };
}

/** The vectors of the newest messages. */
interface Vectors {
  readonly dimensions: number;
  readonly ids: Float64Array;
  readonly files: Float64Array;
  /** One after the other. */
  readonly numbers: Int8Array;
  /** 1 divided by the length of each. */
  readonly factors: Float32Array;
}

/**
 * Passes the similarity of each message with a vector to `visit`: the cosine of the angle between the two. False when the
 * index has no vectors that can be compared with this one. Call inside a snapshot.
 */
export function compareVectors(
  connection: Connection,
  id: string,
  vector: Float32Array,
  visit: (id: number, file: number, similarity: number) => void,
): boolean {
  if (!isCurrent(connection, { id, dimensions: vector.length })) return false;
  const { ids, files, numbers, factors, dimensions } = connection.cached('vectors', () => readVectors(connection));
  const { numbers: wanted, factor } = quantise(vector);
  for (let index = 0; index < ids.length; index++) {
    const start = index * dimensions;
    let product = 0;
    for (let n = 0; n < dimensions; n++) product += (wanted[n] as number) * (numbers[start + n] as number);
    visit(ids[index] as number, files[index] as number, product * factor * (factors[index] as number));
  }
  return true;
}

function readVectors(connection: Connection): Vectors {
  const rows = connection.arrays<readonly [id: number, file: number, data: Uint8Array]>(
    'SELECT document, file, data FROM vector WHERE length(data) > 0 ORDER BY document LIMIT ?',
    MAX_COMPARED,
  );
  const dimensions = readDimensions(connection);
  const found: Vectors = {
    dimensions,
    ids: new Float64Array(rows.length),
    files: new Float64Array(rows.length),
    numbers: new Int8Array(rows.length * dimensions),
    factors: new Float32Array(rows.length),
  };
  for (const [index, [id, file, data]] of rows.entries()) {
    found.ids[index] = id;
    found.files[index] = file;
    found.numbers.set(new Int8Array(data.buffer, data.byteOffset, dimensions), index * dimensions);
    found.factors[index] = new DataView(data.buffer, data.byteOffset).getFloat32(dimensions, true);
  }
  return found;
}

/** One signed byte for each dimension, and 1 divided by the length of the result as a 32-bit float. */
function packVector(vector: Float32Array): Uint8Array {
  const { numbers, factor } = quantise(vector);
  const bytes = new Uint8Array(numbers.length + 4);
  bytes.set(new Uint8Array(numbers.buffer));
  new DataView(bytes.buffer).setFloat32(numbers.length, factor, true);
  return bytes;
}

const MAX_INT8 = 127;

function quantise(vector: Float32Array): { readonly numbers: Int8Array; readonly factor: number } {
  const largest = vector.reduce((max, number) => Math.max(max, Math.abs(number)), 0);
  const numbers = Int8Array.from(vector, (number) => (largest === 0 ? 0 : Math.round((number / largest) * MAX_INT8)));
  const length = Math.sqrt(numbers.reduce((sum, number) => sum + number * number, 0));
  return { numbers, factor: length === 0 ? 0 : 1 / length };
}

/** Whether the vectors of the index are of this model. */
function isCurrent(connection: Connection, { id, dimensions }: VectorModel): boolean {
  const row = connection.get<{ readonly value: string }>("SELECT value FROM state WHERE key = 'vectorModel'");
  const known = readDimensions(connection);
  return row?.value === id && (dimensions === undefined || known === 0 || known === dimensions);
}

function readDimensions(connection: Connection): number {
  return readState(connection, 'vectorDimensions');
}

function hasTable(connection: Connection): boolean {
  return connection.get("SELECT 1 FROM sqlite_master WHERE name = 'vector'") !== undefined;
}
