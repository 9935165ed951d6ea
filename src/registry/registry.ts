import { existsSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { type Diagnostic, YoreError } from '../record/error.ts';
import { omitUndefined } from '../record/object.ts';
import type { ProjectInfo } from '../record/project-info.ts';
import { compareText } from '../text/compare-text.ts';
import { canonicalFolder, selfAndAncestors } from './folders.ts';
import { hasFullHistory, isRepositoryRoot, type RunGit } from './git-repository.ts';
import { type Identity, type IdentityMatch, identifyFolder, matchProject, parseIdentity } from './identity.ts';
import {
  chooseProjectId,
  createProjectInfo,
  findInfosInRepository,
  isProjectId,
  prepareRepoStorage,
  repoDataFolder,
  updateProjectInfo,
  writeProjectInfo,
} from './project-file.ts';
import {
  existsElsewhere,
  type FolderEntry,
  findSameRepository,
  isCurrent,
  type RegistryChange,
  type RegistryData,
  RegistryStore,
  readRepositoryStamp,
  withFolderEntry,
} from './registry-store.ts';

/** Options of a {@link Registry}. */
export interface RegistryOptions {
  /** Finds the root commits of unknown repositories. Without it no process is started. */
  readonly git?: RunGit;
  /** Where new projects are stored. Default `home`. Known projects stay where they are. */
  readonly storage?: 'home' | 'repo';
  /**
   * Folders that contain many projects, such as the user's home and the temp folder: even when they are registered
   * themselves, their subfolders do not belong to them. Folders that contain yore's home are always included.
   */
  readonly multiProjectFolders?: readonly string[];
  /** Default `Date.now`. */
  readonly now?: () => number;
}

/** The result of {@link Registry.register}. */
export interface RegisteredProject {
  readonly id: string;
  readonly info: ProjectInfo;
  /** The project's data folder. */
  readonly directory: string;
  readonly isNew: boolean;
}

/** The fields of `index.json` that may change. */
export type InfoPatch = Partial<Omit<ProjectInfo, 'v' | 'projectHash'>>;

/** When a project was active (ISO 8601). */
export interface Activity {
  readonly first: string;
  readonly last: string;
  /** Whether the project was registered just now. */
  readonly isNew: boolean;
}

interface IdentifiedFolder {
  readonly identity: Identity;
  readonly wasGitRun: boolean;
}

/**
 * The known folders and their projects, in `registry.json` of yore's home and the `index.json` of each project. Safe
 * for concurrent processes. Nothing is created before a folder is registered.
 */
export class Registry {
  readonly #store: RegistryStore;
  readonly #options: RegistryOptions;
  readonly #now: () => number;
  readonly #identified = new Map<string, IdentifiedFolder>();

  private constructor(home: string, options: RegistryOptions) {
    this.#now = options.now ?? Date.now;
    this.#store = new RegistryStore(home, this.#now);
    this.#options = options;
  }

  /** Opens the registry of a home, which need not exist yet. */
  static open(home: string, options: RegistryOptions = {}): Registry {
    return new Registry(resolve(home), options);
  }

  /** Damage found so far, and how it was handled. */
  get diagnostics(): readonly Diagnostic[] {
    return this.#store.diagnostics;
  }

  /**
   * The id of the project of a folder, by the nearest known parent. Undefined when none is known, or when the folder is
   * in an unknown repository. Never runs git, never writes.
   */
  lookup(folder: string): string | undefined {
    return this.#find(folder, this.#store.load())?.project;
  }

  /** The registered folder that a folder is or lies in: one of the checkouts of its project, which need not exist any more. */
  rootOf(folder: string): string | undefined {
    return this.#find(folder, this.#store.load())?.path;
  }

  /**
   * The project of a folder, which is registered if it is unknown. A moved or re-cloned repository and a worktree belong
   * to their existing project. Of a folder that no longer exists, `remote` is the URL of the git remote that it had, if that
   * is known. Throws NEWER_VERSION and storage errors.
   */
  register(folder: string, remote?: string): RegisteredProject {
    const entry = this.#find(folder, this.#store.load());
    const info = entry && this.info(entry.project);
    const identity = identifyFolder(folder, omitUndefined({ remote }));
    const canImprove = entry !== undefined && info !== undefined && this.#canImprove(identity, entry, info);
    if (entry && info && !canImprove) {
      const id = entry.project;
      return { id, info, directory: this.directory(id), isNew: false };
    }
    const found = this.#identify(identity, canImprove);
    return this.#store.change((data) => this.#addFolder(data, found));
  }

  /** All projects, most recently active first. */
  list(): readonly ProjectInfo[] {
    const infos = this.#store.infos(this.#store.load());
    return [...infos].sort((a, b) => compareText(b.lastActiveAt, a.lastActiveAt));
  }

  /** The data folders of all projects, by id. Reads no project. */
  directories(): ReadonlyMap<string, string> {
    const data = this.#store.load();
    const usable = this.#store.ids(data).map((id) => [id, this.#store.directory(data, id)] as const);
    return new Map(usable.filter(([, directory]) => this.#store.isUsable(directory)));
  }

  /** The info of a project; undefined for an unknown id. */
  info(id: string): ProjectInfo | undefined {
    return isProjectId(id) ? this.#store.readInfo(this.directory(id)) : undefined;
  }

  /** The data folder of a project. */
  directory(id: string): string {
    return this.#store.directory(this.#store.load(), id);
  }

  /** Changes `index.json` of a project. Throws NOT_FOUND. */
  updateInfo(id: string, patch: InfoPatch): ProjectInfo {
    return this.#store.locked(() => {
      const info = this.info(id);
      if (!info) throw new YoreError('NOT_FOUND', `There is no project ${id} in ${this.#store.home}.`);
      const changed = { ...info, ...patch };
      writeProjectInfo(this.directory(id), changed);
      return changed;
    });
  }

  /** Records when a project was active. For a new project, `last` replaces the time of its registration. */
  noteActivity(id: string, { first, last, isNew }: Activity): void {
    const known = this.info(id);
    if (known === undefined) return;
    const firstSeen = first < known.firstSeen ? first : known.firstSeen;
    const lastActiveAt = isNew || last > known.lastActiveAt ? last : known.lastActiveAt;
    if (firstSeen === known.firstSeen && lastActiveAt === known.lastActiveAt) return;
    this.updateInfo(id, { firstSeen, lastActiveAt });
  }

  #find(folder: string, { folders }: RegistryData): FolderEntry | undefined {
    const path = canonicalFolder(folder);
    for (const current of selfAndAncestors(path)) {
      const matching = folders.filter((entry) => entry.path === current && isCurrent(entry));
      const entry = matching.find(({ git }) => git) ?? matching[0];
      if (entry && (current === path || entry.git || !this.#holdsManyProjects(current))) return entry;
      if (isRepositoryRoot(current)) return undefined;
    }
    return undefined;
  }

  #holdsManyProjects(folder: string): boolean {
    const prefix = folder.endsWith(sep) ? folder : `${folder}${sep}`;
    if (`${canonicalFolder(this.#store.home)}${sep}`.startsWith(prefix)) return true;
    return (this.#options.multiProjectFolders ?? []).some((other) => canonicalFolder(other) === folder);
  }

  /** Whether a registered repository can now be identified better, e.g. by a root commit. */
  #canImprove({ repository, root }: Identity, entry: FolderEntry, info: ProjectInfo): boolean {
    if (!repository || entry.path !== root) return false;
    if (!entry.git) return true;
    const parts = parseIdentity(info.identity);
    if (parts?.kind === 'commit' && parts.rootCommit !== undefined) return false;
    return this.#options.git !== undefined && !entry.asked && hasFullHistory(repository);
  }

  /** Runs git at most once per folder, and not at all for a worktree of a known repository. */
  #identify(identity: Identity, canImprove: boolean): IdentifiedFolder {
    const { root, repository } = identity;
    const key = JSON.stringify([root, repository && readRepositoryStamp(repository)]);
    const before = this.#identified.get(key);
    if (before && !canImprove) return before;
    const { git } = this.#options;
    const sameRepository = canImprove ? undefined : findSameRepository(this.#store.load(), identity);
    const wasGitRun = git !== undefined && !sameRepository && repository !== undefined && hasFullHistory(repository);
    const result = { identity: wasGitRun ? identifyFolder(root, { git }) : identity, wasGitRun };
    this.#identified.set(key, result);
    return result;
  }

  #match(data: RegistryData, found: Identity): IdentityMatch {
    const entry = findSameRepository(data, found);
    if (entry && this.info(entry.project)) return { kind: 'same', id: entry.project };
    const infos = this.#store.infos(data);
    const known = [...infos, ...this.#infosInRepository(found, infos)];
    return matchProject(
      found,
      known.map((info) => ({ info, stillExists: existsElsewhere(data, info, found) })),
    );
  }

  #addFolder(data: RegistryData, { identity: found, wasGitRun }: IdentifiedFolder): RegistryChange<RegisteredProject> {
    const others = this.#store.infos(data);
    const match = this.#match(data, found);
    const isNew = match.kind === 'new';
    const id = isNew ? chooseProjectId(match.identity, others) : match.id;
    const directory = this.#chooseDirectory(data, found, id, isNew);
    const before = isNew ? undefined : this.#store.readInfo(directory);
    const info = before
      ? updateProjectInfo(before, found, { isMoved: !existsElsewhere(data, before, found), others })
      : createProjectInfo(id, isNew ? match.identity : found.identity, found, this.#now());
    writeProjectInfo(directory, info);
    const inHome = directory === join(this.#store.home, 'projects', id);
    const git = found.repository && readRepositoryStamp(found.repository);
    const asked = wasGitRun ? true : undefined;
    const entry = { path: found.root, project: id, ...omitUndefined({ git, asked }) };
    return {
      data: {
        folders: withFolderEntry(data.folders, entry),
        directories: inHome ? data.directories : { ...data.directories, [id]: directory },
      },
      result: { id, info, directory, isNew },
    };
  }

  /** The data folder: of a new project by the settings, of a known one where it is, also after it was moved. */
  #chooseDirectory(data: RegistryData, found: Identity, id: string, isNew: boolean): string {
    const directory = this.#store.directory(data, id);
    if (!isNew && existsSync(directory)) return directory;
    const wasInRepository = Object.hasOwn(data.directories, id);
    const isWanted = wasInRepository || this.#options.storage === 'repo';
    const inRepository = isWanted ? this.#repoDirectory(found, id) : undefined;
    if (inRepository === undefined) return join(this.#store.home, 'projects', id);
    prepareRepoStorage(found, this.#options.git);
    return inRepository;
  }

  /** The infos that this home has stored in a repository, and that the registry has lost. */
  #infosInRepository(found: Identity, infos: readonly ProjectInfo[]): readonly ProjectInfo[] {
    if (this.#isHome(found)) return [];
    const known = new Set(infos.map(({ projectHash }) => projectHash));
    return findInfosInRepository(this.#store.home, found).filter(({ projectHash }) => !known.has(projectHash));
  }

  #repoDirectory(found: Identity, id: string): string | undefined {
    return this.#isHome(found) ? undefined : repoDataFolder(this.#store.home, found, id);
  }

  /** Whether the `.yore` of a folder is yore's home, as in a repository of the user's home. */
  #isHome({ mainRoot }: Identity): boolean {
    return join(mainRoot, '.yore') === canonicalFolder(this.#store.home);
  }
}
