import { appendFileSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, storageError } from '../log/index.ts';
import { YoreError } from '../record/index.ts';
import type { Identity } from './identity.ts';

/** Name of the folder that holds a project inside its repository. */
const FOLDER = '.yore';

/** Where `storage: "repo"` keeps a project; undefined for a bare repository, which has no place for it. */
export function repoDirectory(identity: Identity): string | undefined {
  return identity.repository?.isBare ? undefined : join(identity.mainRoot, FOLDER);
}

/**
 * Makes sure that git does not pick up what is kept in the repository, before anything is kept there: adds
 * `.yore/` to `.gitignore`, once, unless it is ignored already. Throws STORAGE when `.yore` is a link.
 */
export function prepareRepoDirectory(identity: Identity): void {
  const directory = join(identity.mainRoot, FOLDER);
  if (lstatSync(directory, { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw new YoreError(
      'STORAGE',
      `${directory} is a link to another place, and yore does not write through it. Remove it, or set storage to "home".`,
    );
  }
  if (!identity.repository) return;
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
