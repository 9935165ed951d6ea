import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MachineState } from '../ask/guard/candidates.ts';
import type { Guard } from '../ask/guard/guard.ts';
import type { GuardContext, OtherProject } from '../ask/guard/guard-options.ts';
import { type Config, loadConfig } from '../config/config.ts';
import { tryReadText } from '../files/file-access.ts';
import { hasRecords } from '../log/segments.ts';
import type { ProjectInfo } from '../record/project-info.ts';
import { canonicalFolder, checkHomeFolder, type Environment, userHomeFolder } from '../registry/folders.ts';
import { createGitRunner, findRepository, type Repository } from '../registry/git-repository.ts';
import { projectConfigFile } from '../registry/project-file.ts';
import { type InfoPatch, Registry } from '../registry/registry.ts';
import type { RowSource } from '../store/project-rows.ts';
import { Checkouts } from './checkout.ts';
import { readMachineState } from './machine-state.ts';
import type { RecorderOptions } from './recorder.ts';
import { SessionRequests } from './session-requests.ts';

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

  /** The guard in a folder without a project; undefined if failures of other projects are not to be told. Writes nothing. */
  static async unrecordedGuard(folder: string, options: ProjectHandleOptions): Promise<Guard | undefined> {
    const config = loadConfig({ homeFile: join(options.home, 'config.json'), mode: 'lenient' });
    if (!config.get('retrieval.crossProject')) return undefined;
    const registry = openRegistry(options, config);
    const rows = await openRows(UNRECORDED, registry.directory(UNRECORDED), { ...options, isCurrent: false });
    const machine = (root: string): MachineState => readMachineState(root, options.env);
    const context = describeUnrecorded(folder, { registry, config, machine, now: options.now });
    return await openGuard(rows, config, context);
  }

  isRecording(): boolean {
    return isRecordingEnabled(this.config, this.info);
  }

  /** The options of a recorder for this project; `isAwaited` where an agent waits for it. */
  recorderOptions(isAwaited = false): RecorderOptions {
    const { directory, config, root } = this;
    const { now, env } = this.#options;
    const options = { directory, config, root, isRecording: () => this.isRecording(), now, isShortLived: true };
    return isAwaited
      ? options
      : { ...options, checkouts: new Checkouts(createGitRunner(env, { timeoutMs: GIT_TIMEOUT_MS })) };
  }

  /**
   * What is known of the project as of the last catch-up, as far as it can be read at once; `isCurrent`: also what has been
   * recorded since. The code for that is loaded only now.
   */
  rows({ isCurrent = false }: { readonly isCurrent?: boolean } = {}): Promise<RowSource> {
    return openRows(this.info.projectHash, this.directory, { ...this.#options, isCurrent });
  }

  /** The guard over {@link rows}. */
  async guard(options: { readonly isCurrent?: boolean } = {}): Promise<Guard> {
    const { root, directory, config } = this;
    const { now, env } = this.#options;
    return await openGuard(await this.rows(options), config, {
      ...{ root, now, machine: readMachineState(root, env) },
      isRecording: () => this.isRecording(),
      otherProjects: () => listOtherProjects(this.#registry, this.info.projectHash),
      request: (sessionId) => new SessionRequests(directory).get(sessionId),
    });
  }

  /** Drains the spool as far as there is time, and reports errors instead of throwing them. The code for that is loaded only now. */
  async drainSpool(hook: {
    readonly onProblem: (problem: unknown) => void;
    readonly timeLeft: () => number;
  }): Promise<void> {
    const { tryDrainSpool } = await import('./drain-spool.ts');
    tryDrainSpool(this.recorderOptions(true), hook);
  }

  /** Brings the rows of the project up to date, as far as there is time. The code for that is loaded only now. */
  async catchUp(timeLeft: () => number): Promise<void> {
    const { tryCatchUp } = await import('../store/catch-up.ts');
    const { home, now } = this.#options;
    const source = { id: this.info.projectHash, directory: this.directory };
    tryCatchUp(home, source, { now, isOver: () => timeLeft() < 0 });
  }

  /** Archives old failures and writes what is known of the project to its files. The code for that is loaded only now. */
  async maintain(): Promise<void> {
    const { maintainProject } = await import('./maintain.ts');
    const { info, directory } = this;
    const { now } = this.#options;
    maintainProject({ info, directory, rows: await this.rows(), now, updateInfo: (found) => this.updateInfo(found) });
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

async function openRows(
  id: string,
  directory: string,
  { home, now, isCurrent }: ProjectHandleOptions & { readonly isCurrent: boolean },
): Promise<RowSource> {
  const { OverlaidStore } = await import('../store/overlay.ts');
  const options = { home, project: { id, directory }, now };
  if (!isCurrent) return new OverlaidStore(options);
  const { pendingCalls } = await import('./pending-calls.ts');
  return new OverlaidStore({ ...options, pending: () => pendingCalls(directory) });
}

async function openGuard(rows: RowSource, config: Config, context: GuardContext): Promise<Guard> {
  const { Guard } = await import('../ask/guard/guard.ts');
  const { readGuardOptions } = await import('../ask/guard/guard-options.ts');
  return new Guard(rows, readGuardOptions(config, context));
}

/** The projects with records other than the one with this id, most recently active first. */
export function listOtherProjects(registry: Registry, id: string): readonly OtherProject[] {
  return registry
    .list()
    .filter(({ projectHash }) => projectHash !== id && hasRecords(registry.directory(projectHash)))
    .map(({ projectHash, displayName }) => ({
      id: projectHash,
      name: displayName,
      directory: registry.directory(projectHash),
    }));
}

/** Stands for the id of the project where there is none. */
export const UNRECORDED = 'unrecorded';

/** Describes a folder without a project to a guard, which can know only failures of other projects there. */
export function describeUnrecorded(
  folder: string,
  context: {
    readonly registry: Registry;
    readonly config: Config;
    readonly machine: (root: string) => MachineState;
    readonly now: () => number;
  },
): GuardContext {
  const { registry, config, machine, now } = context;
  const path = canonicalFolder(folder);
  const repository = findRepository(path);
  const root = repository?.root ?? path;
  return {
    ...{ root, now, machine: machine(root) },
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
