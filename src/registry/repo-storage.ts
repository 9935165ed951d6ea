import { appendFileSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { readIfExists } from '../files/file-access.ts';
import { storageError } from '../files/storage-error.ts';
import { YoreError } from '../record/error.ts';
import type { RunGit } from './git-repository.ts';
import type { Identity } from './identity.ts';

const FOLDER = '.yore';

/** The data folder of a project with `storage: "repo"`; undefined for a bare repository, which has no worktree. */
export function repoStorageFolder(identity: Identity): string | undefined {
  return identity.repository?.isBare ? undefined : join(identity.mainRoot, FOLDER);
}

/**
 * Adds `.yore/` to `.gitignore`, unless it is mentioned there already, before anything is stored in it. Throws STORAGE
 * when `.yore` is a link, or is committed: then it came with a clone, and its content is not trusted.
 */
export function prepareRepoStorage(identity: Identity, git: RunGit | undefined): void {
  const directory = join(identity.mainRoot, FOLDER);
  const found = lstatSync(directory, { throwIfNoEntry: false });
  if (found?.isSymbolicLink()) {
    throw refusedError(directory, 'is a link, and yore does not write through links. Remove it');
  }
  if (!identity.repository) return;
  if (found && git?.(identity.repository.gitDir, ['ls-files', '--', FOLDER])) {
    throw refusedError(
      directory,
      'is committed to the repository. Remove it with `git rm -r --cached .yore`',
    );
  }
  const file = join(identity.mainRoot, '.gitignore');
  const exclude = join(identity.repository.commonDir, 'info', 'exclude');
  try {
    const text = readIfExists(file) ?? '';
    if (mentionsFolder(text) || mentionsFolder(readIfExists(exclude) ?? '')) return;
    appendFileSync(file, lineToAppend(text));
  } catch (error) {
    throw storageError('add .yore/ to', file, error);
  }
}

function refusedError(directory: string, why: string): YoreError {
  return new YoreError('STORAGE', `${directory} ${why}, or set storage to "home".`);
}

/** Whether a line already ignores the folder, or explicitly does not. */
function mentionsFolder(text: string): boolean {
  return text.split(/\r?\n/).some((line) => /^!?(?:\*\*\/|\/)?\.yore(?:\/(?:\*\*?)?)?\s*$/.test(line));
}

function lineToAppend(text: string): string {
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  const start = text === '' || text.endsWith('\n') ? '' : lineBreak;
  return `${start}${FOLDER}/${lineBreak}`;
}
