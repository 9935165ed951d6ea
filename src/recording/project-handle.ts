import { readFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, loadConfig } from '../config/index.ts';
import type { ProjectInfo } from '../record/index.ts';
import { hasRecords } from '../registry/has-records.ts';
import { checkHomeFolder, type Environment } from '../registry/home-folder.ts';
import { realFolder } from '../registry/real-folder.ts';
import { type InfoPatch, Registry } from '../registry/registry.ts';
import { findRepository, type Repository } from '../registry/repository.ts';
import { gitRunner } from '../registry/run-git.ts';
import { readMachineState } from './machine-state.ts';
import type { WarnerOptions } from './warner.ts';

/** What {@link ProjectHandle} needs to know. */
export interface ProjectHandleOptions {
  /** yore's home. */
  readonly home: string;
  readonly env: Environment;
  readonly now: () => number;
}

/** Git is asked once for a new repository; an agent does not wait longer than this for it. */
const GIT_MS = 2_000;

/**
 * One project as a short process beside an agent sees it: which it is, where it is kept and what the settings say. A
 * `Warner`, a `Recorder` and `memoryBeside` do the work, each loaded by those who need it; none needs the search index. What
 * is wrong in the settings is a warning, and the default counts.
 */
export class ProjectHandle {
  readonly info: ProjectInfo;
  /** The folder that holds the project's logs. */
  readonly directory: string;
  /** The checkout that is worked on. */
  readonly root: string;
  readonly config: Config;
  readonly #options: ProjectHandleOptions;
  readonly #registry: Registry;
  readonly #repository: Repository | undefined;

  private constructor(found: Found, options: ProjectHandleOptions) {
    const { info, directory, registry, folder, config } = found;
    this.info = info;
    this.directory = directory;
    this.#options = options;
    this.#registry = registry;
    this.#repository = findRepository(folder);
    this.root = this.#repository?.root ?? info.projectPath;
    this.config = config;
  }

  /** The project of a folder, if it is known. Writes nothing. Throws what opening a home may throw. */
  static find(folder: string, options: ProjectHandleOptions): ProjectHandle | undefined {
    const registry = openRegistry(options);
    const id = registry.lookup(folder);
    const info = id === undefined ? undefined : registry.info(id);
    return info && ProjectHandle.#open(registry, info, folder, options);
  }

  /** The project of a folder, which becomes known if it was not; undefined where nothing is to be recorded. */
  static enter(folder: string, options: ProjectHandleOptions): ProjectHandle | undefined {
    const known = ProjectHandle.find(folder, options);
    if (known !== undefined) return known.isRecording() ? known : undefined;
    const config = loadConfig({ homeFile: join(options.home, 'config.json'), mode: 'lenient' });
    const path = realFolder(folder);
    const excluded = config.get('recording.excludedProjects');
    const place = findRepository(path)?.mainRoot ?? path;
    if (!config.get('recording.enabled') || excluded.includes(place)) return undefined;
    const registry = openRegistry(options, config);
    return ProjectHandle.#open(registry, registry.register(folder).info, folder, options);
  }

  /** Whether what happens here is written down. */
  isRecording(): boolean {
    const { projectPath, projectHash } = this.info;
    const excluded = this.config.get('recording.excludedProjects');
    return (
      this.config.get('recording.enabled') &&
      !excluded.includes(projectPath) &&
      !excluded.includes(projectHash)
    );
  }

  /** What recording and the guard need to know of it. */
  surroundings(): WarnerOptions {
    return {
      directory: this.directory,
      config: this.config,
      root: this.root,
      isRecording: () => this.isRecording(),
      now: this.#options.now,
      machine: readMachineState(this.root, this.#options.env.PATH),
      others: () => this.#others(),
      isShortLived: true,
    };
  }

  /** Changes what `index.json` says of the project. */
  updateInfo(patch: InfoPatch): void {
    this.#registry.updateInfo(this.info.projectHash, patch);
  }

  /** Notes that the project is worked on now, at most once an hour. */
  touch(): void {
    const now = this.#options.now();
    if (now - Date.parse(this.info.lastActiveAt) < HOUR_MS) return;
    this.updateInfo({ lastActiveAt: new Date(now).toISOString() });
  }

  /** The branch that is checked out; undefined where there is none. */
  branch(): string | undefined {
    if (this.#repository === undefined) return undefined;
    try {
      const head = readFileSync(join(this.#repository.gitDir, 'HEAD'), 'utf8');
      return /^ref: refs\/heads\/(.+?)\s*$/.exec(head)?.[1];
    } catch {
      return undefined;
    }
  }

  #others(): readonly { readonly name: string; readonly directory: string }[] {
    return this.#registry
      .list()
      .filter(({ projectHash }) => projectHash !== this.info.projectHash)
      .map(({ displayName, projectHash }) => ({
        name: displayName,
        directory: this.#registry.directory(projectHash),
      }))
      .filter(({ directory }) => hasRecords(directory));
  }

  static #open(
    registry: Registry,
    info: ProjectInfo,
    folder: string,
    options: ProjectHandleOptions,
  ): ProjectHandle {
    const directory = registry.directory(info.projectHash);
    const config = loadConfig({
      homeFile: join(options.home, 'config.json'),
      projectFile: join(directory, 'config.json'),
      mode: 'lenient',
    });
    return new ProjectHandle({ info, directory, registry, folder: realFolder(folder), config }, options);
  }
}

const HOUR_MS = 3_600_000;

interface Found {
  readonly info: ProjectInfo;
  readonly directory: string;
  readonly registry: Registry;
  /** As the agent named it. */
  readonly folder: string;
  readonly config: Config;
}

function openRegistry({ home, env, now }: ProjectHandleOptions, config?: Config): Registry {
  checkHomeFolder(home);
  return Registry.open(home, {
    git: gitRunner(env, { timeoutMs: GIT_MS }),
    storage: config?.get('storage') ?? 'home',
    gatheringFolders: [homedir(), tmpdir()],
    now,
  });
}
