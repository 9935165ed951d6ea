import type { Stats } from 'node:fs';
import { join } from 'node:path';
import { readBytesAt, statIfExists, withOpenFile } from '../files/index.ts';
import { textHash } from '../record/index.ts';
import { type Line, readLines } from './read.ts';
import { archiveFolder, type LogName, listSegments } from './segments.ts';

/** How far one file of a log was read. */
interface FilePosition {
  readonly name: string;
  readonly offset: number;
  /** Hash of the last bytes before `offset`. */
  readonly tail: number;
  /** The file as it was when it had been read to its end; zeros while that is not known. */
  readonly inode: number;
  readonly size: number;
  readonly mtime: number;
}

/** How far the logs of a project were read. JSON; keep it with what was made of the lines. */
export type LogCursor = { readonly [log in LogName]?: readonly FilePosition[] };

/** A line and the log it is in. */
export interface LogEntry {
  readonly log: LogName;
  readonly line: Line;
}

/** What {@link readSince} found. */
export interface NewLines {
  /** The lines before the cursor are no longer what they were: `entries` starts at the beginning of all logs. */
  readonly restarted: boolean;
  /** Whether there may be anything in `entries`. */
  readonly pending: boolean;
  /** New lines, log by log in the order asked for, oldest segment first. To be gone through once. */
  readonly entries: Iterable<LogEntry>;
  /** How many bytes `entries` goes through, as the files are now. */
  pendingBytes(): number;
  /** The cursor after the lines handed out so far. */
  cursor(): LogCursor;
}

const TAIL_BYTES = 256;
const NEWLINE = 0x0a;
const UNKNOWN = { inode: 0, size: 0, mtime: 0 };

/**
 * Reads what was appended to some logs of a project since `cursor`, or everything without one. Recognises files
 * that were closed by renaming, and starts again when what was read before was rewritten. When nothing is new it
 * costs one `stat` for each file. Never holds a lock: lines appended meanwhile are read now or next time.
 */
export function readSince(directory: string, logs: readonly LogName[], cursor?: LogCursor): NewLines {
  const found = cursor && logs.map((log) => ({ log, files: compare(directory, log, cursor[log] ?? []) }));
  const isIntact = found?.every(({ files }) => files !== undefined) ?? true;
  const plan =
    found && isIntact
      ? found.map(({ log, files }) => ({ log, files: files ?? [] }))
      : logs.map((log) => ({ log, files: allFiles(directory, log) }));
  const positions = new Map(plan.map(({ log, files }) => [log, files.map(({ position }) => position)]));
  return {
    restarted: !isIntact,
    pending: plan.some(({ files }) => files.some(({ isNew }) => isNew)),
    entries: newLines(directory, plan, positions),
    pendingBytes: () =>
      sizeOf(
        directory,
        plan.flatMap(({ files }) => files),
      ),
    cursor: () => Object.fromEntries(positions),
  };
}

interface FoundFile {
  readonly position: FilePosition;
  /** Whether it may hold lines after the position. */
  readonly isNew: boolean;
}

function sizeOf(directory: string, files: readonly FoundFile[]): number {
  let bytes = 0;
  for (const { position, isNew } of files) {
    const size = isNew ? (statIfExists(join(directory, position.name))?.size ?? 0) : 0;
    bytes += Math.max(0, size - position.offset);
  }
  return bytes;
}

function* newLines(
  directory: string,
  plan: readonly { readonly log: LogName; readonly files: readonly FoundFile[] }[],
  positions: ReadonlyMap<LogName, FilePosition[]>,
): Generator<LogEntry> {
  for (const { log, files } of plan) {
    for (const [index, { position, isNew }] of files.entries()) {
      if (!isNew) continue;
      const path = join(directory, position.name);
      const before = statIfExists(path);
      let offset = position.offset;
      let last: Line | undefined;
      const note = (stats: Stats | undefined): void => {
        const known = positions.get(log);
        const tail = last === undefined ? position.tail : (tailOfLine(last) ?? tailOf(path, offset));
        if (known) known[index] = { name: position.name, offset, tail, ...seen(stats, offset) };
      };
      try {
        for (const line of readLines(path, { from: offset })) {
          offset = line.end;
          last = line;
          yield { log, line };
        }
        note(before);
      } finally {
        if (offset !== positions.get(log)?.[index]?.offset) note(undefined);
      }
    }
  }
}

