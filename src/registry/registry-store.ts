import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { readStamp, storageError, writeFileAtomic } from '../files/file-access.ts';
import { withLock } from '../files/lock.ts';
import type { Diagnostic } from '../record/error.ts';
import type { ProjectInfo } from '../record/project-info.ts';
import { listProjectIds, readProjectInfo } from './project-file.ts';
import { checkRegistryVersion, formatRegistry, type RegistryData, readRegistryFile } from './registry-file.ts';

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
    const info = readProjectInfo(directory);
    if (info !== 'damaged') return info;
    const path = join(directory, 'index.json');
    this.#diagnostics.set(path, {
      code: 'invalid',
      message: `${path} is damaged, so its project is not listed. It is rewritten when the project is used again.`,
    });
    return undefined;
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
      throw storageError('move away', this.#file, error);
    }
    this.#warnDamaged(`It was rebuilt from the projects; the damaged file was kept as ${copy}.`);
  }

  #warnDamaged(consequence: string): void {
    this.#diagnostics.set(this.#file, { code: 'rebuilt', message: `${this.#file} was damaged. ${consequence}` });
  }
}
