import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type * as Tar from 'tar';
import { type Progress, storageError } from '../files/index.ts';
import { YoreError } from '../record/index.ts';
import { canonicalFolder } from '../registry/folders.ts';
import {
  BACKUP_FORMAT,
  type BackupManifest,
  type BackupReport,
  HOME_PREFIX,
  MANIFEST_NAME,
  MARKER_NAME,
  removeStaleTemporaries,
  temporaryName,
  writeAll,
} from './archive-format.ts';
import { estimateSourceBytes, readSourceFiles } from './source-files.ts';

/**
 * Writes everything in yore's home that cannot be rebuilt to one `.tar.gz` (0600). `file` is replaced only when the
 * archive is complete. Other processes may write to the home meanwhile. Throws NOT_FOUND, USAGE, DISK_FULL, READ_ONLY or
 * STORAGE.
 */
export async function backupHome(home: string, file: string, onProgress?: Progress): Promise<BackupReport> {
  const target = resolve(file);
  checkPaths(home, target);
  const temporary = temporaryName(target);
  try {
    removeStaleTemporaries(target);
    const descriptor = openSync(temporary, 'wx', 0o600);
    let report: BackupReport;
    try {
      report = await writeArchive(home, descriptor, onProgress);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, target);
    return report;
  } catch (error) {
    rmSync(temporary, { force: true });
    throw storageError('write the backup', target, error);
  }
}

function checkPaths(home: string, target: string): void {
  if (!statSync(home, { throwIfNoEntry: false })?.isDirectory()) {
    throw new YoreError('NOT_FOUND', `There is nothing to back up: ${home} is not a folder.`);
  }
  if (statSync(target, { throwIfNoEntry: false })?.isDirectory()) {
    throw new YoreError(
      'USAGE',
      `${target} is a folder. Pass the name of a file, e.g. ${join(target, 'yore-backup.tar.gz')}.`,
    );
  }
  const real = join(canonicalFolder(dirname(target)), basename(target));
  if (real.startsWith(`${canonicalFolder(home)}${sep}`)) {
    throw new YoreError(
      'USAGE',
      `${target} is inside yore's home and would be part of the next backup. Choose a path outside it.`,
    );
  }
}

async function writeArchive(home: string, descriptor: number, onProgress?: Progress): Promise<BackupReport> {
  const writer = new ArchiveWriter(await import('tar'), descriptor);
  const total = estimateSourceBytes(home);
  const skipped: string[] = [];
  const files: BackupManifest['files'][number][] = [];
  const createdAt = new Date();
  let bytes = 0;
  writer.add(jsonFile(MARKER_NAME, { format: BACKUP_FORMAT, createdAt: createdAt.toISOString() }, createdAt));
  for (const source of readSourceFiles(home, (name) => skipped.push(name))) {
    const { name, size, modified, isExecutable } = source;
    const mode = isExecutable ? 0o700 : 0o600;
    writer.add({ path: `${HOME_PREFIX}${name}`, size, mode, modified, chunks: source.chunks() }, (count) => {
      bytes += count;
      onProgress?.(Math.min(bytes, total), total);
    });
    files.push({ path: name, size });
    await setImmediate(); // so that signals are handled
  }
  const manifest: BackupManifest = { format: BACKUP_FORMAT, createdAt: createdAt.toISOString(), files };
  writer.add(jsonFile(MANIFEST_NAME, manifest, createdAt));
  writer.end();
  onProgress?.(total, total);
  return { files: files.length, bytes, skipped };
}

function jsonFile(path: string, content: object, modified: Date): ArchiveFile {
  const bytes = Buffer.from(`${JSON.stringify(content)}\n`);
  return { path, size: bytes.length, mode: 0o600, modified, chunks: [bytes] };
}

/** A file to add to an archive. `chunks` must yield exactly `size` bytes. */
interface ArchiveFile {
  readonly path: string;
  readonly size: number;
  readonly mode: number;
  readonly modified: Date;
  readonly chunks: Iterable<Buffer>;
}

/** Writes a `.tar.gz` to an open file in bounded memory. The `tar` package is passed in, because it is loaded on demand. */
class ArchiveWriter {
  readonly #tar: typeof Tar;
  readonly #pack: Tar.Pack;
  #failure: unknown;

  constructor(tar: typeof Tar, descriptor: number) {
    this.#tar = tar;
    this.#pack = new tar.Pack({ gzip: true, portable: true });
    this.#pack.on('error', (error) => {
      this.#failure ??= error;
    });
    this.#pack.on('data', (chunk) => {
      try {
        if (this.#failure === undefined) writeAll(descriptor, chunk);
      } catch (error) {
        this.#failure ??= error;
      }
    });
  }

  /** Adds a file; `onBytes` is called for each chunk. Throws what writing throws. */
  add({ path, size, mode, modified, chunks }: ArchiveFile, onBytes: (bytes: number) => void = () => {}): void {
    const header = new this.#tar.Header({ path, size, mode, mtime: modified, type: 'File' });
    const entry = new this.#tar.ReadEntry(header);
    this.#pack.add(entry);
    for (const chunk of chunks) {
      entry.write(chunk);
      this.#check();
      onBytes(chunk.length);
    }
    entry.end();
    this.#check();
  }

  /** Finishes the archive. */
  end(): void {
    this.#pack.end();
    this.#check();
  }

  #check(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }
}
