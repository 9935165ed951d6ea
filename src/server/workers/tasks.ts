import { answerFromMemory } from '../../chat/memory-responder/memory-responder.ts';
import { type HookRequest, handleHook } from '../../hook/handle-hook.ts';
import type { createMcpHttpHandler, McpOptions } from '../../mcp/index.ts';
import type { EmbedReport, Home, ReaderRow, SessionView } from '../../project/index.ts';
import type { SessionFilter } from '../../search/index.ts';
import { projectById } from '../find-project.ts';
import type { SessionListing } from '../rpc/api.ts';
import { type LatestMessages, latestMessages, visibleMessages } from '../rpc/chat-events.ts';
import { StampedCache } from './log-cache.ts';

/**
 * The worker threads. What reads the index does not wait for what reasons over a project's whole history, for an embedder
 * or for a team's server, and agents wait for none of them.
 */
export type WorkerName = 'index' | 'memory' | 'agents' | 'embeddings' | 'team';

/** What the methods and tasks of one worker work with. */
export interface WorkerContext {
  /** Opened with `indexing: 'elsewhere'`: only the tasks `catchUp` and `embed` write to the index. */
  readonly home: Home;
  /** The folder whose project is meant when a call names none. */
  readonly cwd: string;
  readonly now: () => number;
  /** Sessions that were read for the last pages. */
  readonly sessions: StampedCache<SessionView>;
  /** The rows of these sessions. */
  readonly rows: StampedCache<readonly ReaderRow[]>;
  /** Numbers of active warnings, by project. */
  readonly warnings: StampedCache<number>;
  readonly mcp: (request: McpRequest) => Promise<McpResponse>;
}

const MAX_CACHED_SESSIONS = 3;
const MAX_COUNTED_PROJECTS = 1_000;

export function createWorkerContext(home: Home, cwd: string, now: () => number): WorkerContext {
  return {
    home,
    cwd,
    now,
    sessions: new StampedCache(MAX_CACHED_SESSIONS),
    rows: new StampedCache(MAX_CACHED_SESSIONS),
    warnings: new StampedCache(MAX_COUNTED_PROJECTS),
    mcp: createMcpResponder({ home: home.path, env: home.env, now }),
  };
}

type InProject<T = unknown> = { readonly project: string } & T;
type Nothing = Readonly<Record<never, never>>;

/** What workers do for the server itself, beside the methods that clients call. */
export interface Tasks {
  /** Indexes what the logs have gained, for a moment: run it again until it is complete. */
  catchUp: (params: Nothing) => IndexProgress;
  /** Computes vectors of messages that have none, for a moment: run it again until it is complete or has a problem. */
  embed: (params: Nothing) => EmbedReport;
  /** Lists sessions from the logs, for when there is no index. */
  listSessions: (filter: SessionFilter) => SessionListing;
  /** The last messages of a chat session. */
  latestMessages: (params: InProject<{ readonly sessionId: string }>) => LatestMessages;
  maintain: (params: InProject) => null;
  /** Answers a question from the project's memory, without a model. */
  answer: (params: InProject<{ readonly message: string }>) => string;
  /** Drains the spools of all projects. */
  drain: (params: Nothing) => null;
  /** Exchanges records with the team's server. Does nothing in a home that belongs to no team. */
  sync: (params: Nothing) => null;
  mcp: (request: McpRequest) => McpResponse;
  /** The reply to a hook event; `userHome` is the user's home folder. */
  hook: (params: { readonly request: HookRequest; readonly userHome: string }) => string;
}

type TaskTable = {
  readonly [T in keyof Tasks]: {
    readonly runsIn: WorkerName;
    readonly run: (
      params: Parameters<Tasks[T]>[0],
      context: WorkerContext,
    ) => ReturnType<Tasks[T]> | Promise<ReturnType<Tasks[T]>>;
  };
};

