import { type Line, readLines } from '../../log/index.ts';
import { isTombstone, parseRecord } from '../searchable.ts';
import type { Connection } from './connection.ts';
import { type BatchFile, BatchMemory, IndexBatch } from './index-batch.ts';
import { sqliteFailure } from './index-store.ts';
import { changesOf, ensureProject, noteProject, pendingBytes } from './pending-changes.ts';
import { removeDocuments, removedDocuments } from './remove-documents.ts';
import { documentCount, setState, stateOf } from './schema.ts';
import { recountTerms } from './term-counts.ts';
import {
  type FoundFile,
  folderTime,
  noteFile,
  type ProjectSource,
  type TrackedFile,
  trackedFiles,
  trustedTime,
  UNSURE,
} from './tracked-files.ts';

/** How the index is brought up to date. */
export interface CatchUpOptions {
  /** Told how many bytes of the logs are done, of how many. */
  readonly onProgress?: (done: number, total: number) => void;
  readonly now?: () => number;
}

/** What catching up did. */
export interface CatchUpReport {
  readonly bytesRead: number;
  readonly documents: number;
  /** False when another process holds the index: the rest of the logs is not in it yet. */
  readonly complete: boolean;
}

/** Bytes of log that one transaction takes in. More would make others wait longer, and take more memory. */
const BATCH_BYTES = 8 * 1024 * 1024;
/** Lines that could not be used are remembered one by one up to this many per file. */
const MOST_PROBLEMS = 1_000;
/** After removals, the terms of an index of up to this many documents are counted anew at once. */
const QUICKLY_COUNTED = 5_000;
/** Those of a larger one when this part of all documents was removed. */
const REMOVED_PART = 0.2;

/**
 * Brings the index up to date with the logs of some projects: reads what was added since, and what was changed.
 * Works in short transactions, each of which leaves the index in a good state, so that it can be killed at any
 * time and so that several processes can do it at once.
 */
export function catchUp(
  connection: Connection,
  projects: readonly ProjectSource[],
  options: CatchUpOptions = {},
): CatchUpReport {
  const now = options.now ?? Date.now;
  const total = connection.snapshot(() => pendingBytes(connection, projects, now()));
  let bytesRead = 0;
  let documents = 0;
  if (total === undefined) return { bytesRead, documents, complete: true };
  const memory = new BatchMemory();
  try {
    for (;;) {
      const step = connection.transaction(() => takeBatch(connection, projects, memory, now()));
      bytesRead += step.bytes;
      documents += step.documents;
      options.onProgress?.(Math.min(bytesRead, total), total);
      if (step.isLast) break;
    }
    tidyIndex(connection);
    return { bytesRead, documents, complete: true };
  } catch (error) {
    if (sqliteFailure(error) !== 'busy') throw error;
    return { bytesRead, documents, complete: total === 0 };
  }
}

interface Step {
  readonly bytes: number;
  readonly documents: number;
  readonly isLast: boolean;
}

/** One transaction: what is no longer there goes, and up to {@link BATCH_BYTES} of what is new come in. */
function takeBatch(
  connection: Connection,
  projects: readonly ProjectSource[],
  memory: BatchMemory,
  now: number,
): Step {
  const batch = new IndexBatch(connection, memory);
  const notes: (() => void)[] = [];
  let bytes = 0;
  let isLast = true;
  for (const source of projects) {
    const part = takeProject(connection, batch, source, BATCH_BYTES - bytes, now);
    bytes += part.bytes;
    isLast = isLast && part.isWhole;
    notes.push(...part.notes);
  }
  const documents = batch.write();
  for (const note of notes) note();
  return { bytes, documents, isLast: isLast && settle(connection) };
}

interface ProjectPart {
  readonly bytes: number;
  readonly isWhole: boolean;
  /** What is to be remembered once the documents are written. */
  readonly notes: readonly (() => void)[];
}

function takeProject(
  connection: Connection,
  batch: IndexBatch,
  source: ProjectSource,
  most: number,
  now: number,
): ProjectPart {
  const project = ensureProject(connection, source);
  const names = trustedTime(folderTime(source.directory), now);
  const { lost, pending } = changesOf(connection, source, project, now);
  // Removing looks into the records that stay, which may be in files that were renamed.
  for (const { found, known } of pending) if (known) moveFile(connection, known.id, found);
  removeFiles(connection, lost);
  const notes: (() => void)[] = [];
  let bytes = 0;
  let isWhole = true;
  for (const { found, known } of pending) {
    if (bytes >= most) {
      isWhole = false;
      break;
    }
    const file = ensureFile(connection, project.id, source.id, found, known);
    const read = readFile(connection, batch, file, found, known, most - bytes);
    bytes += read.bytes;
    isWhole = read.complete;
    notes.push(() => noteFile(connection, file.id, project.id, found, read, now));
  }
  notes.push(() => noteProject(connection, project.id, isWhole ? names : UNSURE));
  return { bytes, isWhole, notes };
}

function moveFile(connection: Connection, id: number, { path, position }: FoundFile): void {
  connection.run('UPDATE file SET path = ?, position = ? WHERE id = ?', path, position, id);
}

