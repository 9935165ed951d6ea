import { lstatSync, type Stats } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { resolveLinks } from '../files/index.ts';
import type { Environment } from '../registry/folders.ts';
import { createGitRunner, findRepository, type RunGit } from '../registry/git-repository.ts';
import type { FoundSource } from './find-sources.ts';

/** By how much the time of a file must be wrong before it counts as unpacked: archives store times to two seconds. */
const MIN_DIFFERENCE_MS = 2_000;

/**
 * Why a transcript is not the user's own history: it came with a repository or an archive, or belongs to somebody else.
 * Undefined if it is. Transcripts in the folder that an agent keeps for the user are not examined.
 */
export function findForeignReason({ source, mayBeForeign }: FoundSource, environment: Environment): string | undefined {
  if (!mayBeForeign) return undefined;
  const found = lstatSync(source.path, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (process.getuid !== undefined && found.uid !== process.getuid()) return 'it belongs to another user';
  const folder = dirname(source.path);
  const repository = findRepository(resolveLinks(folder));
  if (found.isSymbolicLink() || isLinkBelow(folder, repository?.root)) return 'it is reached through a link';
  if (repository !== undefined) {
    const git = createGitRunner(environment);
    const path = relative(repository.root, join(resolveLinks(folder), basename(source.path)))
      .split(sep)
      .join('/');
    const tracked = runGit(git, repository.gitDir, ['ls-files', '-z', '--', `:(top,icase,literal)${path}`]);
    if (tracked === undefined) return 'git cannot say whether it came with the repository';
    if (tracked !== '') return 'git tracks it, so it came with the repository';
    const commit = ['rev-list', '-1', '--all', '--', `:(top,literal)${path}`];
    if (runGit(git, repository.gitDir, commit)) return 'an earlier commit contains it, so it came with the repository';
  }
  return isUnpacked(found) ? 'its time is not that of its last change, so it was unpacked or copied here' : undefined;
}

/** In a submodule, the configuration names a worktree that may lie anywhere; paths are relative to its root all the same. */
function runGit(git: RunGit, gitDir: string, args: readonly string[]): string | undefined {
  return git(gitDir, [`--work-tree=${dirname(process.execPath)}`, ...args]);
}

/** Whether a folder, or one between it and the root of its repository, is a link. A project itself may be linked to. */
function isLinkBelow(folder: string, root: string | undefined): boolean {
  for (let at = folder; dirname(at) !== at; at = dirname(at)) {
    const isHidden = basename(at).startsWith('.');
    const isRoot = resolveLinks(at) === root;
    if (!isHidden && (isRoot || root === undefined)) return false;
    if (lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink()) return true;
    if (isRoot) return false;
  }
  return false;
}

/**
 * A file that was written here was modified when it was created, or later, and its status did not change before that.
 * Other times were set by whoever unpacked it. Not every file system knows when a file was created.
 */
function isUnpacked({ birthtimeMs, mtimeMs, ctimeMs }: Stats): boolean {
  const isOlder = birthtimeMs > 0 && mtimeMs + MIN_DIFFERENCE_MS < birthtimeMs;
  return isOlder || mtimeMs > ctimeMs + MIN_DIFFERENCE_MS;
}