export const TASKS: TaskTable = {
  catchUp: { runsIn: 'index', run: (_params, { home }) => indexForAMoment(home) },
  embed: {
    runsIn: 'embeddings',
    run: (_params, { home }) => home.embeddings.embedMissing({ budgetMs: EMBED_SLICE_MS }),
  },
  listSessions: {
    runsIn: 'index',
    run: (filter, { home }) => {
      const { sessions, total } = home.listSessions(filter);
      return { sessions, total, complete: true };
    },
  },
  latestMessages: {
    runsIn: 'index',
    run: ({ project, sessionId }, { home }) => {
      const { messages } = projectById(home, project).history.getSessionRecords(sessionId);
      return latestMessages(visibleMessages(messages));
    },
  },
  maintain: {
    runsIn: 'memory',
    run: ({ project }, { home }) => {
      projectById(home, project).maintain();
      return null;
    },
  },
  answer: {
    runsIn: 'memory',
    run: ({ project, message }, { home, now }) =>
      answerFromMemory(message, { home, project: projectById(home, project), now }),
  },
  drain: {
    runsIn: 'agents',
    run: (_params, { home }) => {
      home.drain();
      return null;
    },
  },
  sync: {
    runsIn: 'team',
    run: async (_params, { home, now }) => {
      const { readMembership, syncHome } = await import('../../team/index.ts');
      if (readMembership(home.path) !== undefined) await syncHome(home, { now });
      return null;
    },
  },
  mcp: { runsIn: 'agents', run: (request, { mcp }) => mcp(request) },
  hook: {
    runsIn: 'agents',
    run: ({ request, userHome }, { home, now }) => {
      const started = performance.now();
      const elapsed = (): number => performance.now() - started;
      return handleHook(request, { home: home.path, env: home.env, userHome, now, elapsed });
    },
  },
};

/** How far the index has come. */
interface IndexProgress {
  /** Bytes of the logs that are not indexed yet. */
  readonly left: number;
  /** False when there is more to do, or when another process holds the index. */
  readonly complete: boolean;
}

/** How long vectors are computed before a server that is closing need not wait. */
const EMBED_SLICE_MS = 1000;

/** How long the index is filled before other calls of the worker get their turn. */
const INDEX_SLICE_MS = 300;

/** Thrown to interrupt indexing; what was indexed by then stays. */
class SliceEnded extends Error {}

function indexForAMoment(home: Home): IndexProgress {
  const started = performance.now();
  let left = 0;
  try {
    const { complete } = home.catchUp((done, total) => {
      left = total - done;
      if (left > 0 && performance.now() - started > INDEX_SLICE_MS) throw new SliceEnded();
    });
    return { left: 0, complete };
  } catch (error) {
    if (!(error instanceof SliceEnded)) throw error;
    return { left, complete: false };
  }
}

type HeaderPairs = readonly (readonly [name: string, value: string])[];

/** A complete HTTP request of an MCP client. */
interface McpRequest {
  readonly method: string;
  readonly headers: HeaderPairs;
  readonly body: string;
  readonly version: string;
  /** The folder that is meant when the client names none. */
  readonly currentFolder: string;
}

interface McpResponse {
  readonly status: number;
  readonly headers: HeaderPairs;
  readonly body: string;
}

/** Answers MCP requests that have a single response. The MCP packages are loaded with the first request. */
function createMcpResponder(options: Pick<McpOptions, 'home' | 'env' | 'now'>): WorkerContext['mcp'] {
  let handler: Promise<ReturnType<typeof createMcpHttpHandler>> | undefined;
  return async ({ method, headers, body, version, currentFolder }) => {
    handler ??= import('../../mcp/index.ts').then((mcp) =>
      mcp.createMcpHttpHandler({ ...options, version, currentFolder }),
    );
    const { fetch } = await handler;
    const init = { method, headers: headers.map(([name, value]): [string, string] => [name, value]), body };
    const response = await fetch(new Request('http://localhost/mcp', init));
    return { status: response.status, headers: [...response.headers], body: await response.text() };
  };
}
