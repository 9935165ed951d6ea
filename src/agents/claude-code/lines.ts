import {
  asFields,
  asList,
  asName,
  asObjects,
  asPath,
  asText,
  asTime,
  type Fields,
} from '../transcript/fields.ts';

/** A line, and what it says of itself. */
export interface Line {
  readonly fields: Fields;
  /** Of a side chain, the session of the sub-agent. */
  readonly sessionId: string;
  readonly parentSessionId: string | undefined;
  readonly isSideChain: boolean;
  readonly id: string | undefined;
  readonly timestamp: string | undefined;
  readonly cwd: string | undefined;
  readonly branch: string | undefined;
}

type Chains = ReaderState['chains'];

const SUB_AGENT = 'agent-';

/**
 * What a line says of itself. Sub-agents are sessions of their own: by the id of the agent; in old files, which have
 * none and keep side chains among the other lines, by the line that a chain began with. `chains` goes on from there.
 */
export function lineOf(
  fields: Fields,
  fileName: string,
  chains: Chains,
): { readonly line: Line; readonly chains: Chains } {
  const named = asName(fields.sessionId) ?? asName(fields.session_id);
  const isSubAgentFile = fileName.startsWith(SUB_AGENT);
  if (fields.isSidechain !== true && !isSubAgentFile) {
    return { line: describe(fields, named ?? fileName), chains };
  }
  const agentId = asName(fields.agentId);
  if (agentId !== undefined) return { line: describe(fields, `${SUB_AGENT}${agentId}`, named), chains };
  if (isSubAgentFile) return { line: describe(fields, fileName, named), chains };
  const id = asName(fields.uuid);
  const parent = asName(fields.parentUuid);
  const chain =
    parent === undefined ? undefined : (chains.find(([last]) => last === parent) ?? chains.at(-1));
  const first = chain?.[1] ?? id ?? fileName;
  const line = describe(fields, `${SUB_AGENT}${first}`, named ?? fileName);
  return { line, chains: withNewest(chains, [id ?? first, first], (known) => known[1] === first) };
}

