import { resolve } from 'node:path';
import { YoreError } from '../../record/index.ts';
import { contentHash } from '../content-hash.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import { formatFile } from './format-file.ts';
import { lookupPath, projectPath } from './project-path.ts';
import {
  binaryMessage,
  type FileProblem,
  isBinaryText,
  readTextFile,
  tooLargeMessage,
} from './read-text-file.ts';

/** The largest file that is taken, 4 MiB: about a million tokens, more than nearly every model can read. */
export const MAX_FILE_BYTES: number = 4 * 1024 * 1024;

/** Where files come from and what they may be. */
export interface FileContextOptions {
  /** The project's folder, which no file may leave. Without it nothing is read from disk. */
  readonly root?: string;
  /** Counts tokens where a method is given no other counter. */
  readonly counter?: TokenCounter;
  /** Larger files are refused. Default: `MAX_FILE_BYTES`. */
  readonly maxFileBytes?: number;
}

/** What came of adding a file. */
export type FileAddition =
  | { readonly added: true; readonly path: string }
  | ({ readonly added: false } & FileProblem);

/** What became of files when they were read again. */
export interface FileReload {
  /** Paths whose content is another than before, sorted. */
  readonly changed: readonly string[];
  /** Files that can no longer be read: they are out of the context. */
  readonly dropped: readonly FileProblem[];
}

/** What was once found out about a content: worked out at the first question and never again. */
interface Facts {
  counted?: { readonly by: TokenCounter; readonly tokens: number };
  hash?: string;
}

interface HeldFile {
  readonly content: string;
  readonly isFromDisk: boolean;
  readonly facts: Facts;
}

/** Files that were taken out and of which the count is remembered, in case they come back as they were. */
const REMEMBERED_FILES = 1000;

/**
 * The files that a prompt includes in full, by their path relative to the project. Holds what was read: later changes on
 * disk show after `reload`. Every content is counted once.
 */
export class FileContext {
  readonly #root: string | undefined;
  readonly #counter: TokenCounter | undefined;
  readonly #maxFileBytes: number;
  readonly #files = new Map<string, HeldFile>();
  readonly #factsOfRemoved = new Map<string, Facts>();

  constructor(options: FileContextOptions = {}) {
    const { root, counter, maxFileBytes = MAX_FILE_BYTES } = options;
    if (!(maxFileBytes >= 0)) {
      throw new YoreError('USAGE', `maxFileBytes is ${maxFileBytes}. Give a number of bytes, 0 or more.`);
    }
    // Now, so that it stays the same folder when the process changes to another.
    this.#root = root === undefined ? undefined : resolve(root);
    this.#counter = counter;
    this.#maxFileBytes = maxFileBytes;
  }

  /** Adds a file, read from disk unless its content is given. False when it was not taken; `add` tells why. Never throws. */
  addFile(path: string, content?: string): boolean {
    return this.add(path, content).added;
  }

