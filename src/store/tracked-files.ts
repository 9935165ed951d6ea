import type { Stats } from 'node:fs';
import { basename, dirname } from 'node:path';
import { readBytesAt, statIfExists, withOpenFile } from '../files/file-access.ts';
import { archiveFolder, listSegments, teamFolder } from '../log/segments.ts';
import type { Problem } from '../record/error.ts';
import { textHash } from '../record/id.ts';
import type { Connection } from './connection.ts';
import { SEARCHED_LOGS, type SearchedLog } from './searchable.ts';

/** The logs that are read: those that are searched, and the warnings. */
const TRACKED_LOGS = [...SEARCHED_LOGS, 'warnings'] as const;
/** A log that is read. */
type TrackedLog = SearchedLog | 'warnings';

/** A project whose logs are searched. */
export interface ProjectSource {
  readonly id: string;
  /** The folder that holds its logs. */
  readonly directory: string;
}

/** A log file as it is on disk. */
export interface FoundFile {
  readonly log: TrackedLog;
  readonly path: string;
  /** Order of the segment within its log. */
  readonly segmentOrder: number;
  readonly size: number;
  readonly mtime: number;
  readonly inode: number;
}

/** A log file as the index knows it: a row of the table `file`. */
export interface TrackedFile extends FoundFile {
  readonly id: number;
  readonly project: number;
  /** Bytes and lines of it that are indexed. */
  readonly offset: number;
  readonly lines: number;
  /** The {@link Fingerprint} of the indexed part. */
  readonly head: number;
  readonly headLength: number;
  readonly tail: number;
  readonly tailOpen: number;
}

/** How the files of a project differ from what the index knows. */
export interface LogChanges {
  /** Known files that are gone or whose content was replaced: their documents are outdated. */
  readonly removed: readonly TrackedFile[];
  /** Files that may have new content, in the order in which to read them. `known` says up to where they are indexed. */
  readonly pending: readonly { readonly found: FoundFile; readonly known: TrackedFile | undefined }[];
  /** Bytes that may be new. */
  readonly bytes: number;
}

/** A file that changed less than this ago may change again without getting another mtime. */
const MTIME_GRANULARITY_MS = 2_100;
/** Stored as the mtime of a file or folder that must be looked at next time. */
export const UNKNOWN_TIME = -1;
const OPEN_SEGMENT_ORDER = Number.MAX_SAFE_INTEGER;

/** The files of a project as the index knows them. */
export function trackedFiles(connection: Connection, project: number): readonly TrackedFile[] {
  return connection.all<TrackedFile>('SELECT * FROM file WHERE project = ?', project);
}

/** Whether all files are as the index knows them. Costs one `stat` each. */
export function areUnchanged(known: readonly TrackedFile[]): boolean {
  return known.every((file) => {
    const stats = statIfExists(file.path);
    return (
      stats !== undefined && file.mtime === stats.mtimeMs && file.size === stats.size && file.inode === inodeOf(stats)
    );
  });
}

/** Compares the files of a project with what the index knows. Reads into changed files and recognises moved ones. */
export function compareFiles(known: readonly TrackedFile[], directory: string, now: number): LogChanges {
  const files = findFiles(directory);
  const removed = new Set(known);
  const formers = new Map<FoundFile, TrackedFile>();
  // All files that are where they were come first, so that none is taken for a copy of another.
  for (const isFormer of [isSameFile, isCopy]) {
    for (const found of files) {
      if (formers.has(found)) continue;
      const former = [...removed].find((file) => file.log === found.log && isFormer(file, found));
      if (former === undefined) continue;
      formers.set(found, former);
      removed.delete(former);
    }
  }
  const pending: LogChanges['pending'][number][] = [];
  let bytes = 0;
  for (const found of files) {
    const former = formers.get(found);
    if (former && isUpToDate(former, found, now)) continue;
    pending.push({ found, known: former });
    bytes += Math.max(0, found.size - (former?.offset ?? 0));
  }
  pending.sort((a, b) => readingOrder(a.found) - readingOrder(b.found) || b.found.segmentOrder - a.found.segmentOrder);
  return { removed: [...removed], pending, bytes };
}

/** What warnings depend on is read first, the newest of it before the rest, so that they need not wait for the whole history. */
function readingOrder({ log, path }: FoundFile): number {
  if (isArchived(path)) return 3;
  if (log === 'history') return 2;
  return log === 'warnings' ? 0 : 1;
}

/** Whether a file is one of old failures, of which there are no more warnings. */
export function isArchived(path: string): boolean {
  return basename(dirname(path)) === basename(archiveFolder(''));
}

/** The mtime if a later change is sure to alter it, else {@link UNKNOWN_TIME}. */
export function settledTime(mtime: number, now: number): number {
  return now - mtime > MTIME_GRANULARITY_MS ? mtime : UNKNOWN_TIME;
}

/**
 * The mtime of a data folder, which changes with the names in it or in the folder of its team; {@link UNKNOWN_TIME} when
 * there is no such folder.
 */
export function folderMtime(directory: string): number {
  const own = statIfExists(directory)?.mtimeMs ?? UNKNOWN_TIME;
  return own === UNKNOWN_TIME ? own : Math.max(own, statIfExists(teamFolder(directory))?.mtimeMs ?? own);
}

