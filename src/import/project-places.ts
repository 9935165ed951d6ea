import { isAbsolute } from 'node:path';
import type { TextLists } from '../config/index.ts';
import type { Home, Project } from '../project/index.ts';
import { YoreError } from '../record/index.ts';
import { type KnownRecords, KnownSessions } from '../recording/transcript/known-records.ts';
import { knownFromHistory } from './known-from-history.ts';

/** A project as an import sees it. */
export interface ProjectPlace {
  readonly name: string;
  /** A folder of the project. */
  readonly folder: string;
  /** Undefined in a dry run, where an unknown project does not become known. */
  readonly project: Project | undefined;
  /** The folder that holds the project's logs. */
  readonly directory: string;
  readonly isRecording: boolean;
  /** Became known by this import. */
  readonly isNew: boolean;
  readonly known: KnownRecords;
  readonly extraTags: TextLists;
}

/** What {@link ProjectPlaces} needs to know. */
export interface PlacesOptions {
  readonly dryRun: boolean;
  readonly startedAt: number;
  /** Ids of projects that became known by this import before. */
  readonly newProjects?: ReadonlySet<string>;
  /** Whether an agent may be writing in the session that is read now. */
  readonly isLive: () => boolean;
}

/** Finds the projects that sessions belong to, each once. */
export class ProjectPlaces {
  readonly #home: Home;
  readonly #options: PlacesOptions;
  readonly #byFolder = new Map<string, ProjectPlace | undefined>();
  readonly #byProject = new Map<string, ProjectPlace>();
  readonly #roots = new Map<string, string>();

  constructor(home: Home, options: PlacesOptions) {
    this.#home = home;
    this.#options = options;
  }

  /** The project of a folder, which need not exist any more. Undefined for what cannot be a folder of this machine. */
  placeOf(cwd: string): ProjectPlace | undefined {
    if (!this.#byFolder.has(cwd)) this.#byFolder.set(cwd, this.#find(cwd));
    return this.#byFolder.get(cwd);
  }

  /** Ids of the projects that became known by this import. */
  get newProjects(): ReadonlySet<string> {
    return new Set([...this.#byProject].flatMap(([id, { isNew }]) => (isNew ? [id] : [])));
  }

  /** The checkout that a folder is in. */
  rootOf(cwd: string): string | undefined {
    const known = this.#roots.get(cwd);
    if (known !== undefined || !isAbsolute(cwd)) return known;
    try {
      const root = this.#home.checkoutOf(cwd);
      this.#roots.set(cwd, root);
      return root;
    } catch (error) {
      if (!(error instanceof YoreError)) throw error;
      return undefined;
    }
  }

  #find(cwd: string): ProjectPlace | undefined {
    if (!isAbsolute(cwd) || cwd.includes('\0')) return undefined;
    try {
      return this.#options.dryRun ? this.#look(cwd) : this.#open(cwd);
    } catch (error) {
      // A file by now, say.
      if (error instanceof YoreError && error.code === 'USAGE') return undefined;
      throw error;
    }
  }

  #open(cwd: string): ProjectPlace {
    const known = this.#home.findProject(cwd);
    const isNew = known === undefined || this.#options.newProjects?.has(known.info.projectHash) === true;
    return this.#place(this.#home.openProject(cwd), cwd, isNew);
  }

  #look(cwd: string): ProjectPlace {
    const project = this.#home.findProject(cwd);
    if (project !== undefined) return this.#place(project, cwd, false);
    const name = this.#home.checkoutOf(cwd);
    const known = this.#byProject.get(name);
    if (known !== undefined) return known;
    const { config } = this.#home;
    const isExcluded = config.get('recording.excludedProjects').includes(name);
    const place: ProjectPlace = {
      name,
      folder: cwd,
      project: undefined,
      directory: '',
      isRecording: config.get('recording.enabled') && !isExcluded,
      isNew: true,
      known: new KnownSessions(),
      extraTags: config.get('tags.extra'),
    };
    this.#byProject.set(name, place);
    return place;
  }

  #place(project: Project, folder: string, isNew: boolean): ProjectPlace {
    const { info, directory, config } = project;
    const known = this.#byProject.get(info.projectHash);
    if (known !== undefined) return known;
    const place: ProjectPlace = {
      name: info.displayName,
      folder,
      project,
      directory,
      isRecording: project.isRecording(),
      isNew,
      known: knownFromHistory(this.#home, project, {
        startedAt: this.#options.startedAt,
        // What is new by this import has nothing that hooks recorded.
        isLive: () => !isNew && this.#options.isLive(),
      }),
      extraTags: config.get('tags.extra'),
    };
    this.#byProject.set(info.projectHash, place);
    return place;
  }
}
