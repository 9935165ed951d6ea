import type { ProjectInfo } from '../record/index.ts';
import { formatIdentity, type Identity, type IdentityParts, parseIdentity } from './identity.ts';

/** A known project, as far as it matters for telling whether a folder is of it. */
export interface KnownProject {
  readonly info: ProjectInfo;
  /** It is still where it was, so that the folder in question is another one. */
  readonly isThere: boolean;
}

/** Whether a folder is of a known project, or of a new one with this identity. */
export type Match =
  | { readonly kind: 'same'; readonly id: string }
  | { readonly kind: 'new'; readonly identity: string; readonly resembles: readonly string[] };

type Likeness = 'same' | 'resembles' | 'other';

/**
 * Finds the project of a folder that was not seen before. Where it cannot be known, e.g. whether a folder is a
 * project that was moved or a copy of it, the folder is taken as new and the projects that it may be are named.
 */
export function matchProject(found: Identity, known: readonly KnownProject[]): Match {
  const exact = known.find(({ info }) => info.identity === found.identity);
  const judged = known.map((project) => ({
    id: project.info.projectHash,
    likeness: compare(found, project),
  }));
  const same = judged.filter(({ likeness }) => likeness === 'same');
  const [only] = same;
  if (only && same.length === 1) return { kind: 'same', id: only.id };
  if (exact && judged.some(({ id, likeness }) => id === exact.info.projectHash && likeness === 'same')) {
    return { kind: 'same', id: exact.info.projectHash };
  }
  const resembles = judged.filter(({ likeness }) => likeness !== 'other').map(({ id }) => id);
  return { kind: 'new', identity: exact ? ownIdentity(found) : found.identity, resembles };
}

function compare(found: Identity, { info, isThere }: KnownProject): Likeness {
  const parts = parseIdentity(info.identity);
  const wanted = parseIdentity(found.identity);
  if (!parts || !wanted) return 'other';
  if (wanted.kind === 'commit' && parts.kind === 'commit') return compareCommits(wanted, parts, isThere);
  if (found.identity === info.identity) return 'same';
  if (found.kind !== 'git') return 'other';
  // The folder became a repository, or the repository got its first commit or its remote.
  const before = parts.kind === 'folder' ? found.mainRoot : found.repository?.commonDir;
  return parts.kind !== 'commit' && parts.path === before ? 'same' : 'other';
}

type Commit = IdentityParts & { readonly kind: 'commit' };

function compareCommits(found: Commit, known: Commit, isThere: boolean): Likeness {
  const sameRemote = found.remote !== undefined && found.remote === known.remote;
  if (found.rootCommit === undefined || known.rootCommit === undefined) return sameRemote ? 'same' : 'other';
  if (found.rootCommit !== known.rootCommit) return 'other';
  if (sameRemote) return 'same';
  // A fork has the root commit in common with its origin, and a remote of its own. So has a repository that
  // was moved on its server; only when the known one is gone can it be that.
  if (found.remote !== undefined && known.remote !== undefined) return isThere ? 'other' : 'resembles';
  return isThere || known.remote !== undefined ? 'resembles' : 'same';
}

/** For a copy beside the project it was made from: its place tells it apart. */
function ownIdentity({ repository, root }: Identity): string {
  return formatIdentity(
    repository ? { kind: 'gitDir', path: repository.commonDir } : { kind: 'folder', path: root },
  );
}
