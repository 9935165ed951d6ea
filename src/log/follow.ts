import type { Stats } from 'node:fs';
import { join } from 'node:path';
import { readBytesAt, statIfExists, withOpenFile } from '../files/file-access.ts';
import { textHash } from '../record/id.ts';
import { readLogLines, type SegmentLine } from './read.ts';
import { archiveFolder, type LogName, listSegments } from './segments.ts';

/** How far one segment was read. */
interface SegmentCursor {
  readonly name: string;
  readonly offset: number;
  /** Hash of the last bytes before `offset`. */
  readonly tail: number;
  /** The file's stat when it was read to its end; zeros if it was not. */
  readonly inode: number;
  readonly size: number;
  readonly mtime: number;
}

/** How far the logs of a project were read. Plain JSON, to be stored with the result of reading. */
export type LogCursor = { readonly [log in LogName]?: readonly SegmentCursor[] };

/** A line with the log it is from. */
export interface LogLine {
  readonly log: LogName;
  readonly line: SegmentLine;
}

/** The result of {@link readSince}. */
export interface NewLines {
  /** What the cursor had read was rewritten, so `lines` starts at the beginning of all logs. */
  readonly isRestarted: boolean;
  /** False: `lines` is certainly empty. */
  readonly hasPending: boolean;
  /** New lines, log by log in the requested order, oldest segment first. Can be iterated once. */
  readonly lines: Iterable<LogLine>;
  /** Bytes that `lines` will read, by current file sizes. */
  pendingBytes(): number;
  /** The cursor after the lines yielded so far. */
  cursor(): LogCursor;
}

const TAIL_BYTES = 256;
const NEWLINE = 0x0a;
const NOT_AT_END = { inode: 0, size: 0, mtime: 0 };

/**
 * Reads what was appended to logs of a project since `cursor`, or everything without one. Recognises rotated segments,
 * and starts again when earlier lines were rewritten. Costs one `stat` per segment when nothing is new. Takes no lock:
 * lines appended meanwhile are read now or next time.
 */
export function readSince(directory: string, logs: readonly LogName[], cursor?: LogCursor): NewLines {
  const found = cursor && logs.map((log) => ({ log, files: resumeFiles(directory, log, cursor[log] ?? []) }));
  const isIntact = found?.every(({ files }) => files !== undefined) ?? true;
  const plan =
    found && isIntact
      ? found.map(({ log, files }) => ({ log, files: files ?? [] }))
      : logs.map((log) => ({ log, files: allFiles(directory, log) }));
  const positions = new Map(plan.map(({ log, files }) => [log, files.map(({ position }) => position)]));
  const reading: { settle?: () => void } = {};
  return {
    isRestarted: !isIntact,
    hasPending: plan.some(({ files }) => files.some(({ isNew }) => isNew)),
    lines: newLines(directory, plan, positions, reading),
    pendingBytes: () => plan.reduce((sum, { files }) => sum + countPendingBytes(directory, files), 0),
    cursor: () => {
      reading.settle?.();
      return Object.fromEntries([...positions].map(([log, known]) => [log, [...known]]));
    },
  };
}

interface FoundFile {
  readonly position: SegmentCursor;
  /** Whether there may be lines after the position. */
  readonly isNew: boolean;
}

function countPendingBytes(directory: string, files: readonly FoundFile[]): number {
  return files.reduce((sum, { position, isNew }) => {
    const size = isNew ? (statIfExists(join(directory, position.name))?.size ?? 0) : 0;
    return sum + Math.max(0, size - position.offset);
  }, 0);
}

function* newLines(
  directory: string,
  plan: readonly { readonly log: LogName; readonly files: readonly FoundFile[] }[],
  positions: ReadonlyMap<LogName, SegmentCursor[]>,
  /** `settle` notes how far the segment was read that is being read. */
  reading: { settle?: () => void },
): Generator<LogLine> {
  for (const { log, files } of plan) {
    for (const [index, { position, isNew }] of files.entries()) {
      if (!isNew) continue;
      const path = join(directory, position.name);
      const before = statIfExists(path);
      let offset = position.offset;
      let last: SegmentLine | undefined;
      const advance = (stats: Stats | undefined): void => {
        const known = positions.get(log);
        const tail = last === undefined ? position.tail : (hashTailOfLine(last) ?? hashTail(path, offset));
        if (known) known[index] = { name: position.name, offset, tail, ...statAtEnd(stats, offset) };
      };
      reading.settle = () => {
        if (offset !== positions.get(log)?.[index]?.offset) advance(undefined);
      };
      try {
        for (const line of readLogLines(path, { from: offset })) {
          offset = line.end;
          last = line;
          yield { log, line };
        }
        advance(before);
      } finally {
        reading.settle();
        delete reading.settle;
      }
    }
  }
}

