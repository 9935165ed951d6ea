import { lstatSync, type Stats } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { resolveLinks } from '../files/index.ts';
import { PositionStore } from '../recording/transcript/position-store.ts';
import type { Environment } from '../registry/folders.ts';
import { createGitRunner, findRepository, type RunGit } from '../registry/git-repository.ts';
import { type FoundSource, readStartTime } from './find-sources.ts';

/** By how much the time of a file must be wrong before it counts as unpacked: archives store times to two seconds. */
const MIN_DIFFERENCE_MS = 2_000;
const MINUTE_MS = 60_000;
const QUARTER_HOUR_MS = 15 * MINUTE_MS;
/** In a very large repository, looking through all commits takes that long. */
const GIT_TIMEOUT_MS = 60_000;
const NO_ANSWER = 'git cannot say whether it came with the repository';
/** No two time zones are further apart. */
const MAX_ZONE_DIFFERENCE_MS = 26 * 60 * MINUTE_MS;

/**
 * Why a transcript is not the user's own history: it came with a repository or an archive, or belongs to somebody else.
 * Undefined if it is. Transcripts in the folder that an agent keeps for the user are not examined. `home` is yore's home.
 */
export function findForeignReason(
  entry: FoundSource,
  { environment, home }: { readonly environment: Environment; readonly home: string },
): string | undefined {
  const { source, mayBeForeign } = entry;
  if (!mayBeForeign) return undefined;
  const found = lstatSync(source.path, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (process.getuid !== undefined && found.uid !== process.getuid()) return 'it belongs to another user';
  const folder = dirname(source.path);
  const repository = findRepository(resolveLinks(folder));
  if (found.isSymbolicLink() || isLinkBelow(folder, repository?.root)) return 'it is reached through a link';
  if (repository !== undefined) {
    const git = createGitRunner(environment, { timeoutMs: GIT_TIMEOUT_MS });
    const path = relative(repository.root, join(resolveLinks(folder), basename(source.path)))
      .split(sep)
      .join('/');
    const tracked = runGit(git, repository.gitDir, ['ls-files', '-z', '--', `:(top,icase,literal)${path}`]);
    if (tracked === undefined) return NO_ANSWER;
    if (tracked !== '') return 'git tracks it, so it came with the repository';
    const commit = runGit(git, repository.gitDir, ['rev-list', '-1', '--all', '--', `:(top,literal)${path}`]);
    if (commit === undefined) return NO_ANSWER;
    if (commit !== '') return 'an earlier commit contains it, so it came with the repository';
  }
  if (isUnpacked(found)) return 'its time is not that of its last change, so it was unpacked or copied here';
  if (!hasGrown(found) || wasOwn(entry, home) || isSameMoment(readStartTime(entry), found.birthtimeMs))
    return undefined;
  return 'it does not begin when the file was created, so it was unpacked or copied here and continued';
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

/** Whether a file was written to after it was created. Not known where the time of creation is that of the last change. */
function hasGrown({ birthtimeMs, mtimeMs }: Stats): boolean {
  return birthtimeMs > 0 && mtimeMs > birthtimeMs + MIN_DIFFERENCE_MS;
}

/** Whether it was imported as the user's own before it grew. It may have been replaced since. */
function wasOwn({ transcripts, source }: FoundSource, home: string): boolean {
  const stored = new PositionStore(home).read(source.path);
  return stored !== undefined && stored.isForeign !== true && transcripts.read(source, stored.position).isResumed;
}

/**
 * Whether the first entry of a transcript is from when its file was created. An agent creates the file for it; whoever
 * wrote an archive cannot know when it is unpacked. Times without a zone may be off by whole quarters of an hour.
 */
function isSameMoment(start: number, created: number): boolean {
  const difference = Math.abs(start - created);
  const rest = difference % QUARTER_HOUR_MS;
  return difference <= MAX_ZONE_DIFFERENCE_MS && Math.min(rest, QUARTER_HOUR_MS - rest) <= MINUTE_MS;
}
