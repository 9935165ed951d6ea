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
import { errorCode, pause } from '../log/index.ts';
import { YoreError } from '../record/index.ts';
import { isLeftOut } from './backup-format.ts';
import { inodeOf } from './repository.ts';

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

interface OpenFile {
  readonly name: string;
  readonly path: string;
  readonly descriptor: number;
}

const CHUNK_BYTES = 256 * 1024;
const NEWLINE = 0x0a;
/** Longer than any line of a log. */
const LONGEST_TAIL = 4 * 1024 * 1024;
const ATTEMPTS = 50;

/**
 * All files of a home that belong into a backup, while others may write to it. A log is taken up to its last
 * whole line. The logs of one folder are taken at the same moment, so that one which is closed (renamed) just
 * then is neither missed nor taken twice. What is neither file nor folder is named to `onSkip`.
 */
export function* sourceFiles(home: string, onSkip: (name: string) => void): Generator<SourceFile> {
  for (const { folder, prefix, names } of foldersOf(home)) {
    yield* logsIn(folder, prefix);
    for (const name of names) {
      const path = join(folder, name);
      const found = statIfThere(path);
      if (!found || isLog(name) || found.isDirectory()) continue;
      if (found.isFile()) yield* oneFile(path, `${prefix}${name}`);
      else onSkip(`${prefix}${name}`);
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
  const real = realpathSync.native(folder);
  if (seen.has(real)) return;
  seen.add(real);
  const names = namesIn(folder).filter((name) => !isLeftOut(`${prefix}${name}`));
  yield { folder, prefix, names };
  for (const name of names) {
    if (statIfThere(join(folder, name))?.isDirectory())
      yield* foldersOf(join(folder, name), `${prefix}${name}/`, seen);
  }
}

function* logsIn(folder: string, prefix: string): Generator<SourceFile> {
  const logs = openLogs(folder);
  try {
    for (const { name, descriptor } of logs) {
      const found = fstatSync(descriptor);
      const size = endOfWholeLines(descriptor, found.size);
      yield sourceFile(descriptor, `${prefix}${name}`, found, size);
    }
  } finally {
    closeAll(logs);
  }
}

function* oneFile(path: string, name: string): Generator<SourceFile> {
  const descriptor = openIfThere(path);
  if (descriptor === undefined) return;
  try {
    const found = fstatSync(descriptor);
    yield sourceFile(descriptor, name, found, found.size);
  } finally {
    closeSync(descriptor);
  }
}

function sourceFile(descriptor: number, name: string, found: Stats, size: number): SourceFile {
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

/** All logs of a folder, opened while none was renamed: the same names led to the same files before and after. */
function openLogs(folder: string): readonly OpenFile[] {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const names = namesIn(folder).filter(isLog);
    const logs: OpenFile[] = [];
    for (const name of names) {
      const path = join(folder, name);
      const descriptor = openIfThere(path);
      if (descriptor !== undefined) logs.push({ name, path, descriptor });
    }
    if (isUnchanged(folder, names, logs)) return logs;
    closeAll(logs);
    pause(5);
  }
  throw new YoreError('BUSY', `The logs in ${folder} are being rewritten all the time. Try again later.`);
}

function isUnchanged(folder: string, names: readonly string[], logs: readonly OpenFile[]): boolean {
  const now = namesIn(folder).filter(isLog);
  return (
    logs.length === names.length &&
    now.join('\n') === names.join('\n') &&
    logs.every(
      ({ path, descriptor }) => inodeOf(path) === fstatSync(descriptor, { bigint: true }).ino.toString(),
    )
  );
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
  return name.endsWith('.jsonl');
}

/** Files and folders may vanish while the home is walked through. */
function ifThere<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function namesIn(folder: string): readonly string[] {
  return ifThere(() => readdirSync(folder).sort()) ?? [];
}

function statIfThere(path: string): Stats | undefined {
  return ifThere(() => statSync(path));
}

function openIfThere(path: string): number | undefined {
  return ifThere(() => openSync(path, 'r'));
}

function closeAll(files: readonly OpenFile[]): void {
  for (const { descriptor } of files) closeSync(descriptor);
}
