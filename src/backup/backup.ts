import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { storageError } from '../files/index.ts';
import { YoreError } from '../record/index.ts';
import { canonicalFolder } from '../registry/folders.ts';
import { type ArchiveFile, ArchiveWriter } from './archive-writer.ts';
import {
  BACKUP_FORMAT,
  type BackupReport,
  HOME_PREFIX,
  MANIFEST_NAME,
  MARKER_NAME,
  type Manifest,
  type Progress,
} from './backup-format.ts';
import { sourceBytes, sourceFiles } from './backup-source.ts';
import { removeLeftovers, unfinishedName } from './leftovers.ts';

export type { BackupReport, Progress } from './backup-format.ts';
export { restoreHome } from './restore.ts';

/**
 * Writes everything in yore's home that cannot be made anew into one `.tar.gz` (0600), which takes the place of
 * `file` only when it is complete. Others may go on writing to the home meanwhile. Throws NOT_FOUND, USAGE,
 * DISK_FULL, READ_ONLY or STORAGE.
 */
export async function backupHome(home: string, file: string, onProgress?: Progress): Promise<BackupReport> {
  const target = resolve(file);
  checkPlaces(home, target);
  const unfinished = unfinishedName(target);
  try {
    removeLeftovers(target);
    const descriptor = openSync(unfinished, 'wx', 0o600);
    let report: BackupReport;
    try {
      report = await writeArchive(home, descriptor, onProgress);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(unfinished, target);
    return report;
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw storageError('write the backup', target, error);
  }
}

function checkPlaces(home: string, target: string): void {
  if (!statSync(home, { throwIfNoEntry: false })?.isDirectory()) {
    throw new YoreError('NOT_FOUND', `There is nothing to back up: ${home} is not a folder.`);
  }
  if (statSync(target, { throwIfNoEntry: false })?.isDirectory()) {
    throw new YoreError(
      'USAGE',
      `${target} is a folder. Name a file to write, e.g. ${join(target, 'yore-backup.tar.gz')}.`,
    );
  }
  const real = join(canonicalFolder(dirname(target)), basename(target));
  if (real.startsWith(`${canonicalFolder(home)}${sep}`)) {
    throw new YoreError(
      'USAGE',
      `${target} is inside yore's home, where it would end up in the next backup. Choose a place elsewhere.`,
    );
  }
}

async function writeArchive(
  home: string,
  descriptor: number,
  onProgress: Progress | undefined,
): Promise<BackupReport> {
  const writer = new ArchiveWriter(await import('tar'), descriptor);
  const total = sourceBytes(home);
  const skipped: string[] = [];
  const files: { readonly path: string; readonly size: number }[] = [];
  const createdAt = new Date();
  let bytes = 0;
  writer.add(textFile(MARKER_NAME, { format: BACKUP_FORMAT, createdAt: createdAt.toISOString() }, createdAt));
  for (const source of sourceFiles(home, (name) => skipped.push(name))) {
    const { name, size, modified, isExecutable } = source;
    const mode = isExecutable ? 0o700 : 0o600;
    writer.add({ path: `${HOME_PREFIX}${name}`, size, mode, modified, chunks: source.chunks() }, (count) => {
      bytes += count;
      onProgress?.(Math.min(bytes, total), total);
    });
    files.push({ path: name, size });
    await setImmediate(); // lets signals through
  }
  const manifest: Manifest = { format: BACKUP_FORMAT, createdAt: createdAt.toISOString(), files };
  writer.add(textFile(MANIFEST_NAME, manifest, createdAt));
  writer.end();
  onProgress?.(total, total);
  return { files: files.length, bytes, skipped };
}

function textFile(path: string, content: object, modified: Date): ArchiveFile {
  const bytes = Buffer.from(`${JSON.stringify(content)}\n`);
  return { path, size: bytes.length, mode: 0o600, modified, chunks: [bytes] };
}
