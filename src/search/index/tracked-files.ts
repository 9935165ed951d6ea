import type { Stats } from 'node:fs';
import { readBytesAt, statIfExists, withOpenFile } from '../../files/index.ts';
import { archiveFolder, listSegments } from '../../log/index.ts';
import { type Problem, textHash } from '../../record/index.ts';
import { SEARCHED_LOGS, type SearchedLog } from '../searchable.ts';
import type { Connection } from './connection.ts';

/** A project whose logs are searched. */
export interface ProjectSource {
  readonly id: string;
  /** The folder that holds its logs. */
  readonly directory: string;
}

/** What the index knows of a log file. */
export interface TrackedFile {
  readonly id: number;
  readonly project: number;
  readonly log: SearchedLog;
  readonly path: string;
  /** Place of the segment in its log. */
  readonly position: number;
  /** How much of it is in the index. */
  readonly offset: number;
  readonly lines: number;
  readonly size: number;
  readonly mtime: number;
  readonly inode: number;
  readonly head: number;
  readonly headLength: number;
  readonly tail: number;
  readonly tailOpen: number;
}

/** A file as it is on disk. */
export interface FoundFile {
  readonly log: SearchedLog;
  readonly path: string;
  readonly position: number;
  readonly size: number;
  readonly mtime: number;
  readonly inode: number;
}

/** How the files of a project differ from what the index knows. */
export interface FileChanges {
  /** Known files that are gone, or whose content is another: what is indexed of them no longer holds. */
  readonly lost: readonly TrackedFile[];
  /** Files that may hold something new, and from where. */
  readonly pending: readonly { readonly found: FoundFile; readonly known: TrackedFile | undefined }[];
  /** Bytes that may be new. */
  readonly bytes: number;
}

/** A file that was changed less than this ago may change again without another time of change. */
const MTIME_GRANULARITY_MS = 2_100;
/** Never the time of change of a file: look into the file next time. */
export const UNSURE = -1;
/** Position of the open segment. */
const LAST = Number.MAX_SAFE_INTEGER;

/** The files of a project as the index knows them. */
export function trackedFiles(connection: Connection, project: number): readonly TrackedFile[] {
  return connection.all<TrackedFile>('SELECT * FROM file WHERE project = ?', project);
}

/** Whether nothing happened to the files since they were noted. Costs one `stat` each. */
export function areUntouched(known: readonly TrackedFile[]): boolean {
  return known.every((file) => {
    const stats = statIfExists(file.path);
    return (
      stats !== undefined &&
      file.mtime === stats.mtimeMs &&
      file.size === stats.size &&
      file.inode === inodeOf(stats)
    );
  });
}

/**
 * Compares the files of a project with what the index knows. Looks into files that changed; a renamed one is
 * recognised.
 */
export function compareFiles(known: readonly TrackedFile[], directory: string, now: number): FileChanges {
  const lost = new Set(known);
  const pending: FileChanges['pending'][number][] = [];
  let bytes = 0;
  for (const found of findFiles(directory)) {
    const own = [...lost].filter(({ log }) => log === found.log);
    const same = own.find(({ inode }) => inode === found.inode);
    const former = same ?? own.find(({ path }) => path === found.path);
    if (former && (isUntouched(former, found) || isContinued(former, found))) {
      lost.delete(former);
      if (isUpToDate(former, found, now)) continue;
      pending.push({ found, known: former });
      bytes += Math.max(0, found.size - former.offset);
    } else {
      pending.push({ found, known: undefined });
      bytes += found.size;
    }
  }
  return { lost: [...lost], pending, bytes };
}

function isUntouched(known: TrackedFile, found: FoundFile): boolean {
  return known.inode === found.inode && known.size === found.size && known.mtime === found.mtime;
}

/** Whether nothing needs to be read or noted. */
function isUpToDate(known: TrackedFile, found: FoundFile, now: number): boolean {
  if (known.path !== found.path || known.inode !== found.inode || known.size !== found.size) return false;
  if (known.mtime === found.mtime) return true;
  return known.offset === found.size && trustedTime(found.mtime, now) === UNSURE;
}

/** A time of change by which a later change can be seen, or {@link UNSURE} while it is too recent for that. */
export function trustedTime(mtime: number, now: number): number {
  return now - mtime > MTIME_GRANULARITY_MS ? mtime : UNSURE;
}

