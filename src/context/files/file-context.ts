import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { errorCode } from '../../files/index.ts';
import { YoreError } from '../../record/index.ts';
import { contentHash } from '../content-hash.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import { formatFile } from './format-file.ts';
import { type FileProblem, type FileProblemReason, isWithin, lookupPath, projectPath } from './project-path.ts';

/** The largest file that is accepted, 4 MiB: about a million tokens, more than nearly every model accepts. */
export const MAX_FILE_BYTES: number = 4 * 1024 * 1024;

/** Options of a {@link FileContext}. */
export interface FileContextOptions {
  /** The project's folder, which no file may leave. Without it nothing is read from disk. */
  readonly root?: string;
  /** The default counter of the methods that count tokens. */
  readonly counter?: TokenCounter;
  /** Larger files are rejected. Default: `MAX_FILE_BYTES`. */
  readonly maxFileBytes?: number;
}

/** The result of adding a file. */
export type FileAddition = { readonly added: true; readonly path: string } | ({ readonly added: false } & FileProblem);

/** The result of {@link FileContext.reload}. */
export interface FileReload {
  /** Paths whose content has changed, sorted. */
  readonly changed: readonly string[];
  /** Files that can no longer be read and were removed. */
  readonly dropped: readonly FileProblem[];
}

/** The token count and hash of a content, computed on first use. */
interface Measurements {
  counted?: { readonly by: TokenCounter; readonly tokens: number };
  hash?: string;
}

interface FileEntry {
  readonly content: string;
  readonly isFromDisk: boolean;
  readonly measurements: Measurements;
}

/** How many removed files keep their count, in case they come back unchanged. */
const MAX_REMEMBERED_FILES = 1000;

/**
 * The files that a prompt includes in full, by their path relative to the project. Holds their content as it was read;
 * changes on disk show after `reload`. Each content is counted once.
 */
export class FileContext {
  readonly #root: string | undefined;
  readonly #counter: TokenCounter | undefined;
  readonly #maxFileBytes: number;
  readonly #files = new Map<string, FileEntry>();
  readonly #removedMeasurements = new Map<string, Measurements>();

  constructor(options: FileContextOptions = {}) {
    const { root, counter, maxFileBytes = MAX_FILE_BYTES } = options;
    if (!(maxFileBytes >= 0)) {
      throw new YoreError('USAGE', `maxFileBytes is ${maxFileBytes}. Give a number of bytes, 0 or more.`);
    }
    // Resolved now, so that it stays the same folder when the process changes its working directory.
    this.#root = root === undefined ? undefined : resolve(root);
    this.#counter = counter;
    this.#maxFileBytes = maxFileBytes;
  }

  /** Like {@link add}, but only returns whether the file was added. */
  addFile(path: string, content?: string): boolean {
    return this.add(path, content).added;
  }

