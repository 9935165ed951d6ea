import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { type Home, type HomeOptions, openHome, type Project } from '../project/index.ts';
import { YoreError } from '../record/index.ts';
import { oneLine } from '../text/one-line.ts';
import { quoteCode, quoteId } from '../text/recorded-text.ts';

/** Options of the MCP server. The home is opened for each call, so that no call sees stale data. */
export interface McpOptions extends HomeOptions {
  /** The version that the server reports. */
  readonly version: string;
  /** The folder whose project is meant when a call names none. Default: a root of the client, else `currentFolder`. */
  readonly folder?: string;
  /** The fallback when neither the options nor the client name a folder. */
  readonly currentFolder: string;
  /** IANA name of the time zone that days are in. Default UTC. */
  readonly timeZone?: string;
}

/** What a call works with. */
export interface CallContext {
  /** Open until the call has ended. */
  readonly home: Home;
  /** The folder that the client works in. */
  readonly folder: string;
  readonly now: number;
  readonly options: McpOptions;
}

/** How many sessions are searched for completions. */
const COMPLETION_SESSIONS = 1000;
const MAX_COMPLETIONS = 20;

/** Creates the context of each call. */
export class CallContexts {
  readonly #options: McpOptions;
  readonly #roots: ClientRoots;

  constructor(server: McpServer, options: McpOptions) {
    this.#options = options;
    this.#roots = new ClientRoots(server);
  }

  /** Runs an action with the home open. When the client has to be asked for its roots first, returns that question. */
  async run<T>(
    context: ServerContext,
    action: (call: CallContext) => T | Promise<T>,
  ): Promise<T | InputRequiredResult> {
    if (this.#options.folder !== undefined) return this.#open([this.#options.folder], action);
    const roots = await this.#roots.get(context);
    return roots.kind === 'ask' ? roots.question : this.#open(roots.folders, action);
  }

  /** The same for requests that cannot return a question: uses the roots that are known already. */
  async runWithoutAsking<T>(context: ServerContext, action: (call: CallContext) => T | Promise<T>): Promise<T> {
    const { folder } = this.#options;
    return this.#open(folder === undefined ? await this.#roots.known(context) : [folder], action);
  }

  /** Completes the id of a session. */
  completeSession(prefix: string): Promise<string[]> {
    return this.#open([], ({ home }) =>
      home
        .listSessions({ limit: COMPLETION_SESSIONS })
        .sessions.map(({ sessionId }) => sessionId)
        .filter((id) => id.startsWith(prefix))
        .slice(0, MAX_COMPLETIONS),
    );
  }

  async #open<T>(folders: readonly string[], action: (call: CallContext) => T | Promise<T>): Promise<T> {
    const { currentFolder, now = Date.now } = this.#options;
    const home = openHome(this.#options);
    try {
      const known = folders.find((folder) => home.findProject(folder) !== undefined);
      const folder = known ?? folders[0] ?? currentFolder;
      return await action({ home, folder, now: now(), options: this.#options });
    } finally {
      home.close();
    }
  }
}

/**
 * The project that a call names by name, id or folder, else that of the folder the client works in. Undefined when
 * nothing is recorded for that folder; NOT_FOUND when the name is unknown.
 */
export function findCalledProject({ home, folder }: CallContext, name?: string): Project | undefined {
  if (name === undefined || name === '.') return home.findProject(folder);
  if (!isAbsolute(name)) return home.findProjectByName(name);
  const project = home.findProject(name);
  if (project !== undefined) return project;
  throw new YoreError('NOT_FOUND', `Nothing is recorded for ${quoteCode(name, 200)}.${listProjects(home)}`);
}

/** Says that nothing is recorded for the folder, and what to do. */
export function describeEmptyFolder({ home, folder }: CallContext): string {
  const others =
    home.projects().length === 0
      ? ' yore has not recorded anything on this machine yet. `yore init` connects it to your agents and imports their history.'
      : listProjects(home);
  return `Nothing is recorded for ${quoteCode(folder, 200)} yet.${others}`;
}

/** The display name of a project on one line. */
export function displayNameOf(project: Project): string {
  return oneLine(project.info.displayName, 80);
}

function listProjects(home: Home): string {
  const names = home
    .projectsByActivity()
    .slice(0, 5)
    .map(({ displayName }) => quoteId(displayName, 60));
  return names.length === 0 ? '' : ` Projects with history: ${names.join(', ')}.`;
}

/** The folders that a client works in, or the question that has to be put to it first. */
type ClientFolders =
  | { readonly kind: 'known'; readonly folders: readonly string[] }
  | { readonly kind: 'ask'; readonly question: InputRequiredResult };

const KEY = 'roots';
/** A client that does not answer in this time counts as one without roots. */
const ROOTS_TIMEOUT_MS = 2000;

/** The roots of a client: asked for once, and again when the client says that they changed. */
class ClientRoots {
  readonly #server: McpServer;
  #folders: readonly string[] | undefined;

  constructor(server: McpServer) {
    this.#server = server;
    server.server.setNotificationHandler('notifications/roots/list_changed', () => {
      this.#folders = undefined;
    });
  }

  /** In the 2026 protocol a client is asked by the result of its call, and then calls again. */
  async get(context: ServerContext): Promise<ClientFolders> {
    if (this.#folders !== undefined) return { kind: 'known', folders: this.#folders };
    const { envelope, inputResponses } = context.mcpReq;
    if (envelope === undefined) return { kind: 'known', folders: await this.#request() };
    const response = inputResponse(inputResponses, KEY);
    if (response.kind === 'roots') this.#folders = toFolders(response.roots);
    else if (inputResponses === undefined && hasRoots(envelope)) {
      return {
        kind: 'ask',
        question: inputRequired({ inputRequests: { [KEY]: inputRequired.listRoots() } }),
      };
    }
    return { kind: 'known', folders: this.#folders ?? [] };
  }

  /** The folders as far as they are known without a question. */
  async known(context: ServerContext): Promise<readonly string[]> {
    if (this.#folders !== undefined) return this.#folders;
    return context.mcpReq.envelope === undefined ? await this.#request() : [];
  }

  async #request(): Promise<readonly string[]> {
    const { server } = this.#server;
    if (server.getClientCapabilities()?.roots === undefined) return [];
    try {
      const { roots } = await server.listRoots(undefined, { timeout: ROOTS_TIMEOUT_MS });
      this.#folders = toFolders(roots);
    } catch {
      this.#folders = [];
    }
    return this.#folders;
  }
}

function hasRoots(envelope: object): boolean {
  const capabilities: unknown = Reflect.get(envelope, CLIENT_CAPABILITIES_META_KEY);
  return typeof capabilities === 'object' && capabilities !== null && 'roots' in capabilities;
}

/** The library does not validate what a client sends as its roots. */
function toFolders(roots: readonly unknown[]): readonly string[] {
  return roots.flatMap((root) => {
    const uri = typeof root === 'object' && root !== null && 'uri' in root ? root.uri : undefined;
    if (typeof uri !== 'string' || !uri.startsWith('file:')) return [];
    try {
      return [fileURLToPath(uri)];
    } catch {
      return [];
    }
  });
}
