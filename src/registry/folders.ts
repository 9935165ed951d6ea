import { realpathSync, statSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { statIfExists } from '../files/file-access.ts';
import { YoreError } from '../record/error.ts';

/**
 * The canonical path of a folder: absolute, links resolved, case as on disk, upper-case drive letter. Of a folder that
 * no longer exists, the existing part is resolved. Throws USAGE for a file.
 */
export function canonicalFolder(folder: string): string {
  const path = resolve(folder);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === false) {
    throw new YoreError('USAGE', `${path} is a file. Name the folder of a project instead.`);
  }
  // Drive letters of Windows are case-insensitive.
  return resolveExistingPart(path).replace(/^[a-z](?=:[\\/])/, (drive) => drive.toUpperCase());
}

/** A folder and all its parents, nearest first. */
export function* selfAndAncestors(folder: string): Generator<string> {
  for (let current = folder; ; current = dirname(current)) {
    yield current;
    if (dirname(current) === current) return;
  }
}

function resolveExistingPart(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(resolveExistingPart(parent), basename(path));
  }
}

/** Environment variables, in the form of `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The home folder of the user. An empty or relative HOME, as some services and containers set it, would make the current
 * folder the home: then it is the one that the system knows. Throws USAGE when there is none.
 */
export function userHomeFolder(): string {
  // Asking the system takes longer than a hook needs to find its project.
  for (const read of [homedir, () => userInfo().homedir]) {
    const home = emptyOnError(read);
    if (isAbsolute(home)) return home;
  }
  throw new YoreError('USAGE', 'The home folder of this user is not known. Set HOME to an absolute path.');
}

function emptyOnError(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}

/**
 * yore's home: `home` if given, else YORE_HOME, else `~/.yore`. Throws USAGE for a relative YORE_HOME, which would make a
 * folder of each project the home, planted ones too.
 */
export function homeFolder(home: string | undefined, { YORE_HOME: named }: Environment): string {
  if (home === undefined && named && !isAbsolute(named)) {
    throw new YoreError('USAGE', `YORE_HOME is "${named}". Set it to an absolute path.`);
  }
  return resolve(home ?? (named || join(userHomeFolder(), '.yore')));
}

/** Throws when the home is not a folder or belongs to another user. It need not exist yet. */
export function checkHomeFolder(path: string): void {
  const found = statIfExists(path);
  if (!found) return;
  if (!found.isDirectory()) {
    throw new YoreError(
      'STORAGE',
      `${path} is a file, but yore's home must be a folder. Move or delete the file, or set YORE_HOME to another path.`,
    );
  }
  const user = process.getuid?.();
  if (user !== undefined && found.uid !== user) {
    throw new YoreError(
      'NOT_OWNED',
      `${path} belongs to another user (id ${found.uid}, you are ${user}). Run yore as that user, or set YORE_HOME to a folder of yours.`,
    );
  }
}
