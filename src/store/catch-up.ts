import type { Progress } from '../files/file-access.ts';
import { describeProblem } from '../history/records.ts';
import { readLogLines, type SegmentLine } from '../log/read.ts';
import type { Connection } from './connection.ts';
import { mergeGrownTables } from './full-text.ts';
import { BatchBuffers, type BatchFile, IndexBatch } from './index-batch.ts';
import { IndexStore, sqliteFailure } from './index-store.ts';
import { ensureProject, findChanges, pendingBytes, saveFolderTime } from './pending-changes.ts';
import { recountStaleTerms, removeFiles } from './remove-documents.ts';
import { isTombstone, parseRecord } from './searchable.ts';
import { storePath } from './store-files.ts';
import {
  type FoundFile,
  folderMtime,
  type ProjectSource,
  saveFile,
  settledTime,
  type TrackedFile,
  trackedFiles,
  UNKNOWN_TIME,
} from './tracked-files.ts';
import { saveWarningLine } from './warning-rows.ts';

/** How the index is brought up to date. */
export interface CatchUpOptions {
  /** Called after each batch. */
  readonly onProgress?: Progress;
  readonly now?: () => number;
  /** Whether the time is up; what is left then is for the next catch-up. Default: never. */
  readonly isOver?: () => boolean;
}

/** What a catch-up did. */
export interface CatchUpReport {
  readonly bytesRead: number;
  readonly documents: number;
  /** False when some records are not indexed yet: another process is writing to the index, or the time is up. */
  readonly complete: boolean;
}

/**
 * Bytes of log per transaction. More would keep other processes waiting, and leave a larger write-ahead log behind if the
 * process is killed. Less writes the same pages more often: four times as much with an eighth.
 */
const BATCH_BYTES = 1024 * 1024;
/** The same for a process with little time: about 50 ms. */
const SHORT_BATCH_BYTES = 256 * 1024;
/** After a transaction with so many bytes of log, the write-ahead log is begun again. SQLite itself never waits for readers to do so. */
const CHECKPOINT_BYTES = 512 * 1024;
/** Readers such as hooks are gone by then. */
const MAX_READER_WAIT_MS = 100;
/** Unusable lines that are recorded per file. */
const MAX_PROBLEMS = 1_000;

/**
 * Brings the index up to date with the logs of some projects: reads what was added or changed. Works in short
 * transactions that leave the index consistent, so that it can be killed at any time and several processes can do it
 * at once.
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
  const buffers = new BatchBuffers();
  const maxBytes = options.isOver === undefined ? BATCH_BYTES : SHORT_BATCH_BYTES;
  try {
    for (;;) {
      const batch = connection.transaction(() => runBatch(connection, projects, buffers, maxBytes, now()));
      if (batch.bytes >= CHECKPOINT_BYTES) emptyLog(connection);
      bytesRead += batch.bytes;
      documents += batch.documents;
      options.onProgress?.(Math.min(bytesRead, total), total);
      if (batch.isLast) break;
      if (options.isOver?.() === true) return { bytesRead, documents, complete: false };
    }
    if (options.isOver === undefined) mergeGrownTables(connection);
    return { bytesRead, documents, complete: true };
  } catch (error) {
    if (sqliteFailure(error) !== 'busy') throw error;
    return { bytesRead, documents, complete: total === 0 };
  }
}

/**
 * Brings the rows of one project up to date for a process with little time: waits for no other process, and leaves to the
 * next one what there is no time for. `home`: yore's home.
 */
export function tryCatchUp(
  home: string,
  project: ProjectSource,
  options: Required<Pick<CatchUpOptions, 'now' | 'isOver'>>,
): void {
  const work = (connection: Connection): unknown => catchUp(connection, [project], options);
  const store = new IndexStore(storePath(home), work, { waitMs: 0 });
  try {
    store.use(work);
  } finally {
    store.close();
  }
}

/** Moves the write-ahead log into the database, so that the next transaction begins it again, unless somebody reads for long. */
function emptyLog(connection: Connection): void {
  const waitMs = connection.get<{ readonly timeout: number }>('PRAGMA busy_timeout')?.timeout ?? 0;
  connection.exec(`PRAGMA busy_timeout = ${MAX_READER_WAIT_MS}`);
  connection.exec('PRAGMA wal_checkpoint(RESTART)');
  connection.exec(`PRAGMA busy_timeout = ${waitMs}`);
}

interface BatchResult {
  readonly bytes: number;
  readonly documents: number;
  readonly isLast: boolean;
}

/** One transaction: removes outdated documents and adds those of up to `maxBytes`. */
function runBatch(
  connection: Connection,
  projects: readonly ProjectSource[],
  buffers: BatchBuffers,
  maxBytes: number,
  now: number,
): BatchResult {
  const batch = new IndexBatch(connection, buffers);
  const updates: (() => void)[] = [];
  let bytes = 0;
  let isLast = true;
  for (const source of projects) {
    if (bytes >= maxBytes) {
      isLast = false;
      break;
    }
    const result = indexProject(connection, batch, source, maxBytes - bytes, now);
    bytes += result.bytes;
    isLast = isLast && result.isComplete;
    updates.push(...result.updates);
  }
  const documents = batch.write();
  for (const update of updates) update();
  if (!isLast || resetUndeletedProjects(connection)) return { bytes, documents, isLast: false };
  recountStaleTerms(connection);
  return { bytes, documents, isLast: true };
}

