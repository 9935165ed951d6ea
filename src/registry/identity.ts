import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { omitUndefined } from '../record/object.ts';
import type { ProjectInfo } from '../record/project-info.ts';
import { canonicalFolder } from './folders.ts';
import { findRepository, hasFullHistory, normaliseRemoteUrl, type Repository, type RunGit } from './git-repository.ts';

/** The project that a folder belongs to, and what that is recognised by. */
export interface Identity {
  /** Root of the checkout: of the worktree, or the folder itself. */
  readonly root: string;
  /** Root of the main worktree, else `root`. */
  readonly mainRoot: string;
  /** The same for all folders of a project, and unique to it; see {@link formatIdentity}. */
  readonly identity: string;
  readonly displayName: string;
  readonly kind: 'git' | 'folder';
  readonly repository?: Repository;
}

/** The parts of an identity. */
type IdentityParts =
  | { readonly kind: 'commit'; readonly rootCommit?: string; readonly remote?: string }
  | { readonly kind: 'gitDir'; readonly path: string }
  | { readonly kind: 'folder'; readonly path: string };

/**
 * Identifies the project of a folder from its files and at most one run of git, which finds the root commit. Without
 * `git` no process is started, and a repository is identified by its remote or else its git directory.
 */
export function identifyFolder(folder: string, options: IdentifyOptions = {}): Identity {
  const path = canonicalFolder(folder);
  const repository = findRepository(path);
  if (!repository && options.remote !== undefined && !existsSync(path)) return identifyLost(path, options.remote);
  if (!repository) {
    return {
      root: path,
      mainRoot: path,
      identity: formatIdentity({ kind: 'folder', path }),
      displayName: basename(path) || path,
      kind: 'folder',
    };
  }
  const rootCommit = options.git ? findRootCommit(repository, options.git) : undefined;
  const { root, mainRoot, displayName, remote, commonDir } = repository;
  const isKnown = rootCommit !== undefined || remote !== undefined;
  const parts: IdentityParts = isKnown
    ? { kind: 'commit', ...omitUndefined({ rootCommit, remote }) }
    : { kind: 'gitDir', path: commonDir };
  return {
    root,
    mainRoot,
    identity: formatIdentity(parts),
    displayName,
    kind: 'git',
    repository,
  };
}

/** What {@link identifyFolder} is told about a folder. */
interface IdentifyOptions {
  readonly git?: RunGit;
  /** The URL of the remote that the folder had, in case it no longer exists. */
  readonly remote?: string;
}

/** The identity of a repository whose folder no longer exists: that of a clone without its root commit. */
function identifyLost(path: string, url: string): Identity {
  const remote = normaliseRemoteUrl(url, path);
  const displayName = basename(remote) || basename(path);
  return { root: path, mainRoot: path, identity: formatIdentity({ kind: 'commit', remote }), displayName, kind: 'git' };
}

/** `git:<root commit>:<remote>` (each may be empty), `git-dir:<path>` or `folder:<path>`. */
export function formatIdentity(parts: IdentityParts): string {
  switch (parts.kind) {
    case 'commit':
      return `git:${parts.rootCommit ?? ''}:${parts.remote ?? ''}`;
    case 'gitDir':
      return `git-dir:${parts.path}`;
    case 'folder':
      return `folder:${parts.path}`;
  }
}

/** Parses the result of {@link formatIdentity}; undefined for anything else. */
export function parseIdentity(identity: string): IdentityParts | undefined {
  const [, kind, rest = ''] = /^(git|git-dir|folder):(.*)$/s.exec(identity) ?? [];
  if (kind === 'folder') return { kind, path: rest };
  if (kind === 'git-dir') return { kind: 'gitDir', path: rest };
  const [, rootCommit, remote] = /^([0-9a-f]*):(.*)$/s.exec(rest) ?? [];
  if (kind !== 'git' || rootCommit === undefined) return undefined;
  return {
    kind: 'commit',
    ...omitUndefined({ rootCommit: rootCommit || undefined, remote: remote || undefined }),
  };
}

/** Follows first parents only, so that merging another history does not change the identity. */
function findRootCommit(repository: Repository, git: RunGit): string | undefined {
  if (!hasFullHistory(repository)) return undefined;
  const printed = git(repository.gitDir, ['rev-list', '--first-parent', '--max-parents=0', 'HEAD', '--']);
  return /^[0-9a-f]{40,64}$/m.exec(printed ?? '')?.[0];
}

interface KnownProject {
  readonly info: ProjectInfo;
  /** It still exists at another path than the folder that is matched. */
  readonly stillExists: boolean;
}

/** A folder belongs to a known project, or to a new one. */
export type IdentityMatch =
  | { readonly kind: 'same'; readonly id: string }
  | { readonly kind: 'new'; readonly identity: string };

/**
 * Finds the project of a folder that was not seen before. In case of doubt, e.g. whether a repository was moved or
 * copied, the folder is a new project.
 */
export function matchProject(found: Identity, known: readonly KnownProject[]): IdentityMatch {
  const exact = known.find(({ info }) => info.identity === found.identity);
  const same = known.filter((project) => isSameProject(found, project));
  const match = same.length === 1 ? same[0] : same.find((project) => project === exact);
  if (match) return { kind: 'same', id: match.info.projectHash };
  return { kind: 'new', identity: exact ? identityByPath(found) : found.identity };
}

function isSameProject(found: Identity, { info, stillExists }: KnownProject): boolean {
  const parts = parseIdentity(info.identity);
  const foundParts = parseIdentity(found.identity);
  if (!parts || !foundParts) return false;
  if (foundParts.kind === 'commit' && parts.kind === 'commit') return isSameRepository(foundParts, parts, stillExists);
  if (found.identity === info.identity) return true;
  if (found.kind !== 'git') return false;
  // The folder became a repository, or the repository got its first commit or remote.
  const before = parts.kind === 'folder' ? found.mainRoot : found.repository?.commonDir;
  return parts.kind !== 'commit' && parts.path === before;
}

type CommitIdentity = IdentityParts & { readonly kind: 'commit' };

function isSameRepository(found: CommitIdentity, known: CommitIdentity, stillExists: boolean): boolean {
  const sameRemote = found.remote !== undefined && found.remote === known.remote;
  if (found.rootCommit === undefined || known.rootCommit === undefined) return sameRemote;
  if (found.rootCommit !== known.rootCommit) return false;
  // With the same root commit but another remote it may be a fork. Without a known remote it may be a copy, unless the
  // known repository is gone.
  return sameRemote || (known.remote === undefined && !stillExists);
}

/** The identity of a copy, which differs from the original by its path only. */
function identityByPath({ repository, root }: Identity): string {
  return formatIdentity(repository ? { kind: 'gitDir', path: repository.commonDir } : { kind: 'folder', path: root });
}
