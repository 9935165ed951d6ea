import { basename } from 'node:path';
import { omitUndefined } from '../record/object.ts';
import type { ProjectInfo } from '../record/project-info.ts';
import { canonicalFolder } from './folders.ts';
import { findRepository, hasFullHistory, type Repository, type RunGit } from './git-repository.ts';

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
  /** Only the root commit is known, so that a copy and a moved repository look the same. */
  readonly ambiguous?: true;
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
export function identifyFolder(folder: string, options: { readonly git?: RunGit } = {}): Identity {
  const path = canonicalFolder(folder);
  const repository = findRepository(path);
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
    ...(rootCommit !== undefined && remote === undefined ? { ambiguous: true } : {}),
    repository,
  };
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

/** A folder belongs to a known project, or to a new one, which may resemble known ones. */
export type Match =
  | { readonly kind: 'same'; readonly id: string }
  | { readonly kind: 'new'; readonly identity: string; readonly resembles: readonly string[] };

type Similarity = 'same' | 'resembles' | 'other';

/**
 * Finds the project of a folder that was not seen before. In case of doubt, e.g. whether a repository was moved or
 * copied, the folder is a new project and the result names the projects it resembles.
 */
export function matchProject(found: Identity, known: readonly KnownProject[]): Match {
  const exact = known.find(({ info }) => info.identity === found.identity);
  const compared = known.map((project) => ({
    id: project.info.projectHash,
    similarity: compareIdentities(found, project),
  }));
  const same = compared.filter(({ similarity }) => similarity === 'same');
  const [only] = same;
  if (only && same.length === 1) return { kind: 'same', id: only.id };
  if (exact && compared.some(({ id, similarity }) => id === exact.info.projectHash && similarity === 'same')) {
    return { kind: 'same', id: exact.info.projectHash };
  }
  const resembles = compared.filter(({ similarity }) => similarity !== 'other').map(({ id }) => id);
  return { kind: 'new', identity: exact ? identityByPath(found) : found.identity, resembles };
}

function compareIdentities(found: Identity, { info, stillExists }: KnownProject): Similarity {
  const parts = parseIdentity(info.identity);
  const foundParts = parseIdentity(found.identity);
  if (!parts || !foundParts) return 'other';
  if (foundParts.kind === 'commit' && parts.kind === 'commit') return compareCommits(foundParts, parts, stillExists);
  if (found.identity === info.identity) return 'same';
  if (found.kind !== 'git') return 'other';
  // The folder became a repository, or the repository got its first commit or remote.
  const before = parts.kind === 'folder' ? found.mainRoot : found.repository?.commonDir;
  return parts.kind !== 'commit' && parts.path === before ? 'same' : 'other';
}

type CommitIdentity = IdentityParts & { readonly kind: 'commit' };

function compareCommits(found: CommitIdentity, known: CommitIdentity, stillExists: boolean): Similarity {
  const sameRemote = found.remote !== undefined && found.remote === known.remote;
  if (found.rootCommit === undefined || known.rootCommit === undefined) return sameRemote ? 'same' : 'other';
  if (found.rootCommit !== known.rootCommit) return 'other';
  if (sameRemote) return 'same';
  // Same root commit, different remotes: a fork, or a repository whose remote was moved. It can only be the latter if
  // the known repository is gone.
  if (found.remote !== undefined && known.remote !== undefined) return stillExists ? 'other' : 'resembles';
  return stillExists || known.remote !== undefined ? 'resembles' : 'same';
}

/** The identity of a copy, which differs from the original by its path only. */
function identityByPath({ repository, root }: Identity): string {
  return formatIdentity(repository ? { kind: 'gitDir', path: repository.commonDir } : { kind: 'folder', path: root });
}
