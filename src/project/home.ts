import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { MachineState } from '../ask/guard/candidates.ts';
import { Guard } from '../ask/guard/guard.ts';
import { readGuardOptions } from '../ask/guard/guard-options.ts';
import type { FailureWarning } from '../ask/guard/warning.ts';
import type { BackupReport } from '../backup/archive-format.ts';
import { backupHome } from '../backup/backup.ts';
import { restoreHome } from '../backup/restore.ts';
import { type Config, loadConfig, setSetting } from '../config/index.ts';
import type { ToolCall } from '../facts/call/tool-call.ts';
import { removeAbandonedFiles } from '../files/abandoned-files.ts';
import { type Progress, sizeOnDisk } from '../files/file-access.ts';
import { type HistoryIndex, PriceTable } from '../history/index.ts';
import { hasRecords } from '../log/index.ts';
import { OfferedPrompts, PromptHistory } from '../prompts/index.ts';
import { type Diagnostic, omitUndefined, type ProjectInfo } from '../record/index.ts';
import { Checkouts } from '../recording/checkout.ts';
import { readMachineState } from '../recording/machine-state.ts';
import { describeUnrecorded, listOtherProjects, UNRECORDED } from '../recording/project-handle.ts';
import { Spool } from '../recording/spool.ts';
import { canonicalFolder, type Environment, userHomeFolder } from '../registry/folders.ts';
import { createGitRunner, findRepository } from '../registry/git-repository.ts';
import { projectConfigFile } from '../registry/project-file.ts';
import { type Activity, Registry } from '../registry/registry.ts';
import {
  type CatchUpReport,
  type ProjectSource,
  type RecordedSession,
  SearchIndex,
  type SearchQuery,
  type SearchResult,
  type SessionFilter,
  type SessionPage,
} from '../search/index.ts';
import type { RowSource } from '../store/project-rows.ts';
import { latestActivity, uniquePrefixLength } from '../store/sessions.ts';
import { compareText } from '../text/compare-text.ts';
import { Deletions, type InterruptedDeletion, type SessionDeletion } from './deletions.ts';
import { Embeddings } from './embeddings.ts';
import { FileHistory } from './file-history.ts';
import type { ForgetReport } from './forget.ts';
import { checkHome, countLogRecords, type HealthFinding, type HomeStatus } from './health.ts';
import { Project } from './project.ts';
import { applyTypedFilters } from './typed-filters.ts';
import { reportUsage, sumUsage, type UsageQuery, type UsageReport, type UsageSums, usageOf } from './usage.ts';
import { findProjectByName, findSessionById } from './user-input.ts';

/** Session ids are shortened to no less than this. */
const MIN_SHORT_ID = 8;

/** How a home is opened. */
export interface HomeOptions {
  /** Default: YORE_HOME of `env`, else `~/.yore`. */
  readonly home?: string;
  /** Environment variables. Default: none, so that a library does not depend on `process.env`. */
  readonly env?: Environment;
  readonly now?: () => number;
  /** The state of the machine as seen from a checkout. Default: what can be seen of it with `env`. */
  readonly machine?: (root: string) => MachineState;
  /**
   * Who updates the search index: `here`, before each read (default), or `elsewhere`, for a thread that must not wait
   * for it. Then lists may lack records until {@link Home.catchUp} was called elsewhere.
   */
  readonly indexing?: 'here' | 'elsewhere';
}

/** The sessions that match a filter. */
export interface ListedSessions extends SessionPage {
  readonly warnings: readonly Diagnostic[];
}

/** yore's home: all projects, the search over them, settings and prompt history. */
export class Home {
  readonly path: string;
  /** The environment variables that it was opened with. */
  readonly env: Environment;
  readonly configFile: string;
  /** The settings of the home, without those of projects. */
  readonly config: Config;
  readonly prompts: PromptHistory;
  /** Lets {@link search} compare meanings, if an embedder is set: `home.search(await home.embeddings.embedQuery(query))`. */
  readonly embeddings: Embeddings;
  /** Which sessions changed which files and lines. */
  readonly files: FileHistory;
  /** For estimates of what replies cost. */
  readonly prices: PriceTable;
  readonly #now: () => number;
  readonly #registry: Registry;
  readonly #index: SearchIndex;
  readonly #machine: (root: string) => MachineState;
  readonly #isIndexing: boolean;
  readonly #deletions: Deletions;
  readonly #checkouts: Checkouts;

