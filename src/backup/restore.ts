import {
  closeSync,
  createReadStream,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { ReadEntry } from 'tar';
import { errorCode, makeFolder, type Progress, storageError } from '../files/index.ts';
import { omitUndefined, YoreError } from '../record/index.ts';
import {
  BACKUP_FORMAT,
  type BackupManifest,
  type BackupReport,
  HOME_PREFIX,
  isExcluded,
  MANIFEST_NAME,
  MARKER_NAME,
  parseManifest,
  parseMarker,
  removeStaleTemporaries,
  temporaryName,
  writeAll,
} from './archive-format.ts';

/** Options of {@link restoreHome}. */
interface RestoreOptions {
  /** Move the contents of a home that is not empty to a folder next to it. Default false: throw USAGE. */
  readonly replace?: boolean;
  readonly onProgress?: Progress;
  /** Default `Date.now`. */
  readonly now?: () => number;
}

/**
 * Restores a backup. It is extracted next to the home and verified, and only then replaces it; when anything fails
 * before that, the home is unchanged. Throws NOT_FOUND, USAGE, NEWER_VERSION, STORAGE, DISK_FULL or READ_ONLY.
 */
export async function restoreHome(file: string, home: string, options: RestoreOptions = {}): Promise<BackupReport> {
  checkArchive(file);
  const target = resolveTarget(home);
  const hasData = checkTarget(target, options.replace ?? false);
  const temporary = temporaryName(target);
  try {
    makeFolder(dirname(target));
    removeStaleTemporaries(target);
    mkdirSync(temporary, { mode: 0o700 });
    const extracted = await extractArchive(file, temporary, options.onProgress);
    const previous = replaceFolder(temporary, target, new Date((options.now ?? Date.now)()));
    if (previous !== undefined && !hasData) rmSync(previous, { recursive: true, force: true });
    const keptAside = hasData ? previous : undefined;
    return { ...extracted, skipped: [], ...omitUndefined({ keptAside }) };
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    throw storageError('restore into', target, error);
  }
}

function checkArchive(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) throw new YoreError('NOT_FOUND', `There is no file ${file}. Pass a file written by \`yore backup\`.`);
  if (!found.isFile()) throw new YoreError('USAGE', `${file} is not a file. Pass a file written by \`yore backup\`.`);
}

/** Whether the home contains data that must not be lost. Throws USAGE if so, unless it may be replaced. */
function checkTarget(target: string, replace: boolean): boolean {
  const found = statSync(target, { throwIfNoEntry: false });
  if (!found) return false;
  if (!found.isDirectory()) {
    throw new YoreError(
      'STORAGE',
      `${target} is a file, but yore's home must be a folder. Move or delete the file and try again.`,
    );
  }
  const hasData = readdirSync(target).some((name) => !isExcluded(name));
  if (hasData && !replace) {
    throw new YoreError(
      'USAGE',
      `${target} is not empty. Pass --replace to move its contents to a folder next to it, or choose another home with --home.`,
    );
  }
  return hasData;
}

/** Follows a link to the home, so that the link is preserved. */
function resolveTarget(home: string): string {
  try {
    return realpathSync.native(home);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return resolve(home);
    throw storageError('open', home, error);
  }
}

/** Moves `folder` to `target`, and an existing target to the returned path. Undone when it fails halfway. */
function replaceFolder(folder: string, target: string, now: Date): string | undefined {
  if (!existsSync(target)) {
    renameSync(folder, target);
    return undefined;
  }
  const previous = chooseFreeName(`${target}.before-restore-${now.toISOString().replace(/[-:]|\.\d+/g, '')}`);
  renameSync(target, previous);
  try {
    renameSync(folder, target);
  } catch (error) {
    if (existsSync(target)) {
      throw new YoreError(
        'BUSY',
        `Another program wrote to ${target} while it was being replaced. Its previous contents are in ${previous}. ` +
          'Stop your agents, then move that folder back or restore again.',
        { cause: error },
      );
    }
    renameSync(previous, target);
    throw error;
  }
  return previous;
}

function chooseFreeName(path: string): string {
  let name = path;
  for (let number = 2; existsSync(name); number++) name = `${path}-${number}`;
  return name;
}

/** Enough for millions of file names. */
const MAX_MANIFEST_BYTES = 256 * 1024 * 1024;

type ExtractReport = Pick<BackupReport, 'files' | 'bytes'>;

/**
 * Extracts a backup into an empty folder. Only regular files with safe names are accepted, and all files of the manifest
 * must be complete. Throws USAGE for a file that is not a backup, NEWER_VERSION, STORAGE for a damaged one, and what
 * writing throws.
 */
