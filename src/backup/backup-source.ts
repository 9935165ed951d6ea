import {
  closeSync,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { errorCode, storageError } from '../files/index.ts';
import { YoreError } from '../record/index.ts';
import { readInode } from '../registry/git-repository.ts';
import { isLeftOut } from './backup-format.ts';

/** A file as it was at one moment. It can be read until the next one is asked for. */
export interface SourceFile {
  /** Relative to the home, with slashes. */
  readonly name: string;
  readonly size: number;
  readonly isExecutable: boolean;
  readonly modified: Date;
  /** Exactly `size` bytes. */
  readonly chunks: () => Generator<Buffer>;
}

interface Segments {
  readonly open?: { readonly name: string; readonly descriptor: number };
  /** Names, oldest first. */
  readonly closed: readonly string[];
}

const CHUNK_BYTES = 256 * 1024;
const NEWLINE = 0x0a;
/** Longer than any line of a log. */
const LONGEST_TAIL = 4 * 1024 * 1024;
const ATTEMPTS = 50;
/** `history.jsonl` and the closed `history-<n>.jsonl`. */
const LOG = /^(.+?)(?:-(\d+))?\.jsonl$/;

/**
 * All files of a home that belong into a backup, while others may write to it. A log is taken up to its last
 * whole line, also while its files are being renamed. What is neither file nor folder is named to `onSkip`.
 */
export function* sourceFiles(home: string, onSkip: (name: string) => void): Generator<SourceFile> {
  for (const { folder, prefix, names } of foldersOf(home)) {
    const found = names.map((name) => ({ name, stats: statIfThere(join(folder, name)) }));
    const files = found.filter(({ stats }) => stats?.isFile()).map(({ name }) => name);
    yield* logsIn(folder, prefix, files.filter(isLog));
    for (const name of files) if (!isLog(name)) yield* oneFile(join(folder, name), `${prefix}${name}`);
    for (const { name, stats } of found) {
      if (stats && !stats.isFile() && !stats.isDirectory()) onSkip(`${prefix}${name}`);
    }
  }
}

/** About how many bytes {@link sourceFiles} gives. */
export function sourceBytes(home: string): number {
  let bytes = 0;
  for (const { folder, names } of foldersOf(home)) {
    for (const name of names) {
      const found = statIfThere(join(folder, name));
      if (found?.isFile()) bytes += found.size;
    }
  }
  return bytes;
}

interface Folder {
  readonly folder: string;
  readonly prefix: string;
  /** Of what belongs into a backup. */
  readonly names: readonly string[];
}

/** Links are followed, each folder once, so that a home with parts elsewhere is backed up as a whole. */
function* foldersOf(folder: string, prefix = '', seen: Set<string> = new Set()): Generator<Folder> {
  const real = ifThere(folder, () => realpathSync.native(folder));
  if (real === undefined || seen.has(real)) return;
  seen.add(real);
  const names = namesIn(folder).filter((name) => !isLeftOut(`${prefix}${name}`));
  yield { folder, prefix, names };
  for (const name of names) {
    if (statIfThere(join(folder, name))?.isDirectory())
      yield* foldersOf(join(folder, name), `${prefix}${name}/`, seen);
  }
}

function* logsIn(folder: string, prefix: string, names: readonly string[]): Generator<SourceFile> {
  const bases = new Set(names.flatMap((name) => LOG.exec(name)?.[1] ?? []));
  for (const base of bases) {
    const { open, closed } = segmentsOf(folder, base);
    try {
      for (const name of closed) yield* oneFile(join(folder, name), `${prefix}${name}`);
      if (open) yield fileOf(open.descriptor, `${prefix}${open.name}`);
    } finally {
      if (open) closeSync(open.descriptor);
    }
  }
}

function* oneFile(path: string, name: string): Generator<SourceFile> {
  const descriptor = openIfThere(path);
  if (descriptor === undefined) return;
  try {
    yield fileOf(descriptor, name);
  } finally {
    closeSync(descriptor);
  }
}

function fileOf(descriptor: number, name: string): SourceFile {
  const found = fstatSync(descriptor);
  const size = isLog(name) ? endOfWholeLines(descriptor, found.size) : found.size;
  return {
    name,
    size,
    isExecutable: (found.mode & 0o100) !== 0,
    modified: found.mtime,
    chunks: () => chunksOf(descriptor, name, size),
  };
}

function* chunksOf(descriptor: number, name: string, size: number): Generator<Buffer> {
  for (let position = 0; position < size; ) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, size - position));
    const read = readSync(descriptor, chunk, 0, chunk.length, position);
    if (read === 0) {
      throw new YoreError('BUSY', `${name} was cut short by another program while it was copied. Try again.`);
    }
    yield chunk.subarray(0, read);
    position += read;
  }
}

/**
 * The files of one log that make an unbroken beginning of it. The newest is held open, because it may be closed
 * (renamed) at any moment; of what was closed after it nothing is taken.
 */
function segmentsOf(folder: string, base: string): Segments {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const path = join(folder, `${base}.jsonl`);
    const descriptor = openIfThere(path);
    const closed = closedSegments(folder, base);
    if (descriptor === undefined) return { closed };
    const inode = fstatSync(descriptor, { bigint: true }).ino.toString();
    if (readInode(path) === inode) return { open: { name: `${base}.jsonl`, descriptor }, closed };
    const after = closedSegments(folder, base);
    const place = after.findIndex((name) => readInode(join(folder, name)) === inode);
    const name = after[place];
    if (name !== undefined) return { open: { name, descriptor }, closed: after.slice(0, place) };
    closeSync(descriptor);
  }
  throw new YoreError('BUSY', `The logs in ${folder} are being rewritten all the time. Try again later.`);
}

function closedSegments(folder: string, base: string): readonly string[] {
  const numbers = namesIn(folder).flatMap((name) => {
    const [, ofBase, number] = LOG.exec(name) ?? [];
    return ofBase === base && number !== undefined ? [Number(number)] : [];
  });
  return numbers.sort((a, b) => a - b).map((number) => `${base}-${number}.jsonl`);
}

/** Where the last whole line ends. A record that lacks nothing but its line break is whole. */
function endOfWholeLines(descriptor: number, size: number): number {
  const tail = Buffer.alloc(Math.min(size, LONGEST_TAIL));
  const read = readSync(descriptor, tail, 0, tail.length, size - tail.length);
  const lineEnd = tail.subarray(0, read).lastIndexOf(NEWLINE) + 1;
  const rest = tail.toString('utf8', lineEnd, read);
  return rest === '' || isRecord(rest) ? size : size - read + lineEnd;
}

function isRecord(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

function isLog(name: string): boolean {
  return LOG.test(name);
}

function namesIn(folder: string): readonly string[] {
  return ifThere(folder, () => readdirSync(folder).sort()) ?? [];
}

function statIfThere(path: string): Stats | undefined {
  return ifThere(path, () => statSync(path));
}

function openIfThere(path: string): number | undefined {
  return ifThere(path, () => openSync(path, 'r'));
}

/** Files and folders may vanish while the home is walked through. */
function ifThere<T>(path: string, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw storageError('read', path, error);
  }
}
