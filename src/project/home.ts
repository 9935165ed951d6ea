import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { BackupReport, Progress } from '../backup/archive-format.ts';
import { backupHome } from '../backup/backup.ts';
import { restoreHome } from '../backup/restore.ts';
import { type Config, loadConfig, setSetting } from '../config/index.ts';
import { sizeOnDisk } from '../files/file-access.ts';
import type { HistoryIndex } from '../history/index.ts';
import { hasRecords } from '../log/index.ts';
import type { OtherProject } from '../memory/guard/check-call.ts';
import { blamedBy, type MachineState } from '../memory/index.ts';
import { PromptHistory } from '../prompts/index.ts';
import { type ProjectInfo, type SessionSummary, type Warning, YoreError } from '../record/index.ts';
import { readMachineState } from '../recording/machine-state.ts';
import { Spool } from '../recording/spool.ts';
import { canonicalFolder, checkHomeFolder, type Environment, homeFolder } from '../registry/folders.ts';
import { createGitRunner, findRepository } from '../registry/git-repository.ts';
import { Registry } from '../registry/registry.ts';
import {
  type CatchUpReport,
  type IndexState,
  type ProjectSource,
  type RecordCounts,
  type RecordedSession,
  SearchIndex,
  type SearchQuery,
  type SearchResult,
  type SessionFilter,
  type SessionPage,
} from '../search/index.ts';
import { checkHome, type Finding } from './check.ts';
import { countRecords } from './count-records.ts';
import { deleteAttempts, deleteSessions, type ForgetReport, findDoomed } from './forget.ts';
import { projectCalled, sessionCalled } from './names.ts';
import { Project } from './project.ts';

/** As long as another process that writes down what hooks have left is waited for, before something is forgotten. */
const DRAIN_MS = 2_000;

/** How {@link openHome} finds yore's home. */
export interface HomeOptions {
  /** Default: YORE_HOME of `env`, else `~/.yore`. */
  readonly home?: string;
  /** Default: empty, so that a library user's environment changes nothing unasked. */
  readonly env?: Environment;
  readonly now?: () => number;
  /** What can be seen of the machine from a checkout. Default: its files, its git folder and the PATH of `env`. */
  readonly machine?: (root: string) => MachineState;
  /**
   * Who brings the search index up to date: `here`, whenever something is read (default), or `elsewhere`, for a thread
   * that must not wait for it. Then what nobody has taken in by {@link Home.catchUp} yet may be missing from lists.
   */
  readonly indexing?: 'here' | 'elsewhere';
}

/** Sessions that a filter lets through. */
export interface SessionList {
  readonly sessions: readonly SessionSummary[];
  /** How many there are without the limit. */
  readonly total: number;
  readonly warnings: readonly Warning[];
}

/** What yore holds. */
export interface HomeStatus extends RecordCounts {
  readonly projects: number;
  readonly bytesOnDisk: number;
  readonly indexBytes: number;
  readonly indexState: IndexState;
}

/**
 * Opens yore's home, and writes down what hooks have left to be analysed. Nothing is created until something is recorded.
 * Throws NOT_OWNED, STORAGE or CONFIG when the home is not usable.
 */
export function openHome(options: HomeOptions = {}): Home {
  const environment = options.env ?? {};
  const path = homeFolder(options.home, environment);
  checkHomeFolder(path);
  const home = new Home(path, environment, options);
  home.drain();
  return home;
}

/** Opens the project of a folder, which becomes known if it was not. */
export function openProject(folder: string, options: HomeOptions = {}): Project {
  return openHome(options).openProject(folder);
}

/** yore's home: all projects, the search over them, settings and prompt history. */
export class Home {
  readonly path: string;
  /** The environment it was opened with. */
  readonly env: Environment;
  readonly configFile: string;
  /** The settings of the home, without those of a project. */
  readonly config: Config;
  readonly prompts: PromptHistory;
  readonly #now: () => number;
  readonly #registry: Registry;
  readonly #index: SearchIndex;
  readonly #world: (root: string) => MachineState;
  readonly #isIndexing: boolean;