  constructor(path: string, environment: Environment, options: HomeOptions) {
    const { now = Date.now, machine, indexing = 'here' } = options;
    this.path = path;
    this.env = environment;
    this.#machine = machine ?? ((root) => readMachineState(root, environment));
    this.#now = now;
    this.#isIndexing = indexing === 'here';
    this.configFile = join(path, 'config.json');
    this.config = loadConfig({ homeFile: this.configFile });
    this.prices = new PriceTable(this.config.get('usage.prices'));
    this.prompts = new PromptHistory(join(path, 'prompts.json'), now);
    const git = createGitRunner(environment);
    this.#registry = Registry.open(path, {
      git,
      storage: this.config.get('storage'),
      multiProjectFolders: [userHomeFolder(), tmpdir()],
      now,
    });
    this.#index = SearchIndex.open(path);
    this.embeddings = new Embeddings({ configFile: this.configFile, env: environment, index: this.#index, now });
    this.files = new FileHistory({ index: () => this.#updatedIndex(), runGit: git, now });
    this.#checkouts = new Checkouts(git);
    this.#deletions = new Deletions(path, {
      registry: this.#registry,
      index: this.#index,
      prompts: this.prompts,
      now,
      sources: () => this.#sources(),
      openProject: (info) => this.#project(info),
      catchUp: () => this.catchUp(),
    });
  }

  /** The projects with records, most recently used first. */
  projects(): readonly ProjectInfo[] {
    return this.#registry.list().filter((info) => hasRecords(this.#registry.directory(info.projectHash)));
  }

  /** The same, by their latest record as far as the index knows it. */
  projectsByActivity(): readonly ProjectInfo[] {
    const activity = this.#index.read(latestActivity);
    return this.projects()
      .map((info) => ({ ...info, lastActiveAt: activity?.get(info.projectHash) || info.lastActiveAt }))
      .sort((a, b) => compareText(b.lastActiveAt, a.lastActiveAt));
  }

  /** All projects, also those without records. */
  allProjects(): readonly Project[] {
    return this.#registry.list().map((info) => this.#project(info));
  }

  /** The info of a project; undefined for an unknown id. */
  projectInfo(id: string): ProjectInfo | undefined {
    return this.#registry.info(id);
  }

  /** The project of a folder, if it is known. Never writes. */
  findProject(folder: string): Project | undefined {
    const id = this.#registry.lookup(folder);
    const info = id === undefined ? undefined : this.#registry.info(id);
    return info && this.#project(info);
  }

  /**
   * The project of a folder, which is registered if it is unknown. `remote`: the URL of the git remote that the folder had,
   * by which a repository is recognised whose folder no longer exists.
   */
  openProject(folder: string, options: { readonly remote?: string } = {}): Project {
    return this.#project(this.#registry.register(folder, options.remote).info);
  }

  /** A project by id, prefix of an id, name or folder. Throws NOT_FOUND, or USAGE when several match. */
  findProjectByName(name: string): Project {
    return this.#project(findProjectByName(name, this.projects()));
  }

  /** The prompt history as views show it, limited by `prompts.size`: prompts of the project first, or `only` those. */
  offeredPrompts(project?: Project, options: { readonly only?: boolean } = {}): OfferedPrompts {
    const size = (project ?? this).config.get('prompts.size');
    return new OfferedPrompts(this.prompts, {
      ...options,
      size,
      ...omitUndefined({ project: project?.info.projectHash }),
    });
  }

  /** Searches all sessions, or those of `query.projects`. The text may have filters: `branch:main`. Updates the index first. */
  search(query: SearchQuery, onProgress?: Progress): SearchResult {
    const index = this.#updatedIndex(onProgress);
    return index.search(
      applyTypedFilters(query, {
        projects: () => this.projects(),
        findSessions: (prefix) => index.findSessions(prefix),
        now: this.#now(),
      }),
    );
  }

  /** Sessions, most recently active first. */
  listSessions(filter: SessionFilter = {}, onProgress?: Progress): ListedSessions {
    const index = this.#updatedIndex(onProgress);
    return { ...index.listSessions(filter), warnings: index.diagnostics() };
  }

  /** Whether the index is up to date. Writes nothing. */
  isIndexed(): boolean {
    const sources = this.#sources();
    const isComplete = this.#index.selectProjects(sources);
    return isComplete && sources.every(({ directory }) => new Spool(directory).isEmpty());
  }

  /** Sessions from the index without updating it. Undefined when there is no usable index. */
  indexedSessions(filter: SessionFilter = {}): SessionPage | undefined {
    return this.#index.listIndexedSessions(filter);
  }

  /** Counts of sessions, and sessions by title or id, as far as they are indexed. */
  get indexed(): Pick<SearchIndex, 'countByProject' | 'countByChoice' | 'findSessionsByTitle' | 'findSessionsById'> {
    return this.#index;
  }

  /** A session by id or by the prefix of one. Throws NOT_FOUND, or USAGE when several match. */
  findSession(id: string): { readonly project: Project; readonly sessionId: string } {
    const found = id === '' ? [] : this.#updatedIndex().findSessions(id);
    const { project, sessionId } = findSessionById(id, found);
    return { project: this.findProjectByName(project), sessionId };
  }

  /**
   * A session's id cut to what {@link findSession} needs to find it, at least eight characters. The whole id when there is
   * no usable index. Does not update the index.
   */
  shortenSessionId(id: string): string {
    const length = this.#index.read((each) => uniquePrefixLength(each, id)) ?? id.length;
    return id.slice(0, Math.max(MIN_SHORT_ID, length));
  }

  /** What sessions used and cost, by day, model, agent, project and session. Throws STORAGE without a usable index. */
  usage(query: UsageQuery = {}, onProgress?: Progress): UsageReport {
    return reportUsage(this.#updatedIndex(onProgress), this.prices, query);
  }

  /** What one session used and cost, as {@link usage} lists it. Throws STORAGE without a usable index. */
  sessionUsage(project: Project, sessionId: string): UsageSums {
    return sumUsage(usageOf(this.#updatedIndex(), { projects: [project.info.projectHash], sessionId }), this.prices);
  }

  /** Counts and sizes of one project or of all. Changes nothing. */
  status(project?: Project): HomeStatus {
    const sources = this.#sources();
    const { state, bytes } = this.#index.state(sources);
    const counts = state === 'ready' ? this.#index.counts(project?.info.projectHash) : undefined;
    return {
      ...(counts ?? countLogRecords(project ? [project.directory] : sources.map(({ directory }) => directory))),
      projects: this.projects().length,
      bytesOnDisk: sizeOnDisk(project?.directory ?? this.path),
      indexBytes: bytes,
      indexState: state,
    };
  }

  /** Drains the spools of all projects. Cheap when they are empty. Never throws, and is safe for concurrent callers. */
  drain(): void {
    this.#drain(this.#sources());
  }

  /** Finishes deletions that were interrupted, e.g. because the process was killed. Cheap when there is none. Never throws. */
  finishDeletions(): void {
    this.#deletions.finish();
  }

  /** The deletions that {@link finishDeletions} found, and what became of them. */
  get interruptedDeletions(): readonly InterruptedDeletion[] {
    return this.#deletions.interrupted;
  }

  /** Updates the index from the logs. */
  catchUp(onProgress?: Progress): CatchUpReport {
    const sources = this.#sources();
    this.#drain(sources);
    return this.#index.catchUp(sources, omitUndefined({ onProgress }));
  }

  /** The records of a session as of the last {@link catchUp}, without updating the index. Undefined without an index. */
  recordedSession(project: Project, sessionId: string): RecordedSession | undefined {
    return this.#index.recordedSession(project.info.projectHash, sessionId);
  }

  /** Records when a project was active (ISO 8601). For a new project, `last` replaces the time of its registration. */
  noteActivity(project: Project, activity: Activity): void {
    this.#registry.noteActivity(project.info.projectHash, activity);
  }

  /** Rebuilds the index. */
  reindex(onProgress?: Progress): CatchUpReport & { readonly warnings: readonly Diagnostic[] } {
    removeAbandonedFiles(this.path);
    const report = this.#index.rebuild(this.#sources(), omitUndefined({ onProgress }));
    return { ...report, warnings: this.#index.diagnostics() };
  }

  /** What {@link forgetSession} would delete. Throws NOT_FOUND. */
  planForget(project: Project, sessionId: string): SessionDeletion {
    return this.#deletions.planSession(project, sessionId);
  }

  /** Deletes a session permanently from logs, images, prompts and index. Throws NOT_FOUND. */
  forgetSession(project: Project, sessionId: string): ForgetReport {
    return this.#deletions.forgetSessions(project, sessionId);
  }

  /** Deletes all records of a project permanently. Only the ids of its sessions stay, so that they are not imported again. */
  forgetProject(project: Project): ForgetReport {
    return this.#deletions.forgetSessions(project);
  }

  /** Deletes the attempts behind a failure or a note, by id, but not their sessions. Throws NOT_FOUND. */
  forgetPattern(project: Project, id: string): ForgetReport {
    return this.#deletions.forgetPattern(project, id);
  }

  /** The root of the checkout that contains a folder; without a repository, the registered folder or the folder itself. */
  findCheckoutRoot(folder: string): string {
    const path = canonicalFolder(folder);
    return findRepository(path)?.root ?? this.#registry.rootOf(folder) ?? path;
  }

  /** Writes everything that cannot be rebuilt to one file. */
  backup(file: string, onProgress?: Progress): Promise<BackupReport> {
    this.drain();
    return backupHome(this.path, file, onProgress);
  }

  /** Restores a backup. Throws USAGE if the home is not empty, unless `replace` is true. */
  restore(file: string, options: { readonly replace?: boolean } = {}, onProgress?: Progress): Promise<BackupReport> {
    this.close();
    return restoreHome(file, this.path, { ...options, ...omitUndefined({ onProgress }) });
  }

  /** Pauses recording in all projects, or resumes it in those that are not paused themselves. */
  setRecording(on: boolean): void {
    setSetting(this.configFile, 'recording.enabled', String(on));
    if (on) return;
    // Projects that were resumed explicitly have a setting of their own.
    for (const info of this.#registry.list()) {
      const project = this.#project(info);
      if (project.isRecording()) project.setRecording(false);
    }
  }

  /** The guard's warning, from other projects, for a call in a folder without a project. Writes nothing. */
  checkUnrecorded(folder: string, call: ToolCall): FailureWarning | undefined {
    const rows: RowSource = { ask: (work) => this.#updatedIndex().ask(UNRECORDED, work) };
    const { config } = this;
    const context = { registry: this.#registry, config, machine: this.#machine, now: this.#now };
    return new Guard(rows, readGuardOptions(config, describeUnrecorded(folder, context))).check(call);
  }

  /** Removes what was deleted from a copy of a team's records from the index as well, free pages included. */
  purgeIndex(): boolean {
    return this.catchUp().complete && this.#index.purge();
  }

  /** Checks the health of the home. Repairs nothing. */
  check(): readonly HealthFinding[] {
    return checkHome(this.path, {
      index: this.#index,
      sources: this.#sources(),
      isRecording: this.config.get('recording.enabled'),
      deletions: this.#deletions,
      diagnostics: [...this.#registry.diagnostics, ...this.prompts.diagnostics],
    });
  }

  /** Closes the index. The home can still be used; the index is opened again when needed. */
  close(): void {
    this.#index.close();
  }

  #project(info: ProjectInfo): Project {
    return new Project(info, this.#registry.directory(info.projectHash), {
      homeConfigFile: this.configFile,
      configFile: projectConfigFile(this.path, info.projectHash),
      now: this.#now,
      index: this.#historyIndex(info.projectHash),
      rows: { ask: (work) => this.#updatedIndex().ask(info.projectHash, work) },
      machine: this.#machine,
      checkouts: this.#checkouts,
      updateInfo: (patch) => void this.#registry.updateInfo(info.projectHash, patch),
      otherProjects: () => listOtherProjects(this.#registry, info.projectHash),
    });
  }

  #historyIndex(project: string): HistoryIndex {
    return {
      listSessions: (limit = Number.MAX_SAFE_INTEGER, agent) =>
        this.#updatedIndex().listSessions({ projects: [project], limit, ...omitUndefined({ heldBy: agent }) }).sessions,
      readSession: (sessionId) => this.#updatedIndex().readSession(project, sessionId),
      problems: () => this.#index.problems().filter(({ path }) => dirname(path) === this.#registry.directory(project)),
    };
  }

  #updatedIndex(onProgress?: Progress): SearchIndex {
    if (this.#isIndexing) this.catchUp(onProgress);
    else this.#index.selectProjects(this.#sources());
    return this.#index;
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
}
