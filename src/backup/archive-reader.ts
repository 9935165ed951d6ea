import { closeSync, createReadStream, fstatSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Parser, ReadEntry } from 'tar';
import { errorCode } from '../files/index.ts';
import { YoreError } from '../record/index.ts';
import { writeAll } from './archive-writer.ts';
import {
  BACKUP_FORMAT,
  HOME_PREFIX,
  MANIFEST_NAME,
  MARKER_NAME,
  type Manifest,
  type Progress,
  parseManifest,
  parseMarker,
} from './backup-format.ts';

/** Enough for the names of millions of files. */
const LARGEST_LIST = 256 * 1024 * 1024;

/** What {@link extractArchive} unpacked. */
export interface Unpacked {
  readonly files: number;
  readonly bytes: number;
}

/**
 * Unpacks a backup into an empty folder. Nothing but files with plain names below it is accepted, and in the end
 * everything that the backup promises must be there. Throws USAGE for a file that is no backup, NEWER_VERSION,
 * STORAGE for a damaged one, and what writing throws.
 */
export async function extractArchive(file: string, folder: string, onProgress?: Progress): Promise<Unpacked> {
  const { Parser } = await import('tar');
  const unpacking = new Unpacking(file, folder);
  // Logs that repeat themselves are packed far tighter than the reader takes for honest.
  const parser = new Parser({ strict: true, maxDecompressionRatio: Number.POSITIVE_INFINITY });
  parser.on('entry', (entry) => unpacking.take(entry));
  parser.on('ignoredEntry', (entry) => unpacking.take(entry));
  parser.on('error', (error) => unpacking.fail(error));
  try {
    await feed(parser, file, unpacking, onProgress);
    return unpacking.finish();
  } finally {
    unpacking.close();
  }
}

async function feed(
  parser: Parser,
  file: string,
  unpacking: Unpacking,
  onProgress: Progress | undefined,
): Promise<void> {
  const total = statSync(file).size;
  let done = 0;
  for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024 })) {
    parser.write(chunk as Buffer);
    unpacking.check();
    done += (chunk as Buffer).length;
    onProgress?.(done, total);
  }
  parser.end();
  unpacking.check();
}

class Unpacking {
  readonly #file: string;
  readonly #folder: string;
  readonly #sizes = new Map<string, number>();
  #hasMarker = false;
  #manifest: Manifest | undefined;
  #descriptor: number | undefined;
  #failure: unknown;

  constructor(file: string, folder: string) {
    this.#file = file;
    this.#folder = folder;
  }

  /** Takes the next entry of the archive. */
  take(entry: ReadEntry): void {
    try {
      if (this.#failure === undefined) this.#accept(entry);
    } catch (error) {
      this.fail(error);
    }
    if (this.#failure !== undefined) entry.resume();
  }

  fail(error: unknown): void {
    this.#failure ??= error;
  }

  /** Throws what went wrong so far. */
  check(): void {
    if (this.#failure !== undefined) throw this.#explain(this.#failure);
  }

  /** Checks that all is there. */
  finish(): Unpacked {
    const manifest = this.#manifest;
    if (!manifest) throw this.#damaged('its end is missing');
    if (manifest.files.length !== this.#sizes.size) throw this.#damaged('files are missing or too many');
    let bytes = 0;
    for (const { path, size } of manifest.files) {
      if (this.#sizes.get(path) !== size) throw this.#damaged(`${path} is incomplete`);
      bytes += size;
    }
    return { files: manifest.files.length, bytes };
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  #accept(entry: ReadEntry): void {
    const { path, type } = entry;
    if (!this.#hasMarker && path !== MARKER_NAME) throw this.#noBackup();
    if (type !== 'File') throw this.#refused(entry, `it is a ${type}`);
    this.#hasMarker = true;
    if (path !== MARKER_NAME && path !== MANIFEST_NAME) {
      this.#unpack(entry, this.#nameOf(entry));
      return;
    }
    if (entry.size > LARGEST_LIST) throw this.#refused(entry, 'it is far too large');
    readText(entry, (text) => (path === MARKER_NAME ? this.#checkMarker(text) : this.#readManifest(text)));
  }

  #nameOf(entry: ReadEntry): string {
    const name = entry.path.startsWith(HOME_PREFIX) ? entry.path.slice(HOME_PREFIX.length) : '';
    const isPlain = name.split('/').every((part) => !['', '.', '..'].includes(part) && !/[\\\0]/.test(part));
    if (!isPlain || /^[a-z]:/i.test(name))
      throw this.#refused(entry, 'it would be written outside of the home');
    if (this.#manifest || this.#sizes.has(name)) throw this.#refused(entry, 'it is not where it belongs');
    return name;
  }

  #unpack(entry: ReadEntry, name: string): void {
    const path = join(this.#folder, name);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const descriptor = openSync(path, 'wx', (entry.mode ?? 0) & 0o100 ? 0o700 : 0o600);
    this.#descriptor = descriptor;
    entry.on('data', (chunk) => {
      try {
        if (this.#failure === undefined) writeAll(descriptor, chunk);
      } catch (error) {
        this.fail(error);
      }
    });
    entry.on('end', () => {
      this.#sizes.set(name, fstatSync(descriptor).size);
      this.close();
    });
  }

  #checkMarker(text: string): void {
    const format = parseMarker(text);
    if (format === undefined) this.fail(this.#noBackup());
    else if (format > BACKUP_FORMAT) this.fail(this.#newer(format));
  }

  #readManifest(text: string): void {
    this.#manifest = parseManifest(text);
    if (!this.#manifest) this.fail(this.#damaged('its list of files cannot be read'));
  }

  /** What the reader of archives says, in words of ours. */
  #explain(error: unknown): unknown {
    const code = errorCode(error);
    if (code?.startsWith('Z_')) return this.#damaged('it ends too early or was changed', error);
    if (!code?.startsWith('TAR_')) return error;
    return this.#hasMarker ? this.#damaged('it was changed', error) : this.#noBackup(error);
  }

  #noBackup(cause?: unknown): YoreError {
    return new YoreError(
      'USAGE',
      `${this.#file} is not a backup of yore. Name the file that \`yore backup\` wrote.`,
      { cause },
    );
  }

  #newer(format: number): YoreError {
    return new YoreError(
      'NEWER_VERSION',
      `${this.#file} was written by a newer yore (format ${format}, this one knows ${BACKUP_FORMAT}). Update yore and try again.`,
    );
  }

  #damaged(what: string, cause?: unknown): YoreError {
    return new YoreError(
      'STORAGE',
      `${this.#file} is damaged: ${what}. Nothing was changed. Copy it again from where it came, or use another backup.`,
      { cause },
    );
  }

  #refused(entry: ReadEntry, why: string): YoreError {
    return new YoreError(
      'STORAGE',
      `${this.#file} holds ${JSON.stringify(entry.path)}, which is refused: ${why}. No backup of yore has that. Nothing was changed.`,
    );
  }
}

function readText(entry: ReadEntry, then: (text: string) => void): void {
  const parts: Buffer[] = [];
  entry.on('data', (chunk) => parts.push(chunk));
  entry.on('end', () => then(Buffer.concat(parts).toString('utf8')));
}
