import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { storageError } from '../files/index.ts';
import { type ProjectInfo, type Warning, YoreError } from '../record/index.ts';
import { freeId, isElsewhere, newInfo, siblingOf, updatedInfo, withFolder } from './enrol.ts';
import { type Identity, identifyFolder, parseIdentity } from './identity.ts';
import { type Match, matchProject } from './match-project.ts';
import { writeProjectInfo } from './project-file.ts';
import { realFolder, upwards } from './real-folder.ts';
import { type FolderEntry, isCurrent, isProjectId, markOf, type RegistryData } from './registry-file.ts';
import { type Change, RegistryStore } from './registry-store.ts';
import { prepareRepoDirectory, repoDirectory } from './repo-storage.ts';
import { hasWholeHistory, isRepositoryTop } from './repository.ts';
import type { RunGit } from './run-git.ts';

/** What a {@link Registry} needs to know besides its place. */
export interface RegistryOptions {
  /** Finds root commits of unknown repositories. Without it no process is ever started. */
  readonly git?: RunGit;
  /** Where new projects are kept. Default `home`; known projects stay where they are. */
  readonly storage?: 'home' | 'repo';
  /**
   * Folders that hold many projects, e.g. the user's home and the temp folder: what is inside is never taken as
   * a part of them. Folders that contain yore's home count as such anyway.
   */
  readonly gatheringFolders?: readonly string[];
  /** Default `Date.now`. */
  readonly now?: () => number;
}

/** The project that a folder is of. */
export interface Registered {
  readonly id: string;
  readonly info: ProjectInfo;
  /** The folder that holds the project's files. */
  readonly directory: string;
  readonly isNew: boolean;
  /** Ids of known projects that a new one may in truth be; empty when there is no doubt. */
  readonly resembles: readonly string[];
}

/** What of a project's `index.json` may change. */
export type InfoPatch = Partial<Omit<ProjectInfo, 'v' | 'projectHash'>>;

interface Asked {
  readonly identity: Identity;
  /** Git was run for it. */
  readonly asked: boolean;
}

/**
 * The known folders and their projects: `registry.json` of yore's home, with `index.json` of each project.
 * Several processes may use it at once. Nothing is created before something is registered.
 */
export class Registry {
  readonly #store: RegistryStore;
  readonly #options: RegistryOptions;
  readonly #now: () => number;
  readonly #identified = new Map<string, Asked>();

  private constructor(home: string, options: RegistryOptions) {
    this.#now = options.now ?? Date.now;
    this.#store = new RegistryStore(home, this.#now);
    this.#options = options;
  }

  /** Opens the registry of a home that need not exist yet. */
  static open(home: string, options: RegistryOptions = {}): Registry {
    return new Registry(resolve(home), options);
  }

  /** What was found damaged so far, and what became of it. */
  get warnings(): readonly Warning[] {
    return this.#store.warnings;
  }

  /**
   * The id of the project that a folder is of, by the nearest known folder above it. Undefined when it is not
   * known, or when it is in a repository of its own that is not. Never runs git, never writes.
   */
  lookup(folder: string): string | undefined {
    return this.#find(folder, this.#store.load())?.project;
  }

  /**
   * The project of a folder, which becomes known if it was not: a moved or re-cloned repository and a worktree
   * are of their old project. `sameAs` says whose it is where that is in doubt. Throws NEWER_VERSION and what
   * writing may throw.
   */
  register(folder: string, { sameAs }: { readonly sameAs?: string } = {}): Registered {
    const entry = sameAs === undefined ? this.#find(folder, this.#store.load()) : undefined;
    const info = entry && this.info(entry.project);
    const place = identifyFolder(folder);
    const isWeak = entry !== undefined && info !== undefined && this.#isWeak(place, entry, info);
    if (entry && info && !isWeak) {
      return {
        id: entry.project,
        info,
        directory: this.directory(entry.project),
        isNew: false,
        resembles: [],
      };
    }
    const found = this.#identify(place, isWeak);
    return this.#store.change((data) => this.#enrol(data, found, sameAs));
  }

