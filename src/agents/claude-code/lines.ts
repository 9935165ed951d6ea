import { omitUndefined } from '../../record/object.ts';
import {
  asFields,
  asList,
  asName,
  asObjects,
  asPairs,
  asPath,
  asText,
  asTime,
  type Fields,
} from '../transcript/fields.ts';
import { skipTable } from '../transcript/transcript.ts';

/** A line with its common fields. */
export interface Line {
  readonly fields: Fields;
  /** For a side chain, the session of the sub-agent. */
  readonly sessionId: string;
  readonly parentSessionId: string | undefined;
  readonly isSideChain: boolean;
  readonly id: string | undefined;
  readonly timestamp: string | undefined;
  readonly cwd: string | undefined;
  readonly branch: string | undefined;
}

type Chains = ReaderState['chains'];

const SUB_AGENT_PREFIX = 'agent-';

/**
 * Parses the common fields of a line. Sub-agents are sessions of their own, named after the id of the agent. Old files have
 * no such id and keep side chains among the other lines: these are named after the first line of the chain, which `chains`
 * keeps track of.
 */
export function parseLine(
  fields: Fields,
  fileName: string,
  chains: Chains,
): { readonly line: Line; readonly chains: Chains } {
  const named = asName(fields.sessionId) ?? asName(fields.session_id);
  const isSubAgentFile = fileName.startsWith(SUB_AGENT_PREFIX);
  if (fields.isSidechain !== true && !isSubAgentFile) {
    return { line: toLine(fields, named ?? fileName), chains };
  }
  const agentId = asName(fields.agentId);
  if (agentId !== undefined) return { line: toLine(fields, `${SUB_AGENT_PREFIX}${agentId}`, named), chains };
  if (isSubAgentFile) return { line: toLine(fields, fileName, named), chains };
  const id = asName(fields.uuid);
  const parent = asName(fields.parentUuid);
  const chain = parent === undefined ? undefined : (chains.find(([last]) => last === parent) ?? chains.at(-1));
  const first = chain?.[1] ?? id ?? fileName;
  const line = toLine(fields, `${SUB_AGENT_PREFIX}${first}`, named ?? fileName);
  return { line, chains: appendUnique(chains, [id ?? first, first], (known) => known[1] === first) };
}

function toLine(fields: Fields, sessionId: string, parentSessionId?: string): Line {
  return {
    fields,
    sessionId,
    parentSessionId,
    isSideChain: fields.isSidechain === true || parentSessionId !== undefined,
    id: asName(fields.uuid),
    timestamp: asTime(fields.timestamp),
    cwd: asPath(fields.cwd),
    branch: asName(fields.gitBranch),
  };
}

/** Types of lines that are skipped, and why. */
export const LINE_SKIP_REASONS: ReadonlyMap<string, string> = skipTable({
  progress: 'progress',
  'file snapshot': 'file-history-snapshot file-history-delta attribution-snapshot',
  'other name of a session': 'task-summary tag agent-name',
  'settings of the session':
    'agent-color agent-setting mode permission-mode worktree-state session-meta model ' + 'advisor-switch',
  'copy of a prompt': 'last-prompt',
  'copy of a request to the model': 'api-request api-request-shape api-request-blob',
  link: 'pr-link bridge-session continued-in',
  bookkeeping:
    'content-replacement speculation-accept marble-origami-commit marble-origami-snapshot ' +
    'context-collapse-commit context-collapse-snapshot fork-context-ref turn_duration turn_end ' +
    'result started atis-latch tools-used cost-state',
});

/** Subtypes of system lines that are skipped, and why. */
export const SYSTEM_SKIP_REASONS: ReadonlyMap<string, string> = skipTable({
  'compaction of tool results': 'microcompact_boundary',
  'hook report': 'stop_hook_summary',
  bookkeeping: 'turn_duration api_metrics',
  // The error of the last attempt is a message of its own.
  'error that was retried': 'api_error',
  notice:
    'away_summary informational bridge_status memory_saved agents_killed permission_retry ' + 'scheduled_task_fire',
  thinking: 'thinking',
});

