import { existsSync } from 'node:fs';
import { type ProjectInfo, RECORD_VERSION } from '../record/index.ts';
import { type Identity, parseIdentity } from './identity.ts';
import { type FolderEntry, isStillThere, markOf, type RegistryData } from './registry-file.ts';

/** The entry of another worktree of the same repository, or of this one: no git is needed to know whose it is. */
export function siblingOf({ folders }: RegistryData, { repository }: Identity): FolderEntry | undefined {
  const mark = repository && markOf(repository);
  if (!mark) return undefined;
  return folders.find(({ git }) => git?.commonDir === mark.commonDir && git.commonInode === mark.commonInode);
}

/** Whether a project is still at another place than the folder that was found. */
export function isElsewhere(data: RegistryData, info: ProjectInfo, found: Identity): boolean {
  const own = data.folders.filter(({ project }) => project === info.projectHash);
  const entries = own.length > 0 ? own : [{ path: info.projectPath, project: info.projectHash }];
  return entries.some((entry) => !isPlaceOf(entry, found) && isStillThere(entry));
}

function isPlaceOf({ path, git }: FolderEntry, { root, mainRoot, repository }: Identity): boolean {
  return path === root || path === mainRoot || (git !== undefined && git.commonDir === repository?.commonDir);
}

/** `index.json` of a project that is seen for the first time. */
export function newInfo(id: string, identity: string, found: Identity, now: number): ProjectInfo {
  const time = new Date(now).toISOString();
  return {
    v: RECORD_VERSION,
    projectPath: found.mainRoot,
    projectHash: id,
    identity,
    displayName: found.displayName,
    firstSeen: time,
    lastActiveAt: time,
    generation: 0,
  };
}

/** A known project as the folder now tells it: at its new place when it was moved, with all that makes it itself. */
export function updatedInfo(
  before: ProjectInfo,
  found: Identity,
  { moved, others }: { readonly moved: boolean; readonly others: readonly ProjectInfo[] },
): ProjectInfo {
  const gain = strength(found.identity) - strength(before.identity);
  const isFree = !others.some(
    ({ identity, projectHash }) => identity === found.identity && projectHash !== before.projectHash,
  );
  const identity = isFree && (gain > 0 || (gain === 0 && moved)) ? found.identity : before.identity;
  if (!moved || before.projectPath === found.mainRoot) return { ...before, identity };
  return { ...before, identity, projectPath: found.mainRoot, displayName: found.displayName };
}

/** How much an identity can be recognised by. */
function strength(identity: string): number {
  const parts = parseIdentity(identity);
  if (!parts || parts.kind === 'folder') return 0;
  if (parts.kind === 'gitDir') return 1;
  return parts.rootCommit === undefined ? 2 : parts.remote === undefined ? 3 : 4;
}

/** The first 8 hexadecimal characters of SHA-256 of an identity, or more while another project has that id. */
export function freeId(identity: string, others: readonly ProjectInfo[]): string {
  // Loaded here: most runs of yore meet no new project.
  const { createHash } = process.getBuiltinModule('node:crypto');
  const hash = createHash('sha256').update(identity).digest('hex');
  const taken = new Set(others.filter((info) => info.identity !== identity).map((info) => info.projectHash));
  let length = 8;
  while (taken.has(hash.slice(0, length)) && length < hash.length) length += 4;
  return hash.slice(0, length);
}

/** The folders with one more. Entries that it supersedes and places that the project has left are dropped. */
export function withFolder(folders: readonly FolderEntry[], entry: FolderEntry): readonly FolderEntry[] {
  const kept = folders.filter((other) => {
    if (other.path === entry.path) return other.project !== entry.project && other.git !== undefined;
    return other.project !== entry.project || existsSync(other.path);
  });
  return [...kept, entry];
}
