import { existsSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  findFolderProblem,
  isRepoDataFolder,
  readIfExists,
  readStamp,
  refusedError,
  storageError,
  writeFileAtomic,
} from '../files/file-access.ts';
import { withLock } from '../files/lock.ts';
import { type Diagnostic, YoreError } from '../record/error.ts';
import { isObject, parseObject } from '../record/object.ts';
import type { ProjectInfo } from '../record/project-info.ts';
import { type Repository, readInode, readMarker } from './git-repository.ts';
import type { Identity } from './identity.ts';
import { isProjectId, listProjectIds, readProjectInfo } from './project-file.ts';

/** The changed registry and the result for the caller. */
export interface RegistryChange<T> {
  readonly data: RegistryData;
  readonly result: T;
}

/** Reads `registry.json` and the `index.json` of projects, changes them under a lock, and rebuilds the registry when damaged. */
export class RegistryStore {
  readonly home: string;
  readonly #file: string;
  readonly #now: () => number;
  readonly #diagnostics = new Map<string, Diagnostic>();
  #cached: { readonly stamp: string; readonly data: RegistryData } | undefined;

  constructor(home: string, now: () => number) {
    this.home = home;
    this.#file = join(home, 'registry.json');
    this.#now = now;
  }

  get diagnostics(): readonly Diagnostic[] {
    return [...this.#diagnostics.values()];
  }

  /** The current registry; rebuilt from the projects if the file is missing or damaged. */
  load(): RegistryData {
    const stamp = readStamp(this.#file);
    if (this.#cached?.stamp === stamp) return this.#cached.data;
    const read = readRegistryFile(this.#file);
    const data = read.state === 'read' ? read.data : this.#rebuild();
    if (read.state === 'corrupt') this.#warnDamaged('It will be rebuilt with the next change.');
    if (stamp !== '' && read.state === 'read') this.#cached = { stamp, data };
    return data;
  }

  /** Changes the current registry under the lock. Throws NEWER_VERSION. */
  change<T>(work: (data: RegistryData) => RegistryChange<T>): T {
    return this.locked(() => {
      const read = readRegistryFile(this.#file);
      checkRegistryVersion(this.#file, read);
      if (read.state === 'corrupt') this.#keepDamagedCopy();
      const { data, result } = work(read.state === 'read' ? read.data : this.#rebuild());
      writeFileAtomic(this.#file, formatRegistry(data));
      return result;
    });
  }

  /** Runs `work` under the lock of the registry and of every `index.json`. */
  locked<T>(work: () => T): T {
    return withLock(`${this.#file}.lock`, work);
  }

  /** The data folder of a project. */
  directory(data: RegistryData, id: string): string {
    const elsewhere = Object.hasOwn(data.directories, id) ? data.directories[id] : undefined;
    return elsewhere ?? join(this.home, 'projects', id);
  }

  /** The ids of all projects, including damaged ones. */
  ids(data: RegistryData): readonly string[] {
    return [...new Set([...listProjectIds(join(this.home, 'projects')), ...Object.keys(data.directories)])];
  }

  /** The infos of all projects that can be read. */
  infos(data: RegistryData): readonly ProjectInfo[] {
    return this.ids(data).flatMap((id) => {
      const info = this.readInfo(this.directory(data, id));
      return info?.projectHash === id ? [info] : [];
    });
  }

  /** The info in a data folder. A damaged `index.json` adds a warning and counts as missing. */
  readInfo(directory: string): ProjectInfo | undefined {
    if (!this.isUsable(directory)) return undefined;
    const info = readProjectInfo(directory);
    if (info !== 'damaged') return info;
    const path = join(directory, 'index.json');
    this.#diagnostics.set(path, {
      code: 'invalid',
      message: `${path} is damaged, so its project is not listed. It is rewritten when the project is used again.`,
    });
    return undefined;
  }

  /** Whether a data folder may be used. One that is a link, or in one, adds a warning. */
  isUsable(directory: string): boolean {
    const problem = findFolderProblem(directory);
    if (problem === undefined) return true;
    this.#diagnostics.set(directory, { code: 'invalid', message: refusedError(problem).message });
    return false;
  }

  #rebuild(): RegistryData {
    const empty: RegistryData = { folders: [], directories: {} };
    const folders = this.infos(empty).map((info) => ({ path: info.projectPath, project: info.projectHash }));
    return { ...empty, folders };
  }

  #keepDamagedCopy(): void {
    const time = new Date(this.#now()).toISOString().replace(/[-:]|\.\d+/g, '');
    const copy = `${this.#file}.corrupt-${time}`;
    try {
      renameSync(this.#file, copy);
    } catch (error) {
      throw storageError('rename', this.#file, error);
    }
    this.#warnDamaged(`It was rebuilt from the projects; the damaged file was kept as ${copy}.`);
  }

  #warnDamaged(consequence: string): void {
    this.#diagnostics.set(this.#file, { code: 'rebuilt', message: `${this.#file} was damaged. ${consequence}` });
  }
}

/** A known folder and its project. */
export interface FolderEntry {
  /** Canonical path. */
  readonly path: string;
  /** Id of the project. */
  readonly project: string;
  /** The repository at that path; without it, whatever is there belongs to the project. */
  readonly git?: RepositoryStamp;
  /** Git was run for the root commit, so that it is not run again. */
  readonly asked?: boolean;
}

/** Recognises a repository without running git. `marker` is the inode of `.git`; see {@link readMarker}. */
interface RepositoryStamp {
  readonly marker: string;
  readonly commonDir: string;
  readonly commonInode: string;
}

/** The content of `registry.json`. */
export interface RegistryData {
  readonly folders: readonly FolderEntry[];
  /** Data folders of projects that are not stored in yore's home, by id. */
  readonly directories: Readonly<Record<string, string>>;
}

const REGISTRY_VERSION = 1;

/** The result of reading the file. `missing` and `corrupt` require a rebuild. */
type ReadResult =
  | { readonly state: 'read'; readonly data: RegistryData; readonly version: number }
  | { readonly state: 'missing' }
  | { readonly state: 'corrupt' };

/** Reads `registry.json`. Invalid entries are skipped. */
function readRegistryFile(path: string): ReadResult {
  const text = readIfExists(path);
  if (text === undefined) return { state: 'missing' };
  const content = parseObject(text);
  if (!content || typeof content.v !== 'number' || !Array.isArray(content.folders)) return { state: 'corrupt' };
  const directories = Object.entries(isObject(content.directories) ? content.directories : {});
  return {
    state: 'read',
    version: content.v,
    data: {
      folders: content.folders.filter(isFolderEntry),
      directories: Object.fromEntries(directories.filter(isDataFolderEntry)),
    },
  };
}

/** Throws NEWER_VERSION when a newer yore wrote the file. */
function checkRegistryVersion(path: string, read: ReadResult): void {
  if (read.state !== 'read' || read.version <= REGISTRY_VERSION) return;
  throw new YoreError(
    'NEWER_VERSION',
    `${path} was written by a newer yore (format ${read.version}, this one knows ${REGISTRY_VERSION}). Update yore to record here.`,
  );
}

/** The text of `registry.json`, one line per folder. */
function formatRegistry({ folders, directories }: RegistryData): string {
  const lines = folders.map((entry) => `    ${JSON.stringify(entry)}`).join(',\n');
  return `{\n  "v": ${REGISTRY_VERSION},\n  "folders": [\n${lines}\n  ],\n  "directories": ${JSON.stringify(directories)}\n}\n`;
}

/** Whether an entry still describes what is at its path. A folder that no longer exists counts as unchanged. */
export function isCurrent({ path, git }: FolderEntry): boolean {
  if (!git) return true;
  const marker = readMarker(path);
  return marker === undefined ? !existsSync(path) : marker === git.marker;
}

/** Whether the repository or folder of an entry still exists. */
function stillExists({ path, git }: FolderEntry): boolean {
  if (git) return readInode(git.commonDir) === git.commonInode;
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** The stamp of a repository; undefined when its git directory cannot be read. */
export function readRepositoryStamp({ root, commonDir }: Repository): RepositoryStamp | undefined {
  const marker = readMarker(root);
  const commonInode = readInode(commonDir);
  return marker === undefined || commonInode === undefined ? undefined : { marker, commonDir, commonInode };
}

/** Other folders in a repository than those that yore names are not trusted. */
function isDataFolderEntry(entry: readonly [string, unknown]): entry is [string, string] {
  const [id, directory] = entry;
  return isProjectId(id) && typeof directory === 'string' && isRepoDataFolder(directory);
}

function isFolderEntry(value: unknown): value is FolderEntry {
  if (!isObject(value) || typeof value.path !== 'string' || !isProjectId(value.project)) return false;
  if (value.git === undefined) return true;
  const { git } = value;
  return isObject(git) && ['marker', 'commonDir', 'commonInode'].every((key) => typeof git[key] === 'string');
}

/** The entry of any worktree of the same repository. Needs no git. */
export function findSameRepository({ folders }: RegistryData, { repository }: Identity): FolderEntry | undefined {
  const stamp = repository && readRepositoryStamp(repository);
  if (!stamp) return undefined;
  return folders.find(({ git }) => git?.commonDir === stamp.commonDir && git.commonInode === stamp.commonInode);
}

/** Whether a project still exists in another place than the folder that was found. */
export function existsElsewhere(data: RegistryData, info: ProjectInfo, found: Identity): boolean {
  const own = data.folders.filter(({ project }) => project === info.projectHash);
  const entries = own.length > 0 ? own : [{ path: info.projectPath, project: info.projectHash }];
  return entries.some((entry) => !isFolderOf(entry, found) && stillExists(entry));
}

function isFolderOf({ path, git }: FolderEntry, { root, mainRoot, repository }: Identity): boolean {
  return path === root || path === mainRoot || (git !== undefined && git.commonDir === repository?.commonDir);
}

/**
 * Adds an entry, and drops entries that it supersedes. Folders of the project that no longer exist were moved there, unless
 * the added one does not exist either.
 */
export function withFolderEntry(folders: readonly FolderEntry[], entry: FolderEntry): readonly FolderEntry[] {
  const isGone = !existsSync(entry.path);
  const kept = folders.filter((other) => {
    if (other.path === entry.path) return other.project !== entry.project && other.git !== undefined;
    return other.project !== entry.project || isGone || existsSync(other.path);
  });
  return [...kept, entry];
}
