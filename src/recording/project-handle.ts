import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, loadConfig } from '../config/config.ts';
import { tryReadText } from '../files/file-access.ts';
import { hasRecords } from '../log/segments.ts';
import type { MachineState } from '../ask/guard/candidates.ts';
import type { OtherProject } from '../ask/guard/check-call.ts';
import type { ProjectInfo } from '../record/project-info.ts';
import { canonicalFolder, checkHomeFolder, type Environment, userHomeFolder } from '../registry/folders.ts';
import { createGitRunner, findRepository, type Repository } from '../registry/git-repository.ts';
import { projectConfigFile } from '../registry/project-file.ts';
import { type InfoPatch, Registry } from '../registry/registry.ts';
import { readMachineState } from './machine-state.ts';
import type { RecorderOptions } from './recorder.ts';

/** What {@link ProjectHandle} needs to know. */
export interface ProjectHandleOptions {
  /** yore's home. */
  readonly home: string;
  readonly env: Environment;
  readonly now: () => number;
}

/** Git is run once for a new repository, and an agent waits for it. */
const GIT_TIMEOUT_MS = 2_000;
const HOUR_MS = 3_600_000;

/**
 * A project as hooks see it: which one it is, where its logs are, and its settings. Opening it loads neither the guard
 * nor the recorder, and never the search index. Wrong settings are warnings, and their defaults apply.
 */
export class ProjectHandle {
  readonly info: ProjectInfo;
  /** The folder that holds the project's logs. */
  readonly directory: string;
  /** The root of the current checkout. */
  readonly root: string;
  readonly config: Config;
  readonly #options: ProjectHandleOptions;
  readonly #registry: Registry;
  readonly #repository: Repository | undefined;

  private constructor(registry: Registry, info: ProjectInfo, folder: string, options: ProjectHandleOptions) {
    this.info = info;
    this.directory = registry.directory(info.projectHash);
    this.config = loadConfig({
      homeFile: join(options.home, 'config.json'),
      projectFile: projectConfigFile(options.home, info.projectHash),
      mode: 'lenient',
    });
    this.#options = options;
    this.#registry = registry;
    this.#repository = findRepository(canonicalFolder(folder));
    this.root = this.#repository?.root ?? info.projectPath;
  }

  /** The project of a folder, if it is known. Writes nothing. Throws YoreError for an unusable home. */
  static find(folder: string, options: ProjectHandleOptions): ProjectHandle | undefined {
    const registry = openRegistry(options);
    const id = registry.lookup(folder);
    const info = id === undefined ? undefined : registry.info(id);
    return info && new ProjectHandle(registry, info, folder, options);
  }

  /** The project of a folder, registered if it is new; undefined when nothing may be recorded in it. */
  static enter(folder: string, options: ProjectHandleOptions): ProjectHandle | undefined {
    const known = ProjectHandle.find(folder, options);
    if (known !== undefined) return known.isRecording() ? known : undefined;
    const config = loadConfig({ homeFile: join(options.home, 'config.json'), mode: 'lenient' });
    const path = canonicalFolder(folder);
    const projectPath = findRepository(path)?.mainRoot ?? path;
    if (!isRecordingEnabled(config, { projectPath })) return undefined;
    const registry = openRegistry(options, config);
    // A new checkout of a known project has that project's settings.
    const entered = new ProjectHandle(registry, registry.register(folder).info, folder, options);
    return entered.isRecording() ? entered : undefined;
  }

  /** What the guard is told in a folder without a project. Writes nothing. */
  static describeUnrecorded(folder: string, options: ProjectHandleOptions): UnrecordedFolder {
    const config = loadConfig({ homeFile: join(options.home, 'config.json'), mode: 'lenient' });
    const machine = (root: string): MachineState => readMachineState(root, options.env);
    return describeUnrecorded(folder, { registry: openRegistry(options, config), config, machine, now: options.now });
  }

  isRecording(): boolean {
    return isRecordingEnabled(this.config, this.info);
  }