function describe(fields: Fields, sessionId: string, parentSessionId?: string): Line {
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

/** Types of lines from which nothing is made, and why. */
const LINE_REASONS: ReadonlyMap<string, string> = new Map([
  ['progress', 'progress'],
  ['file-history-snapshot', 'file snapshot'],
  ['file-history-delta', 'file snapshot'],
  ['attribution-snapshot', 'file snapshot'],
  // What was queued is told where it was handed to the model.
  ['queue-operation', 'prompt queue'],
  ['summary', 'title'],
  ['ai-title', 'title'],
  ['custom-title', 'title'],
  ['task-summary', 'title'],
  ['tag', 'title'],
  ['agent-name', 'title'],
  ['agent-color', 'settings of the session'],
  ['agent-setting', 'settings of the session'],
  ['last-prompt', 'copy of a prompt'],
  ['mode', 'settings of the session'],
  ['permission-mode', 'settings of the session'],
  ['worktree-state', 'settings of the session'],
  ['pr-link', 'link'],
  ['bridge-session', 'link'],
  ['continued-in', 'link'],
  ['content-replacement', 'bookkeeping'],
  ['speculation-accept', 'bookkeeping'],
  ['marble-origami-commit', 'bookkeeping'],
  ['marble-origami-snapshot', 'bookkeeping'],
  ['context-collapse-commit', 'bookkeeping'],
  ['context-collapse-snapshot', 'bookkeeping'],
  ['fork-context-ref', 'bookkeeping'],
  ['turn_duration', 'bookkeeping'],
  ['turn_end', 'bookkeeping'],
  ['session-meta', 'settings of the session'],
  ['model', 'settings of the session'],
  ['advisor-switch', 'settings of the session'],
  ['result', 'bookkeeping'],
  ['started', 'bookkeeping'],
]);

const SYSTEM_REASONS: ReadonlyMap<string, string> = new Map([
  ['microcompact_boundary', 'compaction of tool results'],
  ['stop_hook_summary', 'hook report'],
  ['turn_duration', 'bookkeeping'],
  ['api_metrics', 'bookkeeping'],
  // The error that remains after the last try is a message of its own.
  ['api_error', 'error that was tried again'],
  ['away_summary', 'notice'],
  ['informational', 'notice'],
  ['bridge_status', 'notice'],
  ['memory_saved', 'notice'],
  ['agents_killed', 'notice'],
  ['permission_retry', 'notice'],
  ['scheduled_task_fire', 'notice'],
  ['thinking', 'thinking'],
]);

/** Why nothing is made of lines of this type; undefined if something is, or nobody knows the type. */
export function lineReason(type: string): string | undefined {
  return LINE_REASONS.get(type);
}

/** The same for system lines, by their subtype. */
export function systemReason(subtype: string): string | undefined {
  return SYSTEM_REASONS.get(subtype);
}

/** The type of a line, if only plain fields stand before it: what is in texts and objects cannot be mistaken for it. */
const TYPE_IN_HEAD = /^\{(?:"[A-Za-z_]+":(?:"[^"\\]*"|true|false|null|-?\d+),)*?"type":"([a-z_-]+)"/;

/** As {@link lineReason}, from the first bytes of a line. */
export function headReason(head: string): string | undefined {
  const type = TYPE_IN_HEAD.exec(head)?.[1];
  return type === undefined ? undefined : LINE_REASONS.get(type);
}

/** What a session said last of where it works. */
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

/** What has to be known of the lines before, to go on in a transcript of Claude Code. */
export type ReaderState = {
  /** The sessions met last, newest last. */
  readonly sessions: readonly KnownSession[];
  /** The session that lines outside of side chains belonged to last. */
  readonly main?: string;
  /** Replies that were told, and how many messages were made of each; newest last. */
  readonly told: readonly (readonly [messageId: string, messages: number])[];
  /** Tasks in the background, by the calls that started them. */
  readonly tasks: readonly (readonly [taskId: string, callId: string])[];
  /** The last line of each side chain without a name, and the line it began with. */
  readonly chains: readonly (readonly [last: string, first: string])[];
  /** Calls that a hook refused. */
  readonly denied: readonly string[];
  readonly boundary?: Boundary;
};

const EMPTY: ReaderState = { sessions: [], told: [], tasks: [], chains: [], denied: [] };

/** How many of each list are kept: more than ever are under way at a time. */
const KEPT = 16;

/** The list with one more at its end, without the one that stood for the same, and without the oldest. */
export function withNewest<T>(list: readonly T[], newest: T, isSame: (item: T) => boolean): readonly T[] {
  return [...list.filter((item) => !isSame(item)), newest].slice(-KEPT);
}

/** A state that was kept; what makes no sense in it is left out. */
export function readState(fields: Fields | undefined): ReaderState {
  if (!fields) return EMPTY;
  const main = asName(fields.main);
  const boundary = readBoundary(asFields(fields.boundary));
  return {
    sessions: asObjects(fields.sessions).flatMap(readSession).slice(-KEPT),
    told: asList(fields.told).flatMap((pair) => {
      const [id, messages] = asList(pair);
      return typeof id === 'string' && typeof messages === 'number' ? [[id, messages] as const] : [];
    }),
    tasks: readPairs(fields.tasks),
    chains: readPairs(fields.chains),
    denied: asList(fields.denied).flatMap((id) => asName(id) ?? []),
    ...(main === undefined ? {} : { main }),
    ...(boundary ? { boundary } : {}),
  };
}

function readPairs(value: unknown): readonly (readonly [string, string])[] {
  return asList(value).flatMap((pair) => {
    const [first, second] = asList(pair);
    return typeof first === 'string' && typeof second === 'string' ? [[first, second] as const] : [];
  });
}

function readSession(fields: Fields): readonly KnownSession[] {
  const id = asName(fields.id);
  if (id === undefined) return [];
  const cwd = asText(fields.cwd);
  const branch = asText(fields.branch);
  return [{ id, ...(cwd === undefined ? {} : { cwd }), ...(branch === undefined ? {} : { branch }) }];
}

function readBoundary(fields: Fields | undefined): Boundary | undefined {
  const sessionId = asName(fields?.sessionId);
  if (sessionId === undefined) return undefined;
  const id = asName(fields?.id);
  const timestamp = asText(fields?.timestamp);
  return {
    sessionId,
    ...(id === undefined ? {} : { id }),
    ...(timestamp === undefined ? {} : { timestamp }),
  };
}