interface ProjectResult {
  readonly bytes: number;
  readonly isComplete: boolean;
  /** Store the progress once the documents are written. */
  readonly updates: readonly (() => void)[];
}

function indexProject(
  connection: Connection,
  batch: IndexBatch,
  source: ProjectSource,
  maxBytes: number,
  now: number,
): ProjectResult {
  const project = ensureProject(connection, source);
  const folderTime = settledTime(folderMtime(source.directory), now);
  const { removed, pending } = findChanges(connection, source, project, now);
  // Removing documents reads the remaining ones of their sessions, which may be in renamed files.
  for (const { found, known } of pending) {
    const sql = 'UPDATE file SET path = ?, segmentOrder = ? WHERE id = ?';
    if (known) connection.run(sql, found.path, found.segmentOrder, known.id);
  }
  removeFiles(connection, removed);
  const updates: (() => void)[] = [];
  let bytes = 0;
  let isComplete = true;
  for (const { found, known } of pending) {
    if (bytes >= maxBytes) {
      isComplete = false;
      break;
    }
    const file = ensureFile(connection, project.id, source.id, found, known);
    const progress = indexFile(connection, batch, file, found, known, maxBytes - bytes);
    bytes += progress.bytes;
    isComplete = progress.complete;
    updates.push(() => saveFile(connection, file.id, project.id, found, progress, now));
  }
  updates.push(() => saveFolderTime(connection, project.id, isComplete ? folderTime : UNKNOWN_TIME));
  return { bytes, isComplete, updates };
}

/** A file that is being read. */
type ReadFile = Omit<BatchFile, 'log'> & Pick<FoundFile, 'log'>;

/** The row must exist before documents refer to it. */
function ensureFile(
  connection: Connection,
  project: number,
  projectId: string,
  found: FoundFile,
  known: TrackedFile | undefined,
): ReadFile {
  const row = connection.get<{ readonly last: number | null }>('SELECT max(id) AS last FROM file');
  const id = known?.id ?? (row?.last ?? 0) + 1;
  const { log, path, segmentOrder } = found;
  if (!known) {
    connection.run(
      'INSERT INTO file VALUES (?, ?, ?, ?, ?, 0, 0, 0, 0, ?, 0, 0, 0, 0)',
      id,
      project,
      log,
      path,
      segmentOrder,
      found.inode,
    );
  }
  return { id, project, projectId, log, segmentOrder };
}

interface FileProgress {
  readonly bytes: number;
  readonly offset: number;
  readonly lines: number;
  readonly complete: boolean;
}

function indexFile(
  connection: Connection,
  batch: IndexBatch,
  file: ReadFile,
  found: FoundFile,
  known: TrackedFile | undefined,
  maxBytes: number,
): FileProgress {
  const from = known?.offset ?? 0;
  const linesBefore = known?.lines ?? 0;
  let offset = from;
  let lines = linesBefore;
  for (const line of readLogLines(found.path, { from })) {
    if (offset - from >= maxBytes) return { bytes: offset - from, offset, lines, complete: false };
    lines = linesBefore + line.number;
    offset = line.end;
    indexLine(connection, batch, file, line, lines);
  }
  return { bytes: offset - from, offset, lines, complete: true };
}

function indexLine(connection: Connection, batch: IndexBatch, read: ReadFile, line: SegmentLine, number: number): void {
  const { log } = read;
  if (log === 'warnings') {
    saveWarningLine(connection, read, line);
    return;
  }
  const file = { ...read, log };
  const parsed = parseRecord(log, line.text);
  if (!parsed.ok) {
    const { reason, detail } = describeProblem(parsed);
    connection.run(
      'INSERT INTO problem SELECT ?1, ?2, ?3, ?4 WHERE (SELECT count(*) FROM problem WHERE file = ?1) < ?5',
      file.id,
      number,
      reason,
      detail,
      MAX_PROBLEMS,
    );
  } else if (isTombstone(parsed.record)) {
    batch.addTombstone(file, parsed.record.sessionId, Date.parse(parsed.record.timestamp));
  } else {
    batch.addRecord(file, line.offset, line.end - line.offset, parsed.record);
  }
}

/**
 * Removes all files of projects with a tombstone that is gone from the logs, so that the next batch indexes them again
 * and finds the records that it hid. Returns whether there are such projects.
 */
function resetUndeletedProjects(connection: Connection): boolean {
  const gone = connection.all<{ readonly project: number }>(
    `SELECT DISTINCT project FROM tombstone AS gone WHERE file = 0 AND NOT EXISTS (
       SELECT 1 FROM tombstone AS live
       WHERE live.project = gone.project AND live.session = gone.session AND live.file <> 0 AND live.time >= gone.time
     )`,
  );
  connection.run('DELETE FROM tombstone WHERE file = 0');
  if (gone.length === 0) return false;
  for (const { project } of gone) removeFiles(connection, trackedFiles(connection, project));
  connection.run('DELETE FROM tombstone WHERE file = 0');
  return true;
}