  /** The options of a recorder for this project, and of its guard. */
  recorderOptions(): RecorderOptions {
    return {
      directory: this.directory,
      config: this.config,
      root: this.root,
      isRecording: () => this.isRecording(),
      now: this.#options.now,
      machine: readMachineState(this.root, this.#options.env),
      otherProjects: () => listOtherProjects(this.#registry, this.info.projectHash),
      isShortLived: true,
    };
  }

  /** Drains the spool as far as there is time, and reports errors instead of throwing them. The code for that is loaded only now. */
  async drainSpool(hook: {
    readonly onProblem: (problem: unknown) => void;
    readonly timeLeft: () => number;
  }): Promise<void> {
    const { tryDrainSpool } = await import('./drain-spool.ts');
    tryDrainSpool(this.recorderOptions(), hook);
  }

  /** Changes the project's `index.json`. */
  updateInfo(patch: InfoPatch): void {
    this.#registry.updateInfo(this.info.projectHash, patch);
  }

  /** Records that the project is in use, at most once an hour. */
  touch(): void {
    const now = this.#options.now();
    // A time in the future is from when the clock was ahead.
    if (Math.abs(now - Date.parse(this.info.lastActiveAt)) < HOUR_MS) return;
    this.updateInfo({ lastActiveAt: new Date(now).toISOString() });
  }

  /** The current branch; undefined without one. */
  branch(): string | undefined {
    const head = this.#repository && tryReadText(join(this.#repository.gitDir, 'HEAD'));
    return /^ref: refs\/heads\/(.+?)\s*$/.exec(head ?? '')?.[1];
  }
}

/** The projects with records other than the one with this id, most recently active first. */
export function listOtherProjects(registry: Registry, id: string): readonly OtherProject[] {
  return registry
    .list()
    .filter(({ projectHash }) => projectHash !== id)
    .map((info) => ({ name: info.displayName, directory: registry.directory(info.projectHash) }))
    .filter(({ directory }) => hasRecords(directory));
}

/** A folder without a project, as the guard needs to know it. */
export type UnrecordedFolder = Pick<
  RecorderOptions,
  'config' | 'root' | 'isRecording' | 'now' | 'machine' | 'otherProjects' | 'directory'
>;

/** Describes a folder without a project, in which only failures of other projects can be known. */
export function describeUnrecorded(
  folder: string,
  context: {
    readonly registry: Registry;
    readonly config: Config;
    readonly machine: (root: string) => MachineState;
    readonly now: () => number;
  },
): UnrecordedFolder {
  const { registry, config, machine, now } = context;
  const path = canonicalFolder(folder);
  const repository = findRepository(path);
  const root = repository?.root ?? path;
  return {
    // Does not exist, and is not created: nothing is recorded there.
    directory: registry.directory('unrecorded'),
    ...{ config, root, now, machine: machine(root) },
    isRecording: () => isRecordingEnabled(config, { projectPath: repository?.mainRoot ?? path }),
    otherProjects: () => listOtherProjects(registry, ''),
  };
}

/** Whether the settings allow recording in a project: the only place that decides. Undefined hash: it is not known yet. */
export function isRecordingEnabled(
  config: Config,
  { projectPath, projectHash }: Pick<ProjectInfo, 'projectPath'> & Partial<Pick<ProjectInfo, 'projectHash'>>,
): boolean {
  const excluded = config.get('recording.excludedProjects').map((name) => name.replace(/(?<=.)[\\/]+$/, ''));
  return config.get('recording.enabled') && !excluded.some((name) => name === projectPath || name === projectHash);
}

function openRegistry({ home, env, now }: ProjectHandleOptions, config?: Config): Registry {
  checkHomeFolder(home);
  const git = createGitRunner(env, { timeoutMs: GIT_TIMEOUT_MS });
  const storage = config?.get('storage') ?? 'home';
  return Registry.open(home, { git, storage, multiProjectFolders: [userHomeFolder(), tmpdir()], now });
}