/** The type of a line, if only plain fields precede it, so that nothing inside texts and objects is mistaken for it. */
const TYPE_IN_HEAD = /^\{(?:"[A-Za-z_]+":(?:"[^"\\]*"|true|false|null|-?\d+),)*?"type":"([a-z_-]+)"/;

/** Why a line is skipped, if its first bytes show it. */
export function findSkipReasonInHead(head: string): string | undefined {
  const type = TYPE_IN_HEAD.exec(head)?.[1];
  return type === undefined ? undefined : LINE_SKIP_REASONS.get(type);
}

/** The folder and branch of a session. */
interface KnownSession {
  readonly id: string;
  readonly cwd?: string;
  readonly branch?: string;
}

/** A compaction whose summary may follow. */
interface Boundary {
  readonly sessionId: string;
  readonly id?: string;
  readonly timestamp?: string;
}

/** What is needed to continue in the middle of a transcript. */
export type ReaderState = {
  /** The last sessions, newest last. */
  readonly sessions: readonly KnownSession[];
  /** The last session outside of side chains. */
  readonly main?: string;
  /** Replies that were reported, and how many messages each became; newest last. */
  readonly replies: readonly (readonly [messageId: string, messages: number])[];
  /** Background tasks, with the calls that started them. */
  readonly tasks: readonly (readonly [taskId: string, callId: string])[];
  /** The last and the first line of each unnamed side chain. */
  readonly chains: readonly (readonly [last: string, first: string])[];
  /** Calls that a hook denied. */
  readonly denied: readonly string[];
  readonly boundary?: Boundary;
  /** Titles whose session has not been reported yet: by the id of the session, or of a line in it. */
  readonly titles: readonly PendingTitle[];
  /** What the user has typed while the agent works and has not reached it yet. */
  readonly queued: readonly QueuedPrompt[];
  /** Hashes of what of it has reached the agent since the last prompt: newer versions of Claude Code repeat it. */
  readonly delivered: readonly number[];
};

/** A prompt that was typed while the agent works. */
interface QueuedPrompt {
  readonly sessionId: string;
  /** Redacted, because it is stored. */
  readonly text: string;
  readonly timestamp: string;
}

/** A title, and what it belongs to. */
export interface PendingTitle {
  readonly of: string;
  readonly title: string;
  readonly isChosen: boolean;
}

/** The title in a line; undefined for other lines. A `summary` names the session of the line that it refers to. */
export function parseTitle(fields: Fields, fileName: string): PendingTitle | undefined {
  const sessionId = asName(fields.sessionId) ?? fileName;
  const [key, of] = TITLE_LINES[asText(fields.type) ?? ''] ?? [];
  const title = key === undefined ? undefined : asText(fields[key])?.trim();
  const owner = of === 'line' ? asName(fields.leafUuid) : sessionId;
  return title && owner ? { of: owner, title, isChosen: of === 'user' } : undefined;
}

const TITLE_LINES: Readonly<Record<string, readonly [key: string, of: 'line' | 'session' | 'user']>> = {
  summary: ['summary', 'line'],
  'ai-title': ['aiTitle', 'session'],
  'custom-title': ['customTitle', 'user'],
};

/** Whether a line is about the title of a session. */
export function isTitleLine(type: string): boolean {
  return type in TITLE_LINES;
}

const EMPTY: ReaderState = {
  ...{ sessions: [], replies: [], tasks: [], chains: [], denied: [], titles: [] },
  ...{ queued: [], delivered: [] },
};

/** How many items of each list are kept: more than are ever in progress at a time. */
const MAX_KEPT = 16;

/** The list with one more item, which replaces the same one, if any; the oldest is dropped when it gets too long. */
export function appendUnique<T>(list: readonly T[], newest: T, isSame: (item: T) => boolean): readonly T[] {
  return [...list.filter((item) => !isSame(item)), newest].slice(-MAX_KEPT);
}

/** Parses a stored state; malformed parts are dropped. */
export function parseState(fields: Fields | undefined): ReaderState {
  if (!fields) return EMPTY;
  return {
    sessions: asObjects(fields.sessions).flatMap(parseSession).slice(-MAX_KEPT),
    replies: asList(fields.replies).flatMap((pair) => {
      const [id, messages] = asList(pair);
      return typeof id === 'string' && typeof messages === 'number' ? [[id, messages] as const] : [];
    }),
    tasks: asPairs(fields.tasks),
    chains: asPairs(fields.chains),
    denied: asList(fields.denied).flatMap((id) => asName(id) ?? []),
    titles: asObjects(fields.titles).flatMap(({ of, title, isChosen }) =>
      typeof of === 'string' && typeof title === 'string' ? [{ of, title, isChosen: isChosen === true }] : [],
    ),
    queued: asObjects(fields.queued).flatMap(parseQueued),
    delivered: asList(fields.delivered).filter((hash) => typeof hash === 'number'),
    ...omitUndefined({ main: asName(fields.main), boundary: parseBoundary(asFields(fields.boundary)) }),
  };
}

function parseSession(fields: Fields): readonly KnownSession[] {
  const id = asName(fields.id);
  if (id === undefined) return [];
  return [{ id, ...omitUndefined({ cwd: asText(fields.cwd), branch: asText(fields.branch) }) }];
}

function parseQueued({ sessionId, text, timestamp }: Fields): readonly QueuedPrompt[] {
  const isValid = typeof sessionId === 'string' && typeof text === 'string' && typeof timestamp === 'string';
  return isValid ? [{ sessionId, text, timestamp }] : [];
}

function parseBoundary(fields: Fields | undefined): Boundary | undefined {
  const sessionId = asName(fields?.sessionId);
  if (sessionId === undefined) return undefined;
  return { sessionId, ...omitUndefined({ id: asName(fields?.id), timestamp: asText(fields?.timestamp) }) };
}
