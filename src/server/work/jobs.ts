import type { HookRequest } from '../../hook/answer-hook.ts';
import type { SearchQuery, SessionFilter } from '../../search/index.ts';
import type { LatestMessages } from '../chat/shown-messages.ts';
import type {
  Evidence,
  ProjectMemory,
  ProjectOverview,
  ProjectTimeline,
  SearchAnswer,
  SessionContent,
  SessionListing,
} from '../rpc/api.ts';
import type { TimelinePart } from '../views/project-views.ts';
import type { SessionPart } from '../views/session-pages.ts';

type OfProject = { readonly project: string };

/** How far the index has got. */
export interface IndexStep {
  /** Bytes of the logs that are not in it yet. */
  readonly left: number;
  /** False when there is more to do, or when another process holds the index. */
  readonly complete: boolean;
}

/** A request of an MCP client, whole. */
export interface McpCall {
  readonly method: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  /** What the server says of itself, and the folder that counts when the client names none. */
  readonly version: string;
  readonly currentFolder: string;
}

/** What it is answered with. */
export interface McpReply {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** What may take long and is therefore done beside the thread that answers clients. */
export interface Jobs {
  /** Takes into the index what the logs have gained, for a moment: ask again until it is complete. */
  catchUp: (params: Readonly<Record<never, never>>) => IndexStep;
  search: (query: SearchQuery) => SearchAnswer;
  /** For when there is no index: the logs are read. */
  listSessions: (filter: SessionFilter) => SessionListing;
  page: (part: SessionPart) => SessionContent;
  /** The latest messages of a session of the chat. */
  messages: (params: OfProject & { readonly sessionId: string }) => LatestMessages;
  forget: (params: OfProject & { readonly id: string }) => null;
  overview: (params: OfProject) => ProjectOverview;
  timeline: (params: OfProject & TimelinePart) => ProjectTimeline;
  memory: (params: OfProject) => ProjectMemory;
  evidence: (params: OfProject & { readonly id: string }) => { readonly evidence: readonly Evidence[] };
  choose: (params: OfProject & { readonly id: string; readonly choice: 'dismiss' | 'pin' | 'reset' }) => null;
  synthesise: (params: OfProject) => null;
  /** What the memory of a project says to a question. */
  answer: (params: OfProject & { readonly question: string; readonly sessionId: string }) => string;
  /** Writes into the logs what hooks have left to be written down. */
  drain: (params: Readonly<Record<never, never>>) => null;
  mcp: (call: McpCall) => McpReply;
  /** What a hook answers; `userHome` is the user's home folder. */
  hook: (params: { readonly request: HookRequest; readonly userHome: string }) => string;
  files: (params: { readonly root: string; readonly query: string }) => { readonly files: readonly string[] };
}

/** The jobs as they are done. */
export type JobTable = {
  readonly [J in keyof Jobs]: (
    params: Parameters<Jobs[J]>[0],
  ) => ReturnType<Jobs[J]> | Promise<ReturnType<Jobs[J]>>;
};

/** Jobs of one lane wait for each other. */
export type LaneName = 'index' | 'memory' | 'agents';

/** What reads the index must not wait until a project's whole history was thought over, and agents wait for nobody. */
export const LANES: Readonly<Record<keyof Jobs, LaneName>> = {
  catchUp: 'index',
  search: 'index',
  listSessions: 'index',
  page: 'index',
  messages: 'index',
  forget: 'index',
  overview: 'memory',
  timeline: 'memory',
  memory: 'memory',
  evidence: 'memory',
  choose: 'memory',
  synthesise: 'memory',
  answer: 'memory',
  files: 'memory',
  drain: 'agents',
  mcp: 'agents',
  hook: 'agents',
};