  /**
   * Adds a file, read from disk unless its content is given; replaces an older version. If it is rejected, an older version
   * is removed as well, so that the model is never sent outdated content. Never throws.
   */
  add(path: string, content?: string): FileAddition {
    const found = projectPath(path, this.#root);
    if ('reason' in found) return { added: false, ...found };
    const result = content === undefined ? this.#read(found.path) : this.#check(found.path, content);
    if ('reason' in result) {
      this.#remove(found.path);
      return { added: false, ...result, path };
    }
    this.#store(found.path, result.content, content === undefined);
    return { added: true, path: found.path };
  }

  /** Removes a file. Returns false if it was not there. */
  removeFile(path: string): boolean {
    return this.#remove(this.#keyOf(path));
  }

  /** The paths of all files, sorted. */
  getFiles(): string[] {
    return [...this.#files.keys()].sort();
  }

  /** The content of a file, or undefined if it is not there. */
  getContent(path: string): string | undefined {
    return this.#files.get(this.#keyOf(path))?.content;
  }

  hasFile(path: string): boolean {
    return this.#files.has(this.#keyOf(path));
  }

  clear(): void {
    for (const path of this.getFiles()) this.#remove(path);
  }

  /** Reads all files that came from disk again. Files whose content was given stay as they are. */
  reload(): FileReload {
    const changed: string[] = [];
    const dropped: FileProblem[] = [];
    for (const path of this.getFiles()) {
      const before = this.#files.get(path);
      if (!before?.isFromDisk) continue;
      const result = this.add(path);
      if (!result.added) dropped.push({ path, reason: result.reason, message: result.message });
      else if (this.#files.get(path) !== before) changed.push(path);
    }
    return { changed, dropped };
  }

  /** Content by path, sorted by path. */
  contents(): ReadonlyMap<string, string> {
    return new Map(this.getFiles().map((path) => [path, this.getContent(path) ?? '']));
  }

  /** All files as they are in a prompt, sorted by path. Empty without files. */
  formatForPrompt(): string {
    return [...this.contents()].map(([path, content]) => formatFile(path, content)).join('\n\n');
  }

  /** Tokens of the contents of all files. */
  countTokens(counter?: TokenCounter): number {
    return [...this.getTokensByFile(counter).values()].reduce((sum, tokens) => sum + tokens, 0);
  }

  /** Tokens of each file's content, sorted by path. Only new contents are counted. */
  getTokensByFile(counter?: TokenCounter): ReadonlyMap<string, number> {
    const by = counter ?? this.#counter;
    if (by === undefined) {
      throw new YoreError('USAGE', 'There is no token counter. Give one here or to the constructor.');
    }
    return new Map(this.getFiles().map((path) => [path, tokensOf(this.#files.get(path), by)]));
  }

  /** A hash of a file's content; empty if it is not there. */
  hashOf(path: string): string {
    const entry = this.#files.get(this.#keyOf(path));
    return entry === undefined ? '' : hashOf(entry);
  }

  #keyOf(path: string): string {
    return this.#files.has(path) ? path : lookupPath(path, this.#root);
  }

  #read(path: string): { readonly content: string } | FileProblem {
    if (this.#root !== undefined) return readTextFile(this.#root, path, this.#maxFileBytes);
    return {
      path,
      reason: 'no-root',
      message: `There is no root to read ${path} from. Give a root, or the content.`,
    };
  }

  #check(path: string, content: string): { readonly content: string } | FileProblem {
    const bytes = Buffer.byteLength(content);
    if (bytes > this.#maxFileBytes) {
      return { path, reason: 'too-large', message: tooLargeMessage(path, bytes, this.#maxFileBytes) };
    }
    if (isBinaryText(content)) return { path, reason: 'binary', message: binaryMessage(path) };
    return { content };
  }

  #store(path: string, content: string, isFromDisk: boolean): void {
    const before = this.#files.get(path);
    if (before?.content === content) {
      if (before.isFromDisk !== isFromDisk) this.#files.set(path, { ...before, isFromDisk });
      return;
    }
    const entry = { content, isFromDisk, measurements: {} };
    const known = this.#removedMeasurements.get(path);
    const isUnchanged = known !== undefined && known.hash === hashOf(entry);
    this.#files.set(path, isUnchanged ? { ...entry, measurements: known } : entry);
    this.#removedMeasurements.delete(path);
  }

  #remove(path: string): boolean {
    const entry = this.#files.get(path);
    if (entry?.measurements.counted !== undefined) {
      hashOf(entry);
      this.#removedMeasurements.set(path, entry.measurements);
      const [oldest] = this.#removedMeasurements.keys();
      if (this.#removedMeasurements.size > MAX_REMEMBERED_FILES && oldest !== undefined)
        this.#removedMeasurements.delete(oldest);
    }
    return this.#files.delete(path);
  }
}

function hashOf({ content, measurements }: FileEntry): string {
  measurements.hash ??= contentHash(content);
  return measurements.hash;
}

function tokensOf(entry: FileEntry | undefined, counter: TokenCounter): number {
  if (entry === undefined) return 0;
  const { content, measurements } = entry;
  if (measurements.counted?.by !== counter) measurements.counted = { by: counter, tokens: counter.count(content) };
  return measurements.counted.tokens;
}

const CHUNK_BYTES = 1 << 16;
/** O_NONBLOCK, because opening a pipe without a writer would block forever. Windows has none of the extra flags. */
const OPEN_FLAGS =
  constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);
const MISSING_CODES: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG']);

/**
 * Reads a text file of at most `maxBytes` below a root. Never blocks, never throws, never follows a symlink out of the
 * root, and never holds more than the limit in memory, whatever size the file reports.
 */
function readTextFile(root: string, path: string, maxBytes: number): { readonly content: string } | FileProblem {
  const problem = (reason: FileProblemReason, message: string): FileProblem => ({ path, reason, message });
  const notAFile = () => problem('not-a-file', `${path} is a folder, a pipe or a device. Give a file.`);
  let file: number | undefined;
  try {
    const realRoot = realpathSync.native(root);
    const real = realpathSync.native(join(realRoot, path));
    if (!isWithin(realRoot, real)) {
      return problem('outside', `${path} is a symlink to a place outside the project. Give a file inside it.`);
    }
    // Checked before opening, because opening some devices has effects, and after, because it may have been replaced.
    if (!lstatSync(real).isFile()) return notAFile();
    file = openSync(real, OPEN_FLAGS);
    const stats = fstatSync(file);
    if (!stats.isFile()) return notAFile();
    const bytes = stats.size > maxBytes ? undefined : readAtMost(file, maxBytes);
    if (bytes === undefined) return problem('too-large', tooLargeMessage(path, stats.size, maxBytes));
    if (isBinary(bytes)) return problem('binary', binaryMessage(path));
    return { content: bytes.toString('utf8') };
  } catch (error) {
    const code = errorCode(error);
    if (MISSING_CODES.has(code)) return problem('missing', `There is no file ${path} in the project.`);
    return problem('unreadable', `${path} cannot be read (${code ?? String(error)}). Check its permissions.`);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** All bytes of an open file, or undefined if there are more than `maxBytes`. */
function readAtMost(file: number, maxBytes: number): Buffer | undefined {
  const chunks: Buffer[] = [];
  let total = 0;
  while (total <= maxBytes) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, maxBytes + 1 - total));
    const read = readSync(file, chunk, 0, chunk.length, null);
    if (read === 0) return Buffer.concat(chunks, total);
    chunks.push(chunk.subarray(0, read));
    total += read;
  }
  return undefined;
}

function tooLargeMessage(path: string, bytes: number, maxBytes: number): string {
  const size = bytes > maxBytes ? `${bytes} bytes` : `more than ${maxBytes} bytes`;
  return `${path} has ${size}; the limit is ${maxBytes}. Give the part that matters as content.`;
}

function binaryMessage(path: string): string {
  return `${path} is a binary file (it contains NUL bytes). Give a text file.`;
}

const BINARY_CHECK_BYTES = 8192;

/** Whether a text would be a binary file: it has a NUL in its first 8,192 bytes. */
function isBinaryText(text: string): boolean {
  // A character takes at least one byte, so these characters cover the bytes to check.
  return isBinary(Buffer.from(text.slice(0, BINARY_CHECK_BYTES)));
}

function isBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, BINARY_CHECK_BYTES).includes(0);
}