async function extractArchive(file: string, folder: string, onProgress?: Progress): Promise<ExtractReport> {
  const { Parser } = await import('tar');
  const extractor = new Extractor(file, folder);
  // Repetitive logs compress far better than the package's limit against decompression bombs allows.
  const parser = new Parser({ strict: true, maxDecompressionRatio: Number.POSITIVE_INFINITY });
  parser.on('entry', (entry) => extractor.onEntry(entry));
  parser.on('ignoredEntry', (entry) => extractor.onEntry(entry));
  parser.on('error', (error) => extractor.fail(error));
  try {
    const total = statSync(file).size;
    let done = 0;
    for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024 })) {
      parser.write(chunk as Buffer);
      extractor.check();
      done += (chunk as Buffer).length;
      onProgress?.(done, total);
    }
    parser.end();
    extractor.check();
    return extractor.finish();
  } finally {
    extractor.close();
  }
}

class Extractor {
  readonly #file: string;
  readonly #folder: string;
  readonly #sizes = new Map<string, number>();
  #hasMarker = false;
  #manifest: BackupManifest | undefined;
  #descriptor: number | undefined;
  #failure: unknown;

  constructor(file: string, folder: string) {
    this.#file = file;
    this.#folder = folder;
  }

  onEntry(entry: ReadEntry): void {
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

  /** Throws the first failure so far. */
  check(): void {
    if (this.#failure !== undefined) throw this.#explain(this.#failure);
  }

  /** Verifies that the archive is complete. */
  finish(): ExtractReport {
    const manifest = this.#manifest;
    if (!manifest) throw this.#damaged('it is truncated');
    if (manifest.files.length !== this.#sizes.size) throw this.#damaged('files are missing or unexpected');
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
    if (!this.#hasMarker && path !== MARKER_NAME) throw this.#notABackup();
    if (type !== 'File') throw this.#refused(entry, `it is a ${type}`);
    this.#hasMarker = true;
    if (path !== MARKER_NAME && path !== MANIFEST_NAME) {
      this.#extractFile(entry, this.#parseName(entry));
      return;
    }
    if (entry.size > MAX_MANIFEST_BYTES) throw this.#refused(entry, 'it is too large');
    readText(entry, (text) => (path === MARKER_NAME ? this.#checkMarker(text) : this.#readManifest(text)));
  }

  #parseName(entry: ReadEntry): string {
    const name = entry.path.startsWith(HOME_PREFIX) ? entry.path.slice(HOME_PREFIX.length) : '';
    const isSafe = name.split('/').every((part) => !['', '.', '..'].includes(part) && !/[\\\0]/.test(part));
    if (!isSafe || /^[a-z]:/i.test(name)) throw this.#refused(entry, "it would be written outside yore's home");
    if (this.#manifest || this.#sizes.has(name))
      throw this.#refused(entry, 'it is a duplicate or follows the manifest');
    return name;
  }

  #extractFile(entry: ReadEntry, name: string): void {
    const path = join(this.#folder, name);
    makeFolder(dirname(path));
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
    if (format === undefined) this.fail(this.#notABackup());
    else if (format > BACKUP_FORMAT) {
      const versions = `format ${format}, this version supports ${BACKUP_FORMAT}`;
      const problem = `${this.#file} was written by a newer version of yore (${versions}). Update yore and try again.`;
      this.fail(new YoreError('NEWER_VERSION', problem));
    }
  }

  #readManifest(text: string): void {
    this.#manifest = parseManifest(text);
    if (!this.#manifest) this.fail(this.#damaged('its manifest cannot be read'));
  }

  /** Translates errors of the `tar` package. */
  #explain(error: unknown): unknown {
    const code = errorCode(error);
    if (code?.startsWith('Z_')) return this.#damaged('it is truncated or was modified', error);
    if (!code?.startsWith('TAR_')) return error;
    return this.#hasMarker ? this.#damaged('it was modified', error) : this.#notABackup(error);
  }

  #notABackup(cause?: unknown): YoreError {
    const problem = `${this.#file} is not a yore backup. Pass a file written by \`yore backup\`.`;
    return new YoreError('USAGE', problem, { cause });
  }

  #damaged(what: string, cause?: unknown): YoreError {
    return new YoreError(
      'STORAGE',
      `${this.#file} is damaged: ${what}. Nothing was changed. Copy it again from its source, or use another backup.`,
      { cause },
    );
  }

  #refused(entry: ReadEntry, why: string): YoreError {
    return new YoreError(
      'STORAGE',
      `${this.#file} contains ${JSON.stringify(entry.path)}, which is not allowed in a backup: ${why}. Nothing was changed.`,
    );
  }
}

function readText(entry: ReadEntry, onText: (text: string) => void): void {
  const parts: Buffer[] = [];
  entry.on('data', (chunk) => parts.push(chunk));
  entry.on('end', () => onText(Buffer.concat(parts).toString('utf8')));
}
