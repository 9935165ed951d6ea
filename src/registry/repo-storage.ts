import { appendFileSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, storageError } from '../files/index.ts';
import { YoreError } from '../record/index.ts';
import type { Identity } from './identity.ts';
import type { RunGit } from './run-git.ts';

/** Name of the folder that holds a project inside its repository. */
const FOLDER = '.yore';

/** Where `storage: "repo"` keeps a project; undefined for a bare repository, which has no place for it. */
export function repoDirectory(identity: Identity): string | undefined {
  return identity.repository?.isBare ? undefined : join(identity.mainRoot, FOLDER);
}

/**
 * Makes sure that git does not pick up what is kept in the repository, before anything is kept there: adds
 * `.yore/` to `.gitignore`, once, unless it is ignored already. Throws STORAGE when `.yore` is a link, or is
 * committed: then it came with the repository, and holds what somebody else wants to be remembered.
 */
export function prepareRepoDirectory(identity: Identity, git: RunGit | undefined): void {
  const directory = join(identity.mainRoot, FOLDER);
  const found = lstatSync(directory, { throwIfNoEntry: false });
  if (found?.isSymbolicLink()) {
    throw refused(directory, 'is a link to another place, and yore does not write through it. Remove it');
  }
  if (!identity.repository) return;
  if (found && git?.(identity.repository.gitDir, ['ls-files', '--', FOLDER])) {
    throw refused(directory, 'is committed to the repository. Take it out with `git rm -r --cached .yore`');
  }
  const file = join(identity.mainRoot, '.gitignore');
  const exclude = join(identity.repository.commonDir, 'info', 'exclude');
  try {
    const text = readIfThere(file);
    if (isDecided(text) || isDecided(readIfThere(exclude))) return;
    appendFileSync(file, lineToAppend(text));
  } catch (error) {
    throw storageError('add .yore/ to', file, error);
  }
}

function refused(directory: string, why: string): YoreError {
  return new YoreError('STORAGE', `${directory} ${why}, or set storage to "home".`);
}

/** Whether some line already ignores the folder, or says on purpose that it shall not be. */
function isDecided(text: string): boolean {
  return text.split(/\r?\n/).some((line) => /^!?(?:\*\*\/|\/)?\.yore(?:\/(?:\*\*?)?)?\s*$/.test(line));
}

function lineToAppend(text: string): string {
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  const start = text === '' || text.endsWith('\n') ? '' : lineBreak;
  return `${start}${FOLDER}/${lineBreak}`;
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return '';
    throw error;
  }
}
