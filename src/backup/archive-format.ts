import { readdirSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isProcessAlive } from '../files/index.ts';
import { randomHex } from '../record/index.ts';
import { isObject, parseObject } from '../record/object.ts';

/** Version of the archive format. */
export const BACKUP_FORMAT = 1;

/** First file of an archive, which identifies it as a backup. */
export const MARKER_NAME = 'yore-backup.json';
/** Last file of an archive, which lists its files and shows that it is complete. */
export const MANIFEST_NAME = 'manifest.json';
/** Prefix of the files of the home. */
export const HOME_PREFIX = 'home/';

/** The result of a backup or a restore. */
export interface BackupReport {
  readonly files: number;
  /** Uncompressed size of all files. */
  readonly bytes: number;
  /** Where a restore moved the previous contents of the home. */
  readonly keptAside?: string;
  /** Names in the home that are neither files nor folders and were skipped. */
  readonly skipped: readonly string[];
}

/** The content of the last file of an archive. */
export interface BackupManifest {
  readonly format: number;
  readonly createdAt: string;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

/**
 * Whether a file of the home (relative path with slashes) is not backed up: the index, snapshots and other files that
 * can be rebuilt, diagnostics, locks, temporary files, the address of the running server, the login of a team, and the
 * copies of what it shares.
 */
export function isExcluded(name: string): boolean {
  return (
    /^(?:search|store-\d+)\.db/.test(name) ||
    /^(?:serve|team)\.json$/.test(name) ||
    /^(?:logs?|hooks)(?:\/|$)/.test(name) ||
    /^projects\/[^/]+\/(?:guard\.|recall\.|spool\.(?!newer$)|digest|briefing\.json|(?:claims|told|team)(?:\/|$))/.test(
      name,
    ) ||
    /\.(?:lock|tmp|stale)$/.test(name)
  );
}

/** The format version from the first file; undefined if it is not a backup. */
export function parseMarker(text: string): number | undefined {
  const format = parseObject(text)?.format;
  return typeof format === 'number' ? format : undefined;
}

/** Parses the last file; undefined if it is damaged. */
export function parseManifest(text: string): BackupManifest | undefined {
  const content = parseObject(text);
  if (!content || !Array.isArray(content.files) || typeof content.createdAt !== 'string') return undefined;
  const files = content.files.filter(isManifestFile);
  if (files.length !== content.files.length || typeof content.format !== 'number') return undefined;
  return { format: content.format, createdAt: content.createdAt, files };
}

function isManifestFile(value: unknown): value is BackupManifest['files'][number] {
  return isObject(value) && typeof value.path === 'string' && typeof value.size === 'number';
}

/** Writes all bytes; on a nearly full disk, `writeSync` may write only a part without an error. */
export function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let position = 0; position < bytes.length; ) position += writeSync(descriptor, bytes, position);
}

/** A temporary name next to `path` that contains the process id. */
export function temporaryName(path: string): string {
  return `${path}.unfinished-${process.pid}-${randomHex(8)}`;
}

/** Deletes temporary files and folders next to `path` whose processes are dead. */
export function removeStaleTemporaries(path: string): void {
  const prefix = `${basename(path)}.unfinished-`;
  for (const name of readdirSync(dirname(path))) {
    const pid = name.startsWith(prefix) ? /^(\d+)-[0-9a-f]{8}$/.exec(name.slice(prefix.length))?.[1] : undefined;
    if (pid === undefined || isProcessAlive(Number(pid))) continue;
    rmSync(join(dirname(path), name), { recursive: true, force: true });
  }
}
