import { closeSync, fstatSync, openSync, readdirSync, readSync, realpathSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, storageError } from '../files/index.ts';
import { parseObject, YoreError } from '../record/index.ts';
import { readInode } from '../registry/git-repository.ts';
import { isExcluded } from './archive-format.ts';

/** A consistent view of a file. It can be read until the next one is requested. */
export interface SourceFile {
  /** Relative to the home, with slashes. */
  readonly name: string;
  readonly size: number;
  readonly isExecutable: boolean;
  readonly modified: Date;
  /** Exactly `size` bytes. */
  readonly chunks: () => Generator<Buffer>;
}

const CHUNK_BYTES = 256 * 1024;
const NEWLINE = 0x0a;
/** Larger than any line of a log. */
const MAX_TAIL_BYTES = 4 * 1024 * 1024;
const MAX_RETRIES = 50;
/** `history.jsonl` and the closed `history-<n>.jsonl`. */
const LOG_NAME = /^(.+?)(?:-(\d+))?\.jsonl$/;

/**
 * Yields all files of a home that belong in a backup, while other processes may write to it. Each log is consistent up
 * to its last complete line, even if it is rotated meanwhile. `onSkip` is called for what is neither file nor folder.
 */
export function* readSourceFiles(home: string, onSkip: (name: string) => void): Generator<SourceFile> {
  for (const { folder, prefix, names } of walkFolders(home)) {
    const found = names.map((name) => ({ name, stats: statOrSkip(join(folder, name)) }));
    const files = found.filter(({ stats }) => stats?.isFile()).map(({ name }) => name);
    yield* readLogs(folder, prefix, files.filter(isLog));
    for (const name of files) if (!isLog(name)) yield* readOneFile(join(folder, name), `${prefix}${name}`);
    for (const { name, stats } of found) {
      if (stats && !stats.isFile() && !stats.isDirectory()) onSkip(`${prefix}${name}`);
    }
  }
}

/** The approximate size of what {@link readSourceFiles} yields. */
export function estimateSourceBytes(home: string): number {
  let bytes = 0;
  for (const { folder, names } of walkFolders(home)) {
    for (const name of names) {
      const found = statOrSkip(join(folder, name));
      if (found?.isFile()) bytes += found.size;
    }
  }
  return bytes;
}

interface Folder {
  readonly folder: string;
  readonly prefix: string;
  /** Names of what belongs in a backup. */
  readonly names: readonly string[];
}

/** Follows links, but visits each folder once, so that a home with parts elsewhere is backed up completely. */
function* walkFolders(folder: string, prefix = '', seen = new Set<string>()): Generator<Folder> {
  const real = ignoreMissing(folder, () => realpathSync.native(folder));
  if (real === undefined || seen.has(real)) return;
  seen.add(real);
  const names = listNames(folder).filter((name) => !isExcluded(`${prefix}${name}`));
  yield { folder, prefix, names };
  for (const name of names) {
    if (statOrSkip(join(folder, name))?.isDirectory())
      yield* walkFolders(join(folder, name), `${prefix}${name}/`, seen);
  }
}

function* readLogs(folder: string, prefix: string, names: readonly string[]): Generator<SourceFile> {
  const bases = new Set(names.flatMap((name) => LOG_NAME.exec(name)?.[1] ?? []));
  for (const base of bases) {
    const { open, closed } = openSegments(folder, base);
    try {
      for (const name of closed) yield* readOneFile(join(folder, name), `${prefix}${name}`);
      if (open) yield toSourceFile(open.descriptor, `${prefix}${open.name}`);
    } finally {
      if (open) closeSync(open.descriptor);
    }
  }
}

function* readOneFile(path: string, name: string): Generator<SourceFile> {
  const descriptor = openOrSkip(path);
  if (descriptor === undefined) return;
  try {
    yield toSourceFile(descriptor, name);
  } finally {
    closeSync(descriptor);
  }
}

function toSourceFile(descriptor: number, name: string): SourceFile {
  const found = fstatSync(descriptor);
  const size = isLog(name) ? findEndOfRecords(descriptor, found.size) : found.size;
  return {
    name,
    size,
    isExecutable: (found.mode & 0o100) !== 0,
    modified: found.mtime,
    chunks: () => readChunks(descriptor, name, size),
  };
}

function* readChunks(descriptor: number, name: string, size: number): Generator<Buffer> {
  for (let position = 0; position < size; ) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, size - position));
    const read = readSync(descriptor, chunk, 0, chunk.length, position);
    if (read === 0) {
      throw new YoreError('BUSY', `${name} was truncated by another program while it was copied. Try again.`);
    }
    yield chunk.subarray(0, read);
    position += read;
  }
}

/**
 * The segments of a log, without gaps; `closed` are file names, oldest first. The newest segment is held open, because
 * it may be rotated at any moment; segments opened after it are ignored.
 */
function openSegments(folder: string, base: string) {
  for (let attempt = 0; attempt < MAX_RETRIES; attempt++) {
    const path = join(folder, `${base}.jsonl`);
    const descriptor = openOrSkip(path);
    const closed = closedSegments(folder, base);
    if (descriptor === undefined) return { open: undefined, closed };
    const inode = fstatSync(descriptor, { bigint: true }).ino.toString();
    if (readInode(path) === inode) return { open: { name: `${base}.jsonl`, descriptor }, closed };
    const after = closedSegments(folder, base);
    const place = after.findIndex((name) => readInode(join(folder, name)) === inode);
    const name = after[place];
    if (name !== undefined) return { open: { name, descriptor }, closed: after.slice(0, place) };
    closeSync(descriptor);
  }
  throw new YoreError('BUSY', `The logs in ${folder} are being rewritten constantly. Try again later.`);
}

function closedSegments(folder: string, base: string): readonly string[] {
  const numbers = listNames(folder).flatMap((name) => {
    const [, ofBase, number] = LOG_NAME.exec(name) ?? [];
    return ofBase === base && number !== undefined ? [Number(number)] : [];
  });
  return numbers.sort((a, b) => a - b).map((number) => `${base}-${number}.jsonl`);
}

/** Where the last complete line ends. A record without a line break is complete. */
function findEndOfRecords(descriptor: number, size: number): number {
  const tail = Buffer.alloc(Math.min(size, MAX_TAIL_BYTES));
  const read = readSync(descriptor, tail, 0, tail.length, size - tail.length);
  const lineEnd = tail.subarray(0, read).lastIndexOf(NEWLINE) + 1;
  const rest = tail.toString('utf8', lineEnd, read);
  return rest === '' || parseObject(rest) ? size : size - read + lineEnd;
}

function isLog(name: string): boolean {
  return LOG_NAME.test(name);
}

function listNames(folder: string): readonly string[] {
  return ignoreMissing(folder, () => readdirSync(folder).sort()) ?? [];
}

function statOrSkip(path: string): Stats | undefined {
  return ignoreMissing(path, () => statSync(path));
}

function openOrSkip(path: string): number | undefined {
  return ignoreMissing(path, () => openSync(path, 'r'));
}

/** Returns undefined for a path that does not exist, since files may vanish while the home is traversed. */
function ignoreMissing<T>(path: string, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw storageError('read', path, error);
  }
}