function statAtEnd(stats: Stats | undefined, offset: number): Pick<SegmentCursor, 'inode' | 'size' | 'mtime'> {
  return stats?.size === offset ? { inode: stats.ino, size: stats.size, mtime: stats.mtimeMs } : NOT_AT_END;
}

function allFiles(directory: string, log: LogName): readonly FoundFile[] {
  return listSegments(directory, log).map(({ name }) => toNewFile(name));
}

function toNewFile(name: string): FoundFile {
  return { position: { name, offset: 0, tail: 0, ...NOT_AT_END }, isNew: true };
}

/** The segments of a log with the position in each; undefined when what was read before has changed. */
function resumeFiles(
  directory: string,
  log: LogName,
  known: readonly SegmentCursor[],
): readonly FoundFile[] | undefined {
  // As long as the open segment is the same file, none was rotated meanwhile.
  const open = known.at(-1);
  const areClosedUntouched = known
    .slice(0, -1)
    .every((position) => isUntouched(position, statIfExists(join(directory, position.name))));
  if (open?.name === `${log}.jsonl` && areClosedUntouched) {
    const path = join(directory, open.name);
    const stats = statIfExists(path);
    if (isUntouched(open, stats)) return known.map((position) => ({ position, isNew: false }));
    if (stats?.ino === open.inode && isContinued(path, open)) {
      return known.map((position) => ({ position, isNew: position === open }));
    }
  }
  const names = listSegments(directory, log).map(({ name }) => name);
  const kept = known.slice(countArchived(directory, known, names));
  if (names.length < kept.length) return undefined;
  const files: FoundFile[] = [];
  for (const [index, name] of names.entries()) {
    const position = kept[index];
    const path = join(directory, name);
    const isOld = position && isUntouched(position, statIfExists(path));
    if (!position) files.push(toNewFile(name));
    else if (isOld || isContinued(path, position)) files.push({ position: { ...position, name }, isNew: !isOld });
    else return undefined;
  }
  return files;
}

/** How many of the oldest segments were archived since: they need not be read again. */
function countArchived(directory: string, known: readonly SegmentCursor[], names: readonly string[]): number {
  const firstKept = known.findIndex(
    ({ name }) => names.includes(name) || statIfExists(join(archiveFolder(directory), name)) === undefined,
  );
  return firstKept < 0 ? known.length : firstKept;
}

function isUntouched(position: SegmentCursor, stats: Stats | undefined): boolean {
  return (
    stats !== undefined &&
    position.inode === stats.ino &&
    position.size === stats.size &&
    position.mtime === stats.mtimeMs
  );
}

/**
 * Whether the bytes before the position are unchanged. If the last line had no line break, it must still end there;
 * otherwise it has become another line.
 */
function isContinued(path: string, { offset, tail }: SegmentCursor): boolean {
  return withOpenFile(
    path,
    (descriptor) => {
      const before = readTail(descriptor, offset);
      if (hashBytes(before) !== tail) return false;
      if (before.length === 0 || before.at(-1) === NEWLINE) return true;
      const [next] = readBytesAt(descriptor, offset, 1);
      return next === undefined || next === NEWLINE;
    },
    false,
  );
}

/** {@link hashTail} without reading the file, if the line is long enough. */
function hashTailOfLine({ offset, end, text }: SegmentLine): number | undefined {
  const bytes = Buffer.from(text);
  const hasBreak = bytes.length + 1 === end - offset;
  if (!hasBreak || bytes.length + 1 < TAIL_BYTES) return undefined;
  return textHash(`${bytes.toString('latin1', bytes.length + 1 - TAIL_BYTES)}\n`);
}

function hashTail(path: string, offset: number): number {
  return withOpenFile(path, (descriptor) => hashBytes(readTail(descriptor, offset)), 0);
}

function readTail(descriptor: number, offset: number): Buffer {
  return readBytesAt(descriptor, Math.max(0, offset - TAIL_BYTES), Math.min(offset, TAIL_BYTES));
}

function hashBytes(bytes: Buffer): number {
  return bytes.length === 0 ? 0 : textHash(bytes.toString('latin1'));
}

/** Whether all archived segments were read, before or after they were moved to the archive. */
export function isArchiveRead(directory: string, logs: LogCursor, archive: LogCursor): boolean {
  const read = [...(logs.failures ?? []), ...(archive.failures ?? [])];
  return listSegments(archiveFolder(directory), 'failures').every(({ name, path }) => {
    const size = statIfExists(path)?.size;
    return read.some((position) => position.name === name && position.offset === size);
  });
}