  /**
   * Adds a file, read from disk unless its content is given, in place of an older version. When it cannot be taken, says
   * why, and an older version does not stay either: what the model is sent is never out of date.
   */
  add(path: string, content?: string): FileAddition {
    const found = projectPath(path, this.#root);
    if ('reason' in found) return { added: false, ...found };
    const result = content === undefined ? this.#read(found.path) : this.#checked(found.path, content);
    if ('reason' in result) {
      this.#drop(found.path);
      return { added: false, ...result, path };
    }
    this.#hold(found.path, result.content, content === undefined);
    return { added: true, path: found.path };
  }

  /** Takes a file out. False when it was not in. */
  removeFile(path: string): boolean {
    return this.#drop(this.#keyOf(path));
  }

  /** The paths of all files, sorted. */
  getFiles(): string[] {
    return [...this.#files.keys()].sort();
  }

  /** The content of a file, or undefined when it is not in. */
  getContent(path: string): string | undefined {
    return this.#files.get(this.#keyOf(path))?.content;
  }

  hasFile(path: string): boolean {
    return this.#files.has(this.#keyOf(path));
  }

  /** Takes all files out. */
  clear(): void {
    for (const path of this.getFiles()) this.#drop(path);
  }

  /** Reads all files that came from disk again. Those whose content was given stay as they are. */
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

  /** Content by path, sorted by path: what a prompt is assembled from. */
  contents(): ReadonlyMap<string, string> {
    return new Map(this.getFiles().map((path) => [path, this.getContent(path) ?? '']));
  }

  /** All files as a model reads them, sorted by path: path, fence, content. Empty when there are none. */
  formatForPrompt(): string {
    return [...this.contents()].map(([path, content]) => formatFile(path, content)).join('\n\n');
  }

  /** Tokens of the contents of all files. */
  countTokens(counter?: TokenCounter): number {
    return [...this.getTokensByFile(counter).values()].reduce((sum, tokens) => sum + tokens, 0);
  }

  /** Tokens of each file's content, sorted by path. Only contents that are new since the last time are counted. */
  getTokensByFile(counter?: TokenCounter): ReadonlyMap<string, number> {
    const by = counter ?? this.#counter;
    if (by === undefined) {
      throw new YoreError('USAGE', 'There is no token counter. Give one here or to the constructor.');
    }
    return new Map(this.getFiles().map((path) => [path, tokensOf(this.#files.get(path), by)]));
  }

  /** Something that differs when the content differs; empty when the file is not in. */
  hashOf(path: string): string {
    const held = this.#files.get(this.#keyOf(path));
    if (held === undefined) return '';
    return hashOf(held);
  }

  #keyOf(path: string): string {
    return this.#files.has(path) ? path : lookupPath(path, this.#root);
  }

  #read(path: string): { readonly content: string } | FileProblem {
    if (this.#root !== undefined) return readTextFile(this.#root, path, this.#maxFileBytes);
    return {
      path,
      reason: 'no-root',
      message: `No folder is given to read ${path} from. Give a root, or the content.`,
    };
  }

  #checked(path: string, content: string): { readonly content: string } | FileProblem {
    const bytes = Buffer.byteLength(content);
    if (bytes > this.#maxFileBytes) {
      return { path, reason: 'too-large', message: tooLargeMessage(path, bytes, this.#maxFileBytes) };
    }
    if (isBinaryText(content)) return { path, reason: 'binary', message: binaryMessage(path) };
    return { content };
  }

  #hold(path: string, content: string, isFromDisk: boolean): void {
    const before = this.#files.get(path);
    if (before?.content === content && before.isFromDisk === isFromDisk) return;
    if (before?.content === content) {
      this.#files.set(path, { ...before, isFromDisk });
      return;
    }
    const held = { content, isFromDisk, facts: {} };
    const known = this.#factsOfRemoved.get(path);
    const isAsBefore = known !== undefined && known.hash === hashOf(held);
    this.#files.set(path, isAsBefore ? { ...held, facts: known } : held);
    this.#factsOfRemoved.delete(path);
  }

  #drop(path: string): boolean {
    const held = this.#files.get(path);
    if (held?.facts.counted !== undefined) {
      hashOf(held);
      this.#factsOfRemoved.set(path, held.facts);
      const [oldest] = this.#factsOfRemoved.keys();
      if (this.#factsOfRemoved.size > REMEMBERED_FILES && oldest !== undefined)
        this.#factsOfRemoved.delete(oldest);
    }
    return this.#files.delete(path);
  }
}

function hashOf({ content, facts }: HeldFile): string {
  facts.hash ??= contentHash(content);
  return facts.hash;
}

function tokensOf(held: HeldFile | undefined, counter: TokenCounter): number {
  if (held === undefined) return 0;
  const { content, facts } = held;
  if (facts.counted?.by !== counter) facts.counted = { by: counter, tokens: counter.count(content) };
  return facts.counted.tokens;
}