  /** Known projects that an unknown folder may be of, where that is in doubt. Writes nothing. */
  resembling(folder: string): readonly ProjectInfo[] {
    const data = this.#store.load();
    if (this.#find(folder, data)) return [];
    const match = this.#match(data, this.#identify(identifyFolder(folder), false).identity);
    return match.kind === 'same' ? [] : match.resembles.flatMap((id) => this.info(id) ?? []);
  }

  /** All projects, most recently active first. */
  list(): readonly ProjectInfo[] {
    const infos = this.#store.infos(this.#store.load());
    return [...infos].sort((a, b) => b.lastActiveAt.localeCompare(a.lastActiveAt));
  }

  /** Where the files of all projects are, by id. Reads none of them. */
  directories(): ReadonlyMap<string, string> {
    const data = this.#store.load();
    return new Map(this.#store.ids(data).map((id) => [id, this.#store.directory(data, id)]));
  }

  /** What is known of a project; undefined when there is none of that id. */
  info(id: string): ProjectInfo | undefined {
    return isProjectId(id) ? this.#store.readInfo(this.directory(id)) : undefined;
  }

  /** The folder that holds a project's files. */
  directory(id: string): string {
    return this.#store.directory(this.#store.load(), id);
  }

  /** Changes `index.json` of a project. Throws NOT_FOUND. */
  updateInfo(id: string, patch: InfoPatch): ProjectInfo {
    return this.#store.locked(() => {
      const changed = { ...this.#existing(id), ...patch };
      writeProjectInfo(this.directory(id), changed);
      return changed;
    });
  }

  /** Deletes a project with everything that is kept of it, and forgets its folders. Throws NOT_FOUND. */
  forget(id: string): void {
    this.#store.change((data) => {
      this.#existing(id);
      deleteDirectory(this.#store.directory(data, id));
      const directories = Object.fromEntries(Object.entries(data.directories).filter(([key]) => key !== id));
      const folders = data.folders.filter(({ project }) => project !== id);
      return { data: { folders, directories }, result: undefined };
    });
  }

