import { isAbsolute } from 'node:path';
import type { InputRequiredResult, McpServer, ServerContext } from '@modelcontextprotocol/server';
import { type Home, openHome, type Project } from '../project/index.ts';
import { YoreError } from '../record/index.ts';
import { oneLine } from '../text/one-line.ts';
import { ClientRoots } from './client-folders.ts';
import type { McpOptions } from './options.ts';

/** Sessions among which ids are completed. */
const COMPLETED_FROM = 1000;
const MOST_COMPLETIONS = 20;

/** What a call works on: yore's home, open until the call is answered, and the folder that is worked in. */
export interface CallPlace {
  readonly home: Home;
  readonly folder: string;
  readonly now: number;
  readonly options: McpOptions;
}

/** Opens the home for each call, in the folder that the client works in. */
export class CallPlaces {
  readonly #options: McpOptions;
  readonly #roots: ClientRoots;

  constructor(server: McpServer, options: McpOptions) {
    this.#options = options;
    this.#roots = new ClientRoots(server);
  }

  /** Does something in the home. Where the client has to be asked for its folders first, returns that question. */
  async use<T>(context: ServerContext, work: (place: CallPlace) => T): Promise<T | InputRequiredResult> {
    if (this.#options.folder !== undefined) return this.#in([this.#options.folder], work);
    const folders = await this.#roots.ask(context);
    return folders.kind === 'ask' ? folders.question : this.#in(folders.folders, work);
  }

  /** The same for requests that cannot be answered with a question: the folder is what is known of it. */
  async useKnown<T>(context: ServerContext, work: (place: CallPlace) => T): Promise<T> {
    const { folder } = this.#options;
    return this.#in(folder === undefined ? await this.#roots.known(context) : [folder], work);
  }

  /** Ids of sessions that begin with a text. */
  completeSession(beginning: string): string[] {
    return this.#in([], ({ home }) =>
      home
        .listSessions({ limit: COMPLETED_FROM })
        .sessions.map(({ sessionId }) => sessionId)
        .filter((id) => id.startsWith(beginning))
        .slice(0, MOST_COMPLETIONS),
    );
  }

  #in<T>(folders: readonly string[], work: (place: CallPlace) => T): T {
    const { currentFolder, now = Date.now } = this.#options;
    const home = openHome(this.#options);
    try {
      const folder = folders.find((one) => home.findProject(one) !== undefined) ?? folders[0];
      return work({ home, folder: folder ?? currentFolder, now: now(), options: this.#options });
    } finally {
      home.close();
    }
  }
}

/**
 * The project a call is about: the one it names by name, id or folder, else that of the folder that is worked in.
 * Undefined when nothing is known of that folder. NOT_FOUND when none has the name.
 */
export function projectOf({ home, folder }: CallPlace, named?: string): Project | undefined {
  if (named === undefined || named === '.') return home.findProject(folder);
  if (!isAbsolute(named)) return home.projectNamed(named);
  const project = home.findProject(named);
  if (project !== undefined) return project;
  throw new YoreError('NOT_FOUND', `Nothing is recorded for ${oneLine(named, 200)}.${knownProjects(home)}`);
}

/** What is said in a folder of which nothing is known, with what to do. */
export function nothingRecorded({ home, folder }: CallPlace): string {
  const others =
    home.projects().length === 0
      ? ' yore has recorded nothing on this machine yet: `yore init` connects it to the agents and imports their history.'
      : knownProjects(home);
  return `Nothing is recorded for ${oneLine(folder, 200)} yet.${others}`;
}

/** The project's name, safe to show. */
export function nameOf(project: Project): string {
  return oneLine(project.info.displayName, 80);
}

function knownProjects(home: Home): string {
  const names = home
    .projects()
    .slice(0, 5)
    .map(({ displayName }) => oneLine(displayName, 60));
  return names.length === 0 ? '' : ` Projects with history: ${names.join(', ')}.`;
}