/** The log files of a project, including those in its archive and what its team shares. */
export function findFiles(directory: string): readonly FoundFile[] {
  const team = teamFolder(directory);
  return TRACKED_LOGS.flatMap((log) =>
    [archiveFolder(directory), directory, archiveFolder(team), team].flatMap((folder) =>
      listSegments(folder, log).flatMap(({ path, isOpen }) => {
        const stats = statIfExists(path);
        if (!stats?.isFile()) return [];
        const segmentOrder = isOpen ? OPEN_SEGMENT_ORDER : Number(/-(\d+)\.jsonl$/.exec(path)?.[1] ?? 0);
        return [{ log, path, segmentOrder, size: stats.size, mtime: stats.mtimeMs, inode: inodeOf(stats) }];
      }),
    ),
  );
}

/** Stores how far a file was read. `complete`: to the end of the file as it was found. */
export function saveFile(
  connection: Connection,
  id: number,
  project: number,
  found: FoundFile,
  { offset, lines, complete }: { readonly offset: number; readonly lines: number; readonly complete: boolean },
  now: number,
): void {
  const fingerprint = withOpenFile(found.path, (descriptor) => takeFingerprint(descriptor, offset), undefined);
  connection.run(
    'INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    id,
    project,
    found.log,
    found.path,
    found.segmentOrder,
    offset,
    lines,
    complete ? found.size : offset,
    complete ? settledTime(found.mtime, now) : UNKNOWN_TIME,
    found.inode,
    fingerprint?.head ?? 0,
    fingerprint?.headLength ?? 0,
    fingerprint?.tail ?? 0,
    fingerprint?.tailOpen ? 1 : 0,
  );
}

/** Lines of the logs that could not be indexed. */
export function listProblems(connection: Connection): readonly Problem[] {
  return connection
    .all<Required<Pick<Problem, 'path' | 'line' | 'reason' | 'detail'>>>(
      'SELECT path, line, reason, detail FROM problem JOIN file ON file.id = problem.file ORDER BY path, line',
    )
    .map((row) => ({ ...row }));
}

/** Whether it is the indexed file: unchanged, extended, renamed, or replaced by a copy. */
function isSameFile(known: TrackedFile, found: FoundFile): boolean {
  if (known.inode !== found.inode && known.path !== found.path) return false;
  return hasSameStats(known, found) || isExtended(known, found);
}

/** Whether it is a copy of the indexed file at another path: the home was copied. */
function isCopy(known: TrackedFile, found: FoundFile): boolean {
  return known.offset > 0 && known.segmentOrder === found.segmentOrder && isExtended(known, found);
}

function hasSameStats(known: TrackedFile, found: FoundFile): boolean {
  return known.inode === found.inode && known.size === found.size && known.mtime === found.mtime;
}

/** Whether nothing needs to be read or stored. */
function isUpToDate(known: TrackedFile, found: FoundFile, now: number): boolean {
  if (known.path !== found.path || known.inode !== found.inode || known.size !== found.size) return false;
  if (known.mtime === found.mtime) return true;
  return known.offset === found.size && settledTime(found.mtime, now) === UNKNOWN_TIME;
}

/** Whether the indexed part of the file is still the same. */
function isExtended(known: TrackedFile, found: FoundFile): boolean {
  if (found.size < known.offset) return false;
  return withOpenFile(
    found.path,
    (descriptor) => matchesFingerprint(descriptor, known.offset, { ...known, tailOpen: known.tailOpen === 1 }),
    false,
  );
}

/** Some file systems use inodes beyond the safe integers of JavaScript. */
function inodeOf({ ino }: Stats): number {
  return Number.isSafeInteger(ino) ? ino : textHash(String(ino));
}

const FINGERPRINT_BYTES = 512;
const NEWLINE = 0x0a;

/** By this the indexed part of a file is recognised later. */
interface Fingerprint {
  /** Hash of its first bytes. */
  readonly head: number;
  readonly headLength: number;
  /** Hash of its last bytes. */
  readonly tail: number;
  /** Whether it ends without a line break. */
  readonly tailOpen: boolean;
}

/** The fingerprint of the first `offset` bytes of a file. */
function takeFingerprint(descriptor: number, offset: number): Fingerprint {
  const headLength = Math.min(offset, FINGERPRINT_BYTES);
  const tail = bytesBefore(descriptor, offset);
  return {
    head: hashBytes(readBytesAt(descriptor, 0, headLength)),
    headLength,
    tail: hashBytes(tail),
    tailOpen: tail.length > 0 && tail.at(-1) !== NEWLINE,
  };
}

/** When the indexed part ended within a line, that line must have ended there; otherwise it is a different line now. */
function matchesFingerprint(
  descriptor: number,
  offset: number,
  { head, headLength, tail, tailOpen }: Fingerprint,
): boolean {
  const start = readBytesAt(descriptor, 0, headLength);
  if (start.length < headLength || hashBytes(start) !== head) return false;
  if (hashBytes(bytesBefore(descriptor, offset)) !== tail) return false;
  if (!tailOpen) return true;
  const [next] = readBytesAt(descriptor, offset, 1);
  return next === undefined || next === NEWLINE;
}

function bytesBefore(descriptor: number, offset: number): Buffer {
  const length = Math.min(offset, FINGERPRINT_BYTES);
  return readBytesAt(descriptor, offset - length, length);
}

function hashBytes(bytes: Buffer): number {
  return textHash(bytes.toString('latin1'));
}
