import { isAbsolute } from 'node:path';
import type { TextLists } from '../config/index.ts';
import { readAllAttempts, readHistory } from '../history/index.ts';
import type { Home, Project } from '../project/index.ts';
import { YoreError } from '../record/index.ts';
import { omitUndefined } from '../record/object.ts';
import { getOrAdd } from '../record/once.ts';
import { isRecordingEnabled } from '../recording/project-handle.ts';
import { KnownRecords, KnownSession, readKnownFromTails } from '../recording/transcript/known-records.ts';

/** A project that sessions are imported into. */
export interface TargetProject {
  readonly name: string;
  /** A folder of the project. */
  readonly folder: string;
  /** Undefined for an unknown project in a dry run. */
  readonly project: Project | undefined;
  /** The project's data folder. */
  readonly directory: string;
  readonly isRecording: boolean;
  /** Whether this import created it. */
  readonly isNew: boolean;
  readonly known: KnownRecords;
  readonly extraTags: TextLists;
}

interface TargetOptions {
  readonly dryRun: boolean;
  readonly startedAt: number;
  /** Ids of projects that this import created before. */
  readonly newProjects?: ReadonlySet<string>;
  /** Whether the session that is being read may still be running. */
  readonly isLive: () => boolean;
}

/** Finds the projects of sessions, and caches them. */
export class TargetProjects {
  readonly #home: Home;
  readonly #options: TargetOptions;
  readonly #byFolder = new Map<string, TargetProject | undefined>();
  readonly #byProject = new Map<string, TargetProject>();
  readonly #roots = new Map<string, string>();

  constructor(home: Home, options: TargetOptions) {
    this.#home = home;
    this.#options = options;
  }

  /**
   * The project of a folder, which need not exist any more: then that of the remote it had, if that is known. Undefined if
   * it cannot be a folder on this machine.
   */
  find(cwd: string, remote?: string): TargetProject | undefined {
    if (!this.#byFolder.has(cwd)) this.#byFolder.set(cwd, this.#findTarget(cwd, remote));
    return this.#byFolder.get(cwd);
  }

  /** Ids of the projects that this import created. */
  get newProjects(): ReadonlySet<string> {
    return new Set([...this.#byProject].flatMap(([id, { isNew }]) => (isNew ? [id] : [])));
  }

  /** The checkout that contains a folder. */
  findRoot(cwd: string): string | undefined {
    const known = this.#roots.get(cwd);
    if (known !== undefined || !isAbsolute(cwd)) return known;
    try {
      const root = this.#home.findCheckoutRoot(cwd);
      this.#roots.set(cwd, root);
      return root;
    } catch (error) {
      if (!(error instanceof YoreError)) throw error;
      return undefined;
    }
  }

  #findTarget(cwd: string, remote: string | undefined): TargetProject | undefined {
    if (!isAbsolute(cwd) || cwd.includes('\0')) return undefined;
    try {
      return this.#options.dryRun ? this.#previewTarget(cwd) : this.#openTarget(cwd, remote);
    } catch (error) {
      // E.g. the path is a file now.
      if (error instanceof YoreError && error.code === 'USAGE') return undefined;
      throw error;
    }
  }

  #openTarget(cwd: string, remote: string | undefined): TargetProject {
    const known = this.#home.findProject(cwd);
    const isNew = known === undefined || this.#options.newProjects?.has(known.info.projectHash) === true;
    return this.#addTarget(this.#home.openProject(cwd, omitUndefined({ remote })), cwd, isNew);
  }

  #previewTarget(cwd: string): TargetProject {
    const project = this.#home.findProject(cwd);
    if (project !== undefined) return this.#addTarget(project, cwd, false);
    const name = this.#home.findCheckoutRoot(cwd);
    const known = this.#byProject.get(name);
    if (known !== undefined) return known;
    const { config } = this.#home;
    const target: TargetProject = {
      name,
      folder: cwd,
      project: undefined,
      directory: '',
      isRecording: isRecordingEnabled(config, { projectPath: name }),
      isNew: true,
      known: new KnownRecords(),
      extraTags: config.get('tags.extra'),
    };
    this.#byProject.set(name, target);
    return target;
  }

  #addTarget(project: Project, folder: string, isNew: boolean): TargetProject {
    const { info, directory, config } = project;
    const known = this.#byProject.get(info.projectHash);
    if (known !== undefined) return known;
    const target: TargetProject = {
      name: info.displayName,
      folder,
      project,
      directory,
      isRecording: project.isRecording(),
      isNew,
      known: readKnownFromHistory(this.#home, project, {
        startedAt: this.#options.startedAt,
        // Hooks have recorded nothing in a project that this import created.
        isLive: () => !isNew && this.#options.isLive(),
      }),
      extraTags: config.get('tags.extra'),
    };
    this.#byProject.set(info.projectHash, target);
    return target;
  }
}

/**
 * The known records of a project from the current index. If `isLive` returns true, the session may be running, and what
 * was recorded since `startedAt` is included.
 */
function readKnownFromHistory(
  home: Home,
  project: Project,
  { isLive, startedAt }: { readonly isLive: () => boolean; readonly startedAt: number },
): KnownRecords {
  let scanned: ReadonlyMap<string, KnownSession> | undefined;
  return new KnownRecords((sessionId, session) => {
    const recorded = home.recordedSession(project, sessionId);
    if (recorded !== undefined) {
      for (const message of [...recorded.messages, ...(recorded.titles ?? [])]) session.addMessage(message);
      for (const attempt of recorded.attempts) session.addAttempt(attempt);
      if (recorded.deletedAt !== undefined) session.markDeleted(recorded.deletedAt);
    } else {
      scanned ??= scanLogs(project.directory);
      const found = scanned.get(sessionId);
      if (found !== undefined) session.merge(found);
    }
    if (isLive()) session.merge(readKnownFromTails(project.directory, () => startedAt).session(sessionId));
  });
}

/** Fallback without an index: reads the logs once for all sessions. */
function scanLogs(directory: string): ReadonlyMap<string, KnownSession> {
  const sessions = new Map<string, KnownSession>();
  const getSession = (id: string): KnownSession => getOrAdd(sessions, id, () => new KnownSession());
  for (const record of readHistory(directory, ignore)) {
    const session = getSession(record.sessionId);
    if (record.kind === 'tombstone') session.markDeleted(record.timestamp);
    else session.addMessage(record);
  }
  for (const attempt of readAllAttempts(directory, ignore)) getSession(attempt.sessionId).addAttempt(attempt);
  return sessions;
}

function ignore(): void {}
