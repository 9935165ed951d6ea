import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { errorCode, storageError } from '../files/index.ts';
import { YoreError } from '../record/index.ts';

/** Environment variables, as `process.env` holds them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Where yore keeps its files: `home` if given, else YORE_HOME, else `~/.yore`. */
export function homeFolder(home: string | undefined, environment: Environment): string {
  return resolve(home ?? (environment.YORE_HOME || join(homedir(), '.yore')));
}

/** Throws when the home is not a folder or belongs to somebody else. A home that does not exist yet is fine. */
export function checkHomeFolder(path: string): void {
  const found = statIfThere(path);
  if (!found) return;
  if (!found.isDirectory()) {
    throw new YoreError(
      'STORAGE',
      `${path} is a file, but yore's home must be a folder. Move the file away, or set YORE_HOME to another place.`,
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

function statIfThere(path: string): ReturnType<typeof statSync> {
  try {
    return statSync(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw storageError('open', path, error);
  }
}
