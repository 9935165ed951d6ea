import { lstatSync, mkdirSync, readFileSync, realpathSync, rmdirSync, rmSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { parse } from 'jsonc-parser';
import { errorCode, storageError, writeFileAtomic } from '../files/index.ts';
import { isObject, type JsonObject, YoreError } from '../record/index.ts';

/** A settings file of an agent. */
export interface SettingsFile {
  /** Its real path, when it was named by a symbolic link. */
  readonly path: string;
  /** Undefined when the file does not exist. */
  readonly text: string | undefined;
  readonly mode: number;
}

const NEW_FILE_MODE = 0o644;

/**
 * Reads a settings file. Symbolic links are followed, so that a file that is kept with other dotfiles stays linked. Throws
 * STORAGE for a folder, a broken link, a file that is not UTF-8 or cannot be read.
 */
export function readSettingsText(path: string): SettingsFile {
  const found = statIfExists(path);
  if (!found) {
    if (lstatSync(path, { throwIfNoEntry: false })) {
      throw new YoreError(
        'STORAGE',
        `${path} is a link to a file that does not exist. Remove the link or create the file.`,
      );
    }
    return { path, text: undefined, mode: NEW_FILE_MODE };
  }
  if (!found.isFile()) throw new YoreError('STORAGE', `${path} is not a file. Move or delete it and try again.`);
  try {
    const real = realpathSync.native(path);
    return { path: real, text: decodeUtf8(readFileSync(real), path), mode: found.mode & 0o7777 };
  } catch (error) {
    throw storageError('read', path, error);
  }
}

/** Parses a settings file, comments allowed; undefined when it does not exist or is not an object. */
export function readSettings(path: string): JsonObject | undefined {
  const settings: unknown = parse(readSettingsText(path).text ?? '');
  return isObject(settings) ? settings : undefined;
}

/** Throws READ_ONLY when a settings file is write-protected. */
export function checkWritable(path: string, { text, mode }: SettingsFile): void {
  if (text === undefined || (mode & 0o222) !== 0) return;
  throw new YoreError('READ_ONLY', `${path} is read-only. Make it writable (chmod u+w) and try again.`);
}

/** Replaces the content of a settings file atomically and keeps its mode. */
export function writeSettingsText({ path, mode }: SettingsFile, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true }); // `writeFileAtomic` would make it private.
  } catch (error) {
    throw storageError('make', dirname(path), error);
  }
  writeFileAtomic(path, text, { mode });
}

/** Deletes a file that belongs to yore. */
export function deleteSettingsFile(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch (error) {
    throw storageError('delete', path, error);
  }
}

/** Deletes the folders that are empty, the innermost first; returns those that remain. */
export function deleteEmptyFolders(folders: readonly string[]): readonly string[] {
  const innermostFirst = folders.toSorted((one, other) => other.length - one.length);
  return innermostFirst.filter((folder) => {
    try {
      rmdirSync(folder);
      return false;
    } catch (error) {
      return errorCode(error) !== 'ENOENT';
    }
  });
}

/** The folders that have to be created before a file can be written, the outermost first. */
export function findMissingFolders(path: string): readonly string[] {
  const missing: string[] = [];
  for (let folder = dirname(path); !statIfExists(folder); folder = dirname(folder)) missing.unshift(folder);
  return missing;
}

function statIfExists(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (errorCode(error) === 'ENOTDIR' || errorCode(error) === 'ELOOP') return undefined;
    throw storageError('read', path, error);
  }
}

function decodeUtf8(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new YoreError('STORAGE', `${path} is not UTF-8 text. Save it as UTF-8 and try again.`, { cause });
  }
}
