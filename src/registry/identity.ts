import { basename } from 'node:path';
import { realFolder } from './real-folder.ts';
import { findRepository, hasWholeHistory, type Repository } from './repository.ts';
import type { RunGit } from './run-git.ts';

/** What a folder is, and what makes its project itself. */
export interface Identity {
  /** Top folder of the worktree, or the folder itself. */
  readonly root: string;
  /** Where the project is at home: the main worktree, else `root`. */
  readonly mainRoot: string;
  /** Equal for all folders of a project, and different for all others: see {@link parseIdentity}. */
  readonly identity: string;
  readonly displayName: string;
  readonly kind: 'git' | 'folder';
  /** Only the root commit is known: a copy of the project cannot be told from the project itself, moved. */
  readonly ambiguous?: true;
  readonly repository?: Repository;
}

/** Identity as its parts. */
export type IdentityParts =
  | { readonly kind: 'commit'; readonly rootCommit?: string; readonly remote?: string }
  | { readonly kind: 'gitDir'; readonly path: string }
  | { readonly kind: 'folder'; readonly path: string };

/**
 * Says which project a folder is of, from its files and at most one run of git. `git` finds the root commit;
 * without it, no process is started and a repository is known by its remote, or else by its git folder.
 */
export function identifyFolder(folder: string, options: { readonly git?: RunGit } = {}): Identity {
  const path = realFolder(folder);
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
  return {
    root,
    mainRoot,
    identity: formatIdentity(
      isKnown
        ? { kind: 'commit', ...(rootCommit ? { rootCommit } : {}), ...(remote ? { remote } : {}) }
        : { kind: 'gitDir', path: commonDir },
    ),
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

/** The parts of what {@link formatIdentity} wrote; undefined for anything else. */
export function parseIdentity(identity: string): IdentityParts | undefined {
  const [, kind, rest = ''] = /^(git|git-dir|folder):(.*)$/s.exec(identity) ?? [];
  if (kind === 'folder') return { kind, path: rest };
  if (kind === 'git-dir') return { kind: 'gitDir', path: rest };
  const [, rootCommit, remote] = /^([0-9a-f]*):(.*)$/s.exec(rest) ?? [];
  if (kind !== 'git' || rootCommit === undefined) return undefined;
  return { kind: 'commit', ...(rootCommit ? { rootCommit } : {}), ...(remote ? { remote } : {}) };
}

/** Along first parents, so that merging another history does not change who the project is. */
function findRootCommit(repository: Repository, git: RunGit): string | undefined {
  if (!hasWholeHistory(repository)) return undefined;
  const printed = git(repository.gitDir, ['rev-list', '--first-parent', '--max-parents=0', 'HEAD', '--']);
  return /^[0-9a-f]{40,64}$/m.exec(printed ?? '')?.[0];
}