  constructor(path: string, environment: Environment, options: HomeOptions) {
    const { now = Date.now, machine: world, indexing = 'here' } = options;
    this.path = path;
    this.env = environment;
    this.#world = world ?? ((root) => readMachineState(root, environment.PATH));
    this.#now = now;
    this.#isIndexing = indexing === 'here';
    this.configFile = join(path, 'config.json');
    this.config = loadConfig({ homeFile: this.configFile });
    this.prompts = new PromptHistory(join(path, 'prompts.json'), now);
    this.#registry = Registry.open(path, {
      git: createGitRunner(environment),
      storage: this.config.get('storage'),
      multiProjectFolders: [homedir(), tmpdir()],
      now,
    });
    this.#index = SearchIndex.open(path);
  }

  /** The projects that hold anything, most recently active first. */
  projects(): readonly ProjectInfo[] {
    return this.#registry.list().filter((info) => hasRecords(this.#registry.directory(info.projectHash)));
  }

  /** What is known of a project; undefined when there is none of that id. */
  projectInfo(id: string): ProjectInfo | undefined {
    return this.#registry.info(id);
  }

  /** The project of a folder, if it is known. Never writes. */
  findProject(folder: string): Project | undefined {
    const id = this.#registry.lookup(folder);
    const info = id === undefined ? undefined : this.#registry.info(id);
    return info && this.#project(info);
  }

  /** The project of a folder, which becomes known if it was not. */
  openProject(folder: string): Project {
    return this.#project(this.#registry.register(folder).info);
  }

  /** A project by id, beginning of an id, name or folder. Throws NOT_FOUND, or USAGE when several fit. */
  projectNamed(name: string): Project {
    return this.#project(projectCalled(name, this.projects()));
  }

  /** Searches all sessions, or those of `query.projects`. The index is brought up to date first. */
  search(query: SearchQuery, onProgress?: Progress): SearchResult {
    return this.#upToDate(onProgress).search(query);
  }

  /** Sessions, most recently active first. */
  listSessions(filter: SessionFilter = {}, onProgress?: Progress): SessionList {
    const index = this.#upToDate(onProgress);
    return { ...index.listSessions(filter), warnings: index.warnings() };
  }

  /** Whether the index has all that was recorded. Writes nothing. */
  isIndexed(): boolean {
    const sources = this.#sources();
    const isComplete = this.#index.look(sources);
    return isComplete && sources.every(({ directory }) => new Spool(directory).isEmpty());
  }

  /** Sessions as the index has them now, whether or not it is behind. Undefined when there is none to be had. */
  knownSessions(filter: SessionFilter = {}): SessionPage | undefined {
    return this.#index.knownSessions(filter);
  }

  /** What the index says of some sessions, in any order; nothing of those that it does not know. */
  sessionsNamed(
    wanted: readonly { readonly project: string; readonly sessionId: string }[],
  ): readonly SessionSummary[] {
    return this.#index.sessionsNamed(wanted);
  }

  /** The session with this id, or the only one whose id begins so. Throws NOT_FOUND, or USAGE when several do. */
  findSession(id: string): { readonly project: Project; readonly sessionId: string } {
    const found = id === '' ? [] : this.#upToDate().findSessions(id);
    const { project, sessionId } = sessionCalled(id, found);
    return { project: this.projectNamed(project), sessionId };
  }

  /** Counts and sizes, of one project or of all. Does not repair or update anything. */
  status(project?: Project): HomeStatus {
    const sources = this.#sources();
    const { state, bytes } = this.#index.state(sources);
    const counted = state === 'ready' ? this.#index.counts(project?.info.projectHash) : undefined;
    return {
      ...(counted ?? countRecords(project ? [project.directory] : sources.map(({ directory }) => directory))),
      projects: this.projects().length,
      bytesOnDisk: sizeOnDisk(project?.directory ?? this.path),
      indexBytes: bytes,
      indexState: state,
    };
  }

  /**
   * Writes down what hooks have left to be analysed, in all projects. Costs a look at each when there is nothing. Never
   * throws; any number of processes and threads may do it at once.
   */
  drain(): void {
    this.#drain(this.#sources());
  }

  /** Takes into the index what the logs have gained. */
  catchUp(onProgress?: Progress): CatchUpReport {
    const sources = this.#sources();
    this.#drain(sources);
    return this.#index.catchUp(sources, onProgress ? { onProgress } : {});
  }

  /**
   * What was recorded of a session as of the last {@link catchUp}: for a job that writes much and must not wait for the
   * index each time. Undefined when the index cannot say.
   */
  recordedSession(project: Project, sessionId: string): RecordedSession | undefined {
    return this.#index.recordedSession(project.info.projectHash, sessionId);
  }

  /** Notes when a project was worked on, both ISO 8601. Of a project that became known just now, that is all there is. */
  noteActivity(
    project: Project,
    { first, last, isNew }: { readonly first: string; readonly last: string; readonly isNew: boolean },
  ): void {
    const known = this.#registry.info(project.info.projectHash);
    if (known === undefined) return;
    const firstSeen = first < known.firstSeen ? first : known.firstSeen;
    const lastActiveAt = isNew || last > known.lastActiveAt ? last : known.lastActiveAt;
    if (firstSeen === known.firstSeen && lastActiveAt === known.lastActiveAt) return;
    this.#registry.updateInfo(project.info.projectHash, { firstSeen, lastActiveAt });
  }

  /** Makes the index anew. */
  reindex(onProgress?: Progress): CatchUpReport & { readonly warnings: readonly Warning[] } {
    const report = this.#index.rebuild(this.#sources(), onProgress ? { onProgress } : {});
    return { ...report, warnings: this.#index.warnings() };
  }

  /** Deletes a session for good, from logs, images, prompts and index. Throws NOT_FOUND. */
  forgetSession(project: Project, sessionId: string): ForgetReport {
    return this.#forget(project, sessionId);
  }

  /** Deletes everything of a project for good. Only the ids of its sessions stay, so that they are not imported again. */
  forgetProject(project: Project): ForgetReport {
    return this.#forget(project, undefined);
  }

  /**
   * Deletes the attempts behind a remembered failure or a note, by its id, and all that was made of them. The sessions
   * themselves stay. Throws NOT_FOUND.
   */
  forgetPattern(project: Project, id: string): ForgetReport {
    const key = project.memory.findKey(id);
    const { attempts, bytes } = deleteAttempts(
      project.directory,
      (attempt) => attempt.id === id || (key !== undefined && blamedBy(attempt).includes(key)),
      key,
    );
    if (attempts === 0) {
      throw new YoreError('NOT_FOUND', `There is no failure or note ${id}. \`yore failures\` lists them.`);
    }
    project.memory.reset();
    this.#registry.updateInfo(project.info.projectHash, { generation: project.info.generation + 1 });
    this.#purge();
    return { sessions: 0, messages: 0, attempts, images: 0, prompts: 0, bytes };
  }

  /** The top folder of the checkout that a folder is in; the folder itself where there is no repository. */
  checkoutOf(folder: string): string {
    const path = canonicalFolder(folder);
    return findRepository(path)?.root ?? this.findProject(folder)?.info.projectPath ?? path;
  }

  /** Writes everything that cannot be made anew into one file. */
  backup(file: string, onProgress?: Progress): Promise<BackupReport> {
    this.drain();
    return backupHome(this.path, file, onProgress);
  }

  /** Brings back a backup. Refuses when the home holds something, unless it is to be replaced. */
  restore(
    file: string,
    options: { readonly replace?: boolean } = {},
    onProgress?: Progress,
  ): Promise<BackupReport> {
    this.close();
    return restoreHome(file, this.path, { ...options, ...(onProgress ? { onProgress } : {}) });
  }

  /** Stops recording in all projects, or goes on in all that are not paused on their own. */
  setRecording(on: boolean): void {
    setSetting(this.configFile, 'recording.enabled', String(on));
    if (on) return;
    // A project that was resumed on its own would go on: everywhere means everywhere.
    for (const info of this.#registry.list()) {
      const project = this.#project(info);
      if (project.isRecording()) project.setRecording(false);
    }
  }

  /** What works and what does not, and how to repair it. Repairs nothing. */
  check(): readonly Finding[] {
    return checkHome(this.path, {
      index: this.#index,
      sources: this.#sources(),
      recording: this.config.get('recording.enabled'),
      warnings: [...this.#registry.warnings, ...this.prompts.warnings],
    });
  }

  /** Lets go of the index. The home can be used again afterwards. */
  close(): void {
    this.#index.close();
  }

  #project(info: ProjectInfo): Project {
    return new Project(info, this.#registry.directory(info.projectHash), {
      homeConfigFile: this.configFile,
      now: this.#now,
      index: this.#historyIndex(info.projectHash),
      machine: this.#world,
      updateInfo: (patch) => void this.#registry.updateInfo(info.projectHash, patch),
      otherProjects: () => this.#otherProjects(info.projectHash),
    });
  }

  #otherProjects(project: string): readonly OtherProject[] {
    return this.projects()
      .filter(({ projectHash }) => projectHash !== project)
      .map(({ displayName, projectHash }) => ({
        name: displayName,
        directory: this.#registry.directory(projectHash),
      }));
  }

  #historyIndex(project: string): HistoryIndex {
    return {
      listSessions: (limit = Number.MAX_SAFE_INTEGER) =>
        this.#upToDate().listSessions({ projects: [project], limit }).sessions,
      readSession: (sessionId) => this.#upToDate().readSession(project, sessionId),
      problems: () =>
        this.#index.problems().filter(({ path }) => dirname(path) === this.#registry.directory(project)),
    };
  }

  #upToDate(onProgress?: Progress): SearchIndex {
    if (this.#isIndexing) this.catchUp(onProgress);
    else this.isIndexed();
    return this.#index;
  }

  /** Nothing of what was deleted is left in the index, whoever brings it up to date. */
  #purge(): void {
    this.catchUp();
    this.#index.purge();
  }

  #drain(sources: readonly ProjectSource[]): void {
    for (const { id, directory } of sources) {
      const info = new Spool(directory).isEmpty() ? undefined : this.#registry.info(id);
      if (info !== undefined) this.#project(info).drain();
    }
  }

  #sources(): readonly ProjectSource[] {
    return [...this.#registry.directories()].map(([id, directory]) => ({ id, directory }));
  }

  #forget(project: Project, sessionId: string | undefined): ForgetReport {
    project.drain(DRAIN_MS);
    const doomed = findDoomed(project.directory, sessionId);
    const { sessionIds, prompts, messages, attempts } = doomed;
    if (sessionIds.size === 0) {
      throw new YoreError(
        'NOT_FOUND',
        sessionId === undefined
          ? `Nothing is kept of ${project.info.displayName}.`
          : `There is no session ${sessionId} in ${project.info.displayName}. \`yore sessions\` lists them.`,
      );
    }
    const id = project.info.projectHash;
    const deleted = deleteSessions(project.directory, doomed, this.#now());
    const forgottenPrompts = this.prompts.forget(
      sessionId === undefined ? { project: id } : { project: id, texts: prompts },
    );
    this.#registry.updateInfo(id, { generation: project.info.generation + 1 });
    this.#purge();
    return { sessions: sessionIds.size, messages, attempts, prompts: forgottenPrompts, ...deleted };
  }
}