/** The row must be there before documents refer to it. */
function ensureFile(
  connection: Connection,
  project: number,
  projectName: string,
  found: FoundFile,
  known: TrackedFile | undefined,
): BatchFile {
  const row = connection.get<{ readonly last: number | null }>('SELECT max(id) AS last FROM file');
  const id = known?.id ?? (row?.last ?? 0) + 1;
  const { log, path, position } = found;
  if (!known) {
    connection.run(
      'INSERT INTO file VALUES (?, ?, ?, ?, ?, 0, 0, 0, 0, ?, 0, 0, 0, 0)',
      id,
      project,
      log,
      path,
      position,
      found.inode,
    );
  }
  return { id, project, projectName, log, position };
}

interface ReadPart {
  readonly bytes: number;
  readonly offset: number;
  readonly lines: number;
  readonly complete: boolean;
}

function readFile(
  connection: Connection,
  batch: IndexBatch,
  file: BatchFile,
  found: FoundFile,
  known: TrackedFile | undefined,
  most: number,
): ReadPart {
  const from = known?.offset ?? 0;
  const before = known?.lines ?? 0;
  let offset = from;
  let lines = before;
  for (const line of readLines(found.path, { from })) {
    if (offset - from >= most) return { bytes: offset - from, offset, lines, complete: false };
    addLine(connection, batch, file, line, before + line.number);
    offset = line.end;
    lines = before + line.number;
  }
  return { bytes: offset - from, offset, lines, complete: true };
}

function addLine(
  connection: Connection,
  batch: IndexBatch,
  file: BatchFile,
  line: Line,
  number: number,
): void {
  const parsed = parseRecord(file.log, line.text);
  if (!parsed.ok) {
    const detail = parsed.reason === 'newer' ? `record version ${parsed.version}` : parsed.problem;
    connection.run(
      'INSERT INTO problem SELECT ?1, ?2, ?3, ?4 WHERE (SELECT count(*) FROM problem WHERE file = ?1) < ?5',
      file.id,
      number,
      parsed.reason,
      detail,
      MOST_PROBLEMS,
    );
  } else if (isTombstone(parsed.record)) {
    batch.addTombstone(file, parsed.record.sessionId, Date.parse(parsed.record.timestamp));
  } else {
    batch.addRecord(file, line.offset, line.end - line.offset, parsed.record);
  }
}

/**
 * Takes files out of the index. Their tombstones stay, without a file, until it is known whether they are still
 * in one: see {@link settle}.
 */
export function removeFiles(connection: Connection, files: readonly TrackedFile[]): void {
  const documents: number[] = [];
  for (const { id } of files) {
    for (const row of connection.all<{ readonly id: number }>('SELECT id FROM document WHERE file = ?', id)) {
      documents.push(row.id);
    }
    connection.run('UPDATE tombstone SET file = 0 WHERE file = ?', id);
    connection.run('DELETE FROM problem WHERE file = ?', id);
  }
  removeDocuments(connection, documents);
  for (const { id } of files) connection.run('DELETE FROM file WHERE id = ?', id);
}

/**
 * Ends catching up. When a tombstone is gone from the logs, what it hid is to be seen again: its project is
 * then read anew, and the answer is false.
 */
function settle(connection: Connection): boolean {
  const gone = connection.all<{ readonly project: number }>(
    `SELECT DISTINCT project FROM tombstone AS gone WHERE file = 0 AND NOT EXISTS (
       SELECT 1 FROM tombstone AS live
       WHERE live.project = gone.project AND live.session = gone.session AND live.file <> 0 AND live.time >= gone.time
     )`,
  );
  connection.run('DELETE FROM tombstone WHERE file = 0');
  for (const { project } of gone) removeFiles(connection, trackedFiles(connection, project));
  if (gone.length > 0) {
    connection.run('DELETE FROM tombstone WHERE file = 0');
    return false;
  }
  recountWhenStale(connection);
  return true;
}

function recountWhenStale(connection: Connection): void {
  const removed = removedDocuments(connection);
  const all = documentCount(connection);
  if (removed > 0 && (all < QUICKLY_COUNTED || removed > all * REMOVED_PART)) recountTerms(connection);
}

/** An index that grew by this part since it was last tidied is tidied again. */
const GROWTH = 0.5;
/** Below this many new documents it does not matter. */
const LEAST_GROWTH = 2_000;
/** Pages that one step merges: others can write between steps. */
const STEP_PAGES = 2_000;
const TABLES = ['fts', 'piece'] as const;

/**
 * Merges what FTS5 wrote in many parts into one, which makes queries of several words almost twice as fast. Does it
 * only when the index has grown a lot, so that it takes little time on the whole. In short transactions.
 */
function tidyIndex(connection: Connection): void {
  const documents = documentCount(connection);
  const before = stateOf(connection, 'tidied');
  if (documents - before < Math.max(LEAST_GROWTH, before * GROWTH)) return;
  for (const table of TABLES) mergeAll(connection, table);
  connection.transaction(() => setState(connection, 'tidied', documents));
}

function mergeAll(connection: Connection, table: (typeof TABLES)[number]): void {
  const sql = `INSERT INTO ${table} (${table}, rank) VALUES ('merge', ?)`;
  // A negative number begins to merge everything, a positive one goes on. FTS5 says by the number of changes
  // whether there was anything to do.
  for (let pages = -STEP_PAGES; ; pages = STEP_PAGES) {
    const changes = connection.transaction(() => {
      const start = totalChanges(connection);
      connection.run(sql, pages);
      return totalChanges(connection) - start;
    });
    if (changes < 2) return;
  }
}

function totalChanges(connection: Connection): number {
  return connection.get<{ readonly count: number }>('SELECT total_changes() AS count')?.count ?? 0;
}
