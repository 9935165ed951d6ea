import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { remoteAddress } from './git-config.ts';
import { upwards } from './real-folder.ts';
import { normaliseRemote } from './remote-url.ts';

/** A git repository as its files tell it, without running git. */
export interface Repository {
  /** Top folder of this worktree; of a bare repository, its own folder. */
  readonly root: string;
  /** Top folder of the main worktree, or `root` where there is none. */
  readonly mainRoot: string;
  readonly displayName: string;
  /** The git folder of this worktree. */
  readonly gitDir: string;
  /** The git folder that all worktrees share. */
  readonly commonDir: string;
  readonly isBare: boolean;
  /** Normalised address of the remote. */
  readonly remote?: string;
}

/** The repository that `folder` (a real path) is in. A submodule is a repository of its own. */
export function findRepository(folder: string): Repository | undefined {
  for (const current of upwards(folder)) {
    const gitDir = gitDirOf(current);
    if (gitDir !== undefined) return describe(current, gitDir, false);
    if (!isGitDir(current)) continue;
    const inside = basename(current) === '.git';
    return describe(inside ? dirname(current) : current, current, !inside);
  }
  return undefined;
}

/** Whether `folder` itself is the top of a worktree or a bare repository. */
export function isRepositoryTop(folder: string): boolean {
  return gitDirOf(folder) !== undefined || isGitDir(folder);
}

/**
 * What tells a repository from another that was at the same path: the file-system number of its `.git` (of the
 * object store, when bare). Undefined when there is none.
 */
export function markerOf(folder: string): string | undefined {
  return inodeOf(join(folder, '.git')) ?? inodeOf(join(folder, 'objects'));
}

/** The file-system number of a path, undefined when there is nothing. */
export function inodeOf(path: string): string | undefined {
  try {
    return statSync(path, { bigint: true }).ino.toString();
  } catch {
    return undefined;
  }
}

/** Whether the root commit can be found: there are commits, and the history was not cut when cloning. */
export function hasWholeHistory({ gitDir, commonDir }: Repository): boolean {
  if (readIfThere(join(commonDir, 'shallow')).trim() !== '') return false;
  const head = readIfThere(join(gitDir, 'HEAD')).trim();
  const reference = /^ref:\s*(\S+)$/.exec(head)?.[1];
  if (reference === undefined) return head !== '';
  if (existsSync(join(commonDir, 'reftable'))) return true;
  return (
    existsSync(join(commonDir, reference)) ||
    readIfThere(join(commonDir, 'packed-refs')).includes(` ${reference}\n`)
  );
}

function gitDirOf(folder: string): string | undefined {
  const path = join(folder, '.git');
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return isGitDir(path) ? path : undefined;
  if (!found?.isFile()) return undefined;
  const target = /^gitdir:\s*(.+)$/m.exec(readIfThere(path))?.[1]?.trim();
  return target === undefined ? undefined : resolve(folder, target);
}

function isGitDir(folder: string): boolean {
  return ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(folder, name)));
}

function describe(root: string, gitDir: string, isBare: boolean): Repository {
  const commonDir = commonDirOf(gitDir);
  const isMain = basename(commonDir) === '.git';
  const mainRoot = isMain ? dirname(commonDir) : root;
  const address = remoteAddress(readIfThere(join(commonDir, 'config')));
  return {
    root,
    mainRoot,
    displayName: nameOf(mainRoot, isMain || commonDir === realOr(gitDir) ? undefined : commonDir),
    gitDir,
    commonDir,
    isBare,
    ...(address === undefined ? {} : { remote: normaliseRemote(address, mainRoot) }),
  };
}

/** A worktree whose main repository was moved away still names where that was. */
function commonDirOf(gitDir: string): string {
  const named = readIfThere(join(gitDir, 'commondir')).trim();
  if (named !== '') return realOr(resolve(gitDir, named));
  return realOr(existsSync(gitDir) ? gitDir : gitDir.replace(/[\\/]worktrees[\\/][^\\/]+$/, ''));
}

/** A worktree of a bare repository is called after that: `app.git`, or the folder that hides it as `.bare`. */
function nameOf(root: string, bareDir: string | undefined): string {
  const folder =
    bareDir === undefined ? root : basename(bareDir).startsWith('.') ? dirname(bareDir) : bareDir;
  return basename(folder).replace(/\.git$/, '') || folder;
}

function realOr(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
