import { fileURLToPath } from 'node:url';
import {
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';

/** What a client said of the folders it works in, or the question that has to be put to it first. */
export type ClientFolders =
  | { readonly kind: 'known'; readonly folders: readonly string[] }
  | { readonly kind: 'ask'; readonly question: InputRequiredResult };

const KEY = 'roots';
/** A client that does not answer is one that names no folder. */
const PATIENCE_MS = 2000;

/** Asks a client for the folders it works in (its roots), once, and again when it says that they changed. */
export class ClientRoots {
  readonly #server: McpServer;
  #folders: readonly string[] | undefined;

  constructor(server: McpServer) {
    this.#server = server;
    server.server.setNotificationHandler('notifications/roots/list_changed', () => {
      this.#folders = undefined;
    });
  }

  /** The client's folders. Clients of the newer protocol are asked by an answer to their call; they call again. */
  async ask(context: ServerContext): Promise<ClientFolders> {
    if (this.#folders !== undefined) return { kind: 'known', folders: this.#folders };
    const { envelope, inputResponses } = context.mcpReq;
    if (envelope === undefined) return { kind: 'known', folders: await this.#request() };
    const answer = inputResponse(inputResponses, KEY);
    if (answer.kind === 'roots') this.#folders = foldersOf(answer.roots);
    else if (inputResponses === undefined && hasRoots(envelope)) {
      return {
        kind: 'ask',
        question: inputRequired({ inputRequests: { [KEY]: inputRequired.listRoots() } }),
      };
    }
    return { kind: 'known', folders: this.#folders ?? [] };
  }

  /** What is known already, for requests that cannot wait for an answer. */
  async known(context: ServerContext): Promise<readonly string[]> {
    if (this.#folders !== undefined) return this.#folders;
    return context.mcpReq.envelope === undefined ? await this.#request() : [];
  }

  async #request(): Promise<readonly string[]> {
    const { server } = this.#server;
    if (server.getClientCapabilities()?.roots === undefined) return [];
    try {
      const { roots } = await server.listRoots(undefined, { timeout: PATIENCE_MS });
      this.#folders = foldersOf(roots);
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

/** What a client sends is not checked by the library. */
function foldersOf(roots: readonly unknown[]): readonly string[] {
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