  #existing(id: string): ProjectInfo {
    const info = this.info(id);
    if (info) return info;
    throw new YoreError(
      'NOT_FOUND',
      `There is no project ${id} in ${this.#store.home}. \`yore doctor\` lists what there is.`,
    );
  }

  #find(folder: string, { folders }: RegistryData): FolderEntry | undefined {
    const path = realFolder(folder);
    for (const current of upwards(path)) {
      const here = folders.filter((entry) => entry.path === current && isCurrent(entry));
      const entry = here.find(({ git }) => git) ?? here[0];
      if (entry && (current === path || entry.git || !this.#isGathering(current))) return entry;
      if (isRepositoryTop(current)) return undefined;
    }
    return undefined;
  }

  #isGathering(folder: string): boolean {
    const inside = folder.endsWith(sep) ? folder : `${folder}${sep}`;
    if (`${realFolder(this.#store.home)}${sep}`.startsWith(inside)) return true;
    return (this.#options.gatheringFolders ?? []).some((other) => realFolder(other) === folder);
  }

  /** Whether more can be known of a registered repository than when it was registered. */
  #isWeak({ repository, root }: Identity, entry: FolderEntry, info: ProjectInfo): boolean {
    if (!repository || entry.path !== root) return false;
    if (!entry.git) return true;
    const parts = parseIdentity(info.identity);
    if (parts?.kind === 'commit' && parts.rootCommit !== undefined) return false;
    return this.#options.git !== undefined && !entry.asked && hasWholeHistory(repository);
  }

  /** Runs git at most once for a place, and not at all for a worktree of a known repository. */
  #identify(place: Identity, isWeak: boolean): Asked {
    const key = JSON.stringify([place.root, place.repository && markOf(place.repository)]);
    const before = this.#identified.get(key);
    if (before && !isWeak) return before;
    const { git } = this.#options;
    const sibling = isWeak ? undefined : siblingOf(this.#store.load(), place);
    const asked =
      git !== undefined && !sibling && place.repository !== undefined && hasWholeHistory(place.repository);
    const result = { identity: asked ? identifyFolder(place.root, { git }) : place, asked };
    this.#identified.set(key, result);
    return result;
  }

  #match(data: RegistryData, found: Identity): Match {
    const sibling = siblingOf(data, found);
    if (sibling && this.info(sibling.project)) return { kind: 'same', id: sibling.project };
    const infos = this.#store.infos(data);
    const inRepository = this.#infoInRepository(data, found, infos);
    const known = inRepository ? [...infos, inRepository] : infos;
    return matchProject(
      found,
      known.map((info) => ({ info, isThere: isElsewhere(data, info, found) })),
    );
  }

  #enrol(
    data: RegistryData,
    { identity: found, asked }: Asked,
    sameAs: string | undefined,
  ): Change<Registered> {
    const others = this.#store.infos(data);
    const match: Match =
      sameAs === undefined
        ? this.#match(data, found)
        : { kind: 'same', id: this.#existing(sameAs).projectHash };
    const isNew = match.kind === 'new';
    const id = isNew ? freeId(match.identity, others) : match.id;
    const directory = this.#chooseDirectory(data, found, id, isNew);
    const before = isNew ? undefined : this.#store.readInfo(directory);
    const info = before
      ? updatedInfo(before, found, { moved: !isElsewhere(data, before, found), others })
      : newInfo(id, isNew ? match.identity : found.identity, found, this.#now());
    writeProjectInfo(directory, info);
    const inHome = directory === join(this.#store.home, 'projects', id);
    const git = found.repository && markOf(found.repository);
    const entry = { path: found.root, project: id, ...(git ? { git } : {}), ...(asked ? { asked } : {}) };
    return {
      data: {
        folders: withFolder(data.folders, entry),
        directories: inHome ? data.directories : { ...data.directories, [id]: directory },
      },
      result: { id, info, directory, isNew, resembles: isNew ? match.resembles : [] },
    };
  }

  /** Where a project is kept; a new one as the settings say, a known one where it is, also after it was moved. */
  #chooseDirectory(data: RegistryData, found: Identity, id: string, isNew: boolean): string {
    const directory = this.#store.directory(data, id);
    if (!isNew && existsSync(directory)) return directory;
    const wasInRepository = Object.hasOwn(data.directories, id);
    const inRepository = this.#repoDirectory(found);
    if (inRepository === undefined || !(wasInRepository || this.#options.storage === 'repo')) {
      return join(this.#store.home, 'projects', id);
    }
    const there = this.#store.readInfo(inRepository);
    if (there && there.projectHash !== id) throw foreign(inRepository, there);
    prepareRepoDirectory(found, this.#options.git);
    return inRepository;
  }

  /** What a repository says of itself; believed only where projects are kept in repositories. */
  #infoInRepository(
    data: RegistryData,
    found: Identity,
    infos: readonly ProjectInfo[],
  ): ProjectInfo | undefined {
    const directory = this.#repoDirectory(found);
    const info = directory === undefined ? undefined : this.#store.readInfo(directory);
    if (!info || infos.some(({ projectHash }) => projectHash === info.projectHash)) return undefined;
    const isExpected = this.#options.storage === 'repo' || Object.hasOwn(data.directories, info.projectHash);
    return isExpected ? info : undefined;
  }

  /** Not when the folder of that name is yore's own home, as in a repository of the user's home. */
  #repoDirectory(found: Identity): string | undefined {
    const directory = repoDirectory(found);
    return directory === realFolder(this.#store.home) ? undefined : directory;
  }
}

function foreign(directory: string, info: ProjectInfo): YoreError {
  return new YoreError(
    'STORAGE',
    `${directory} holds another project (${info.displayName}, once at ${info.projectPath}). Move it away, or set storage to "home".`,
  );
}

/** `index.json` goes last: as long as anything is left, the project is listed and can be forgotten again. */
function deleteDirectory(directory: string): void {
  try {
    const names = readdirSync(directory).filter((name) => name !== 'index.json');
    for (const name of names) rmSync(join(directory, name), { recursive: true, force: true, maxRetries: 3 });
    rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    throw storageError('delete', directory, error);
  }
}