/** The file as it was found, if it was read to its end. */
function seen(stats: Stats | undefined, offset: number): Pick<FilePosition, 'inode' | 'size' | 'mtime'> {
  return stats?.size === offset ? { inode: stats.ino, size: stats.size, mtime: stats.mtimeMs } : UNKNOWN;
}

function allFiles(directory: string, log: LogName): readonly FoundFile[] {
  return listSegments(directory, log).map(({ name }) => ({
    position: { name, offset: 0, tail: 0, ...UNKNOWN },
    isNew: true,
  }));
}

/** The files of a log with what was read of them; undefined when that is no longer in them. */
function compare(
  directory: string,
  log: LogName,
  known: readonly FilePosition[],
): readonly FoundFile[] | undefined {
  // While the open file is the one that was read, none can have been closed meanwhile.
  const open = known.at(-1);
  if (
    open?.name === `${log}.jsonl` &&
    known
      .slice(0, -1)
      .every((position) => isUntouched(position, statIfExists(join(directory, position.name))))
  ) {
    const path = join(directory, open.name);
    const stats = statIfExists(path);
    if (isUntouched(open, stats)) return known.map((position) => ({ position, isNew: false }));
    if (stats?.ino === open.inode && isContinued(path, open)) {
      return known.map((position) => ({ position, isNew: position === open }));
    }
  }
  const names = listSegments(directory, log).map(({ name }) => name);
  const kept = known.slice(archivedCount(directory, known, names));
  if (names.length < kept.length) return undefined;
  const files: FoundFile[] = [];
  for (const [index, name] of names.entries()) {
    const position = kept[index];
    if (!position) files.push({ position: { name, offset: 0, tail: 0, ...UNKNOWN }, isNew: true });
    else if (isUntouched(position, statIfExists(join(directory, name))))
      files.push({ position: { ...position, name }, isNew: false });
    else if (isContinued(join(directory, name), position))
      files.push({ position: { ...position, name }, isNew: true });
    else return undefined;
  }
  return files;
}

/** How many of the oldest files were moved to the archive: they had been read, and are no longer to be. */
function archivedCount(directory: string, known: readonly FilePosition[], names: readonly string[]): number {
  const firstKept = known.findIndex(
    ({ name }) => names.includes(name) || statIfExists(join(archiveFolder(directory), name)) === undefined,
  );
  return firstKept < 0 ? known.length : firstKept;
}

function isUntouched(position: FilePosition, stats: Stats | undefined): boolean {
  return (
    stats !== undefined &&
    position.inode === stats.ino &&
    position.size === stats.size &&
    position.mtime === stats.mtimeMs
  );
}

/**
 * Whether the bytes before the position are what they were. A last line that had no line break must have ended
 * there, or else it is another one now.
 */
function isContinued(path: string, { offset, tail }: FilePosition): boolean {
  return withOpenFile(
    path,
    (descriptor) => {
      const before = readBytesAt(descriptor, Math.max(0, offset - TAIL_BYTES), Math.min(offset, TAIL_BYTES));
      if (hashOf(before) !== tail) return false;
      if (before.length === 0 || before.at(-1) === NEWLINE) return true;
      const [next] = readBytesAt(descriptor, offset, 1);
      return next === undefined || next === NEWLINE;
    },
    false,
  );
}

/** The same without reading the file again, where the line is long enough to tell. */
function tailOfLine({ offset, end, text }: Line): number | undefined {
  const bytes = Buffer.from(text);
  const hasBreak = bytes.length + 1 === end - offset;
  if (!hasBreak || bytes.length + 1 < TAIL_BYTES) return undefined;
  return textHash(`${bytes.toString('latin1', bytes.length + 1 - TAIL_BYTES)}\n`);
}

function tailOf(path: string, offset: number): number {
  return withOpenFile(
    path,
    (descriptor) =>
      hashOf(readBytesAt(descriptor, Math.max(0, offset - TAIL_BYTES), Math.min(offset, TAIL_BYTES))),
    0,
  );
}

function hashOf(bytes: Buffer): number {
  return bytes.length === 0 ? 0 : textHash(bytes.toString('latin1'));
}
