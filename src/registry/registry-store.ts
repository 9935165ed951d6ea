import { renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { storageError, withLock, writeFileAtomic } from '../files/index.ts';
import type { ProjectInfo, Warning } from '../record/index.ts';
import { projectIdsIn, readProjectInfo } from './project-file.ts';
import {
  checkRegistryVersion,
  formatRegistry,
  type RegistryData,
  readRegistryFile,
} from './registry-file.ts';

/** What a change of the registry makes of it, and what the caller wants to know. */
export interface Change<T> {
  readonly data: RegistryData;
  readonly result: T;
}

/** `registry.json` and the `index.json` of every project: read, rebuilt from each other, changed under a lock. */
export class RegistryStore {
  readonly home: string;
  readonly #file: string;
  readonly #now: () => number;
  readonly #warnings = new Map<string, Warning>();
  #cached: { readonly stamp: string; readonly data: RegistryData } | undefined;

  constructor(home: string, now: () => number) {
    this.home = home;
    this.#file = join(home, 'registry.json');
    this.#now = now;
  }

  get warnings(): readonly Warning[] {
    return [...this.#warnings.values()];
  }

  /** The registry as it is now. Where the file is missing or damaged, as the projects tell it. */
  load(): RegistryData {
    const stamp = stampOf(this.#file);
    if (stamp !== undefined && this.#cached?.stamp === stamp) return this.#cached.data;
    const read = readRegistryFile(this.#file);
    const data = read.state === 'read' ? read.data : this.#rebuild();
    if (read.state === 'corrupt') this.#warnDamaged('It is rebuilt with the next change.');
    if (stamp !== undefined && read.state === 'read') this.#cached = { stamp, data };
    return data;
  }

  /** Changes the registry, one process at a time, from what it is now. Throws NEWER_VERSION. */
  change<T>(work: (data: RegistryData) => Change<T>): T {
    return this.locked(() => {
      const read = readRegistryFile(this.#file);
      checkRegistryVersion(this.#file, read);
      if (read.state === 'corrupt') this.#setAside();
      const { data, result } = work(read.state === 'read' ? read.data : this.#rebuild());
      writeFileAtomic(this.#file, formatRegistry(data));
      return result;
    });
  }

  /** Runs `work` while no other process changes the registry or a project's `index.json`. */
  locked<T>(work: () => T): T {
    return withLock(`${this.#file}.lock`, work);
  }

  /** The folder that holds a project's files. */
  directory(data: RegistryData, id: string): string {
    const elsewhere = Object.hasOwn(data.directories, id) ? data.directories[id] : undefined;
    return elsewhere ?? join(this.home, 'projects', id);
  }

  /** The ids of all projects, known or damaged. */
  ids(data: RegistryData): readonly string[] {
    return [...new Set([...projectIdsIn(join(this.home, 'projects')), ...Object.keys(data.directories)])];
  }

  /** What is known of all projects. */
  infos(data: RegistryData): readonly ProjectInfo[] {
    return this.ids(data).flatMap((id) => {
      const info = this.readInfo(this.directory(data, id));
      return info?.projectHash === id ? [info] : [];
    });
  }

  /** What is known of the project in a folder; a damaged `index.json` is warned of and counts as none. */
  readInfo(directory: string): ProjectInfo | undefined {
    const info = readProjectInfo(directory);
    if (info !== 'damaged') return info;
    const path = join(directory, 'index.json');
    this.#warnings.set(path, {
      code: 'invalid',
      message: `${path} cannot be understood, so its project is not listed. It is written anew when the project is used again.`,
    });
    return undefined;
  }

  #rebuild(): RegistryData {
    const empty: RegistryData = { folders: [], directories: {} };
    const folders = this.infos(empty).map((info) => ({ path: info.projectPath, project: info.projectHash }));
    return { ...empty, folders };
  }

  #setAside(): void {
    const time = new Date(this.#now()).toISOString().replace(/[-:]|\.\d+/g, '');
    const aside = `${this.#file}.corrupt-${time}`;
    try {
      renameSync(this.#file, aside);
    } catch (error) {
      throw storageError('move away', this.#file, error);
    }
    this.#warnDamaged(`It was rebuilt from the projects; the damaged file is kept as ${aside}.`);
  }

  #warnDamaged(what: string): void {
    this.#warnings.set(this.#file, { code: 'rebuilt', message: `${this.#file} was damaged. ${what}` });
  }
}

/** Changes whenever the file is replaced. */
function stampOf(file: string): string | undefined {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found && `${found.ino}-${found.mtimeNs}-${found.size}`;
}
