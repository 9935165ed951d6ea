import { existsSync, mkdirSync, readdirSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { errorCode, storageError } from '../files/index.ts';
import { YoreError } from '../record/index.ts';
import { extractArchive } from './archive-reader.ts';
import { type BackupReport, isLeftOut, type Progress } from './backup-format.ts';
import { removeLeftovers, unfinishedName } from './leftovers.ts';

/** How {@link restoreHome} restores. */
export interface RestoreOptions {
  /** True: a home that holds something is kept aside, under a name that the report tells. Default: it is refused. */
  readonly replace?: boolean;
  readonly onProgress?: Progress;
  /** Default `Date.now`. */
  readonly now?: () => number;
}

/**
 * Brings back a backup. It is unpacked and checked beside the home first, and takes its place only when it is
 * complete; whatever goes wrong or is interrupted before, the home is as it was. Throws NOT_FOUND, USAGE,
 * NEWER_VERSION, STORAGE, DISK_FULL or READ_ONLY.
 */
export async function restoreHome(
  file: string,
  home: string,
  options: RestoreOptions = {},
): Promise<BackupReport> {
  checkFile(file);
  const target = realTarget(home);
  const isHolding = checkTarget(target, options.replace ?? false);
  const unfinished = unfinishedName(target);
  try {
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    removeLeftovers(target);
    mkdirSync(unfinished, { mode: 0o700 });
    const unpacked = await extractArchive(file, unfinished, options.onProgress);
    const aside = takePlace(unfinished, target, new Date((options.now ?? Date.now)()));
    if (aside !== undefined && !isHolding) rmSync(aside, { recursive: true, force: true });
    return { ...unpacked, skipped: [], ...(aside !== undefined && isHolding ? { keptAside: aside } : {}) };
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    throw storageError('restore into', target, error);
  }
}

function checkFile(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found)
    throw new YoreError('NOT_FOUND', `There is no file ${file}. Name the file that \`yore backup\` wrote.`);
  if (!found.isFile())
    throw new YoreError('USAGE', `${file} is not a file. Name the file that \`yore backup\` wrote.`);
}

/** Whether there is anything in the home that a restore must not lose. */
function checkTarget(target: string, replace: boolean): boolean {
  const found = statSync(target, { throwIfNoEntry: false });
  if (!found) return false;
  if (!found.isDirectory()) {
    throw new YoreError(
      'STORAGE',
      `${target} is a file, but yore's home must be a folder. Move the file away and try again.`,
    );
  }
  const isHolding = readdirSync(target).some((name) => !isLeftOut(name));
  if (isHolding && !replace) {
    throw new YoreError(
      'USAGE',
      `${target} is not empty. Restore with --replace to keep what is there aside and put the backup in its place, or choose another home.`,
    );
  }
  return isHolding;
}

/** Where the home really is, so that a link to it stays one. */
function realTarget(home: string): string {
  try {
    return realpathSync.native(home);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return resolve(home);
    throw storageError('open', home, error);
  }
}

/** Puts `folder` at `target`; returns where what was there has gone. Undone when it fails half-way. */
function takePlace(folder: string, target: string, now: Date): string | undefined {
  if (!existsSync(target)) {
    renameSync(folder, target);
    return undefined;
  }
  const aside = freeName(`${target}.before-restore-${now.toISOString().replace(/[-:]|\.\d+/g, '')}`);
  renameSync(target, aside);
  try {
    renameSync(folder, target);
  } catch (error) {
    if (existsSync(target)) throw disturbed(target, aside, error);
    renameSync(aside, target);
    throw error;
  }
  return aside;
}

function disturbed(target: string, aside: string, cause: unknown): YoreError {
  return new YoreError(
    'BUSY',
    `Another program wrote to ${target} while it was replaced. What it held before is in ${aside}. ` +
      'Stop your agents, move that back or restore again.',
    { cause },
  );
}

function freeName(path: string): string {
  let name = path;
  for (let number = 2; existsSync(name); number++) name = `${path}-${number}`;
  return name;
}