/** When the names in a folder last changed; {@link UNSURE} when there is no such folder. */
export function folderTime(directory: string): number {
  return statIfExists(directory)?.mtimeMs ?? UNSURE;
}

function isContinued(known: TrackedFile, found: FoundFile): boolean {
  if (found.size < known.offset) return false;
  return withOpenFile(
    found.path,
    (descriptor) => isUnchanged(descriptor, known.offset, { ...known, tailOpen: known.tailOpen === 1 }),
    false,
  );
}

/** The log files of a project, also those in its archive: what is kept can be found. */
export function findFiles(directory: string): readonly FoundFile[] {
  return SEARCHED_LOGS.flatMap((log) =>
    [archiveFolder(directory), directory].flatMap((folder) =>
      listSegments(folder, log).flatMap(({ path, isOpen: open }) => {
        const stats = statIfExists(path);
        if (!stats?.isFile()) return [];
        const position = open ? LAST : Number(/-(\d+)\.jsonl$/.exec(path)?.[1] ?? 0);
        return [{ log, path, position, size: stats.size, mtime: stats.mtimeMs, inode: inodeOf(stats) }];
      }),
    ),
  );
}

/** Some file systems number files beyond what a number of JavaScript holds exactly. */
function inodeOf({ ino }: Stats): number {
  return Number.isSafeInteger(ino) ? ino : textHash(String(ino));
}

/** Notes how far a file was read. `complete`: up to its end as it was found. */
export function noteFile(
  connection: Connection,
  id: number,
  project: number,
  found: FoundFile,
  progress: { readonly offset: number; readonly lines: number; readonly complete: boolean },
  now: number,
): void {
  const { offset, lines, complete } = progress;
  const mark = withOpenFile(found.path, (descriptor) => fingerprintOf(descriptor, offset), undefined);
  connection.run(
    'INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    id,
    project,
    found.log,
    found.path,
    found.position,
    offset,
    lines,
    complete ? found.size : offset,
    complete ? trustedTime(found.mtime, now) : UNSURE,
    found.inode,
    mark?.head ?? 0,
    mark?.headLength ?? 0,
    mark?.tail ?? 0,
    mark?.tailOpen ? 1 : 0,
  );
}

const FINGERPRINT_BYTES = 512;
const NEWLINE = 0x0a;

/** What is remembered of the part of a file that was read, to see later whether it is still the same. */
interface Fingerprint {
  /** Hash of its first bytes. */
  readonly head: number;
  readonly headLength: number;
  /** Hash of its last bytes. */
  readonly tail: number;
  /** Whether it ends without a line break. */
  readonly tailOpen: boolean;
}

/** Takes the fingerprint of the first `offset` bytes of a file. */
function fingerprintOf(descriptor: number, offset: number): Fingerprint {
  const headLength = Math.min(offset, FINGERPRINT_BYTES);
  const tail = bytesBefore(descriptor, offset);
  return {
    head: textHash(readBytesAt(descriptor, 0, headLength).toString('latin1')),
    headLength,
    tail: textHash(tail.toString('latin1')),
    tailOpen: tail.length > 0 && tail.at(-1) !== NEWLINE,
  };
}

/**
 * Whether the first `offset` bytes of a file still look as they did. When they ended inside a line, that line must
 * have ended there, or else it is another one now.
 */
function isUnchanged(descriptor: number, offset: number, before: Fingerprint): boolean {
  const head = readBytesAt(descriptor, 0, before.headLength);
  if (head.length < before.headLength || textHash(head.toString('latin1')) !== before.head) return false;
  if (textHash(bytesBefore(descriptor, offset).toString('latin1')) !== before.tail) return false;
  if (!before.tailOpen) return true;
  const [next] = readBytesAt(descriptor, offset, 1);
  return next === undefined || next === NEWLINE;
}

function bytesBefore(descriptor: number, offset: number): Buffer {
  const length = Math.min(offset, FINGERPRINT_BYTES);
  return readBytesAt(descriptor, offset - length, length);
}

/** Lines of the logs that could not be used, as they were found when they were read. */
export function knownProblems(connection: Connection): readonly Problem[] {
  return connection
    .all<{
      readonly path: string;
      readonly line: number;
      readonly reason: Problem['reason'];
      readonly detail: string;
    }>(
      'SELECT path, line, reason, detail FROM problem JOIN file ON file.id = problem.file ORDER BY path, line',
    )
    .map((row) => ({ ...row }));
}
