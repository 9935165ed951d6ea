import { omitUndefined } from '../../record/object.ts';
import type { Usage } from '../../record/record.ts';
import { asCount, asFields, asName, asNumber, asObjects, asText, type Fields } from '../transcript/fields.ts';
import { appendBounded } from '../transcript/line-reading.ts';
import { skipTable } from '../transcript/transcript.ts';

/** A call without a result. */
export interface StartedCall {
  readonly callId: string;
  /** The sub-agent that made it; left out for the agent itself. */
  readonly agentId?: string;
}

/** A call whose command continues in the background. It has an exit code once its end was announced. */
export interface BackgroundCall extends StartedCall {
  readonly shell: string;
  readonly exitCode?: number;
}

/** What is needed to continue in the middle of a session. Plain JSON. */
export type ReaderState = {
  readonly sessionId?: string;
  readonly cwd?: string;
  /** Sub-agents whose sessions have been reported. */
  readonly agents: readonly string[];
  readonly open: readonly StartedCall[];
  readonly background: readonly BackgroundCall[];
  readonly isAborted?: boolean;
  /** The request to the model whose usage is known but whose reply was not read yet. */
  readonly request?: ModelRequest | undefined;
  /** Tokens reported with messages since the last total. */
  readonly reported: TokenTotals;
  readonly totals?: TokenTotals;
};

/** A request to the model with its tokens. */
interface ModelRequest {
  readonly id: string;
  readonly tokens: TokenTotals;
}

/** Token counts as Copilot has them: `input` includes tokens read from and written to the cache. */
interface TokenTotals {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** No tokens at all. */
export const NO_TOKENS: TokenTotals = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
const TOKEN_KINDS = ['input', 'output', 'cacheRead', 'cacheWrite'] as const;

/** The state at the beginning of a file. */
export const INITIAL_STATE: ReaderState = { agents: [], open: [], background: [], reported: NO_TOKENS };

/** How many items of each kind are remembered: more are never open at once, and the position has to stay small. */
const MAX_REMEMBERED = 40;

/** The list with one more item; the oldest is dropped when it gets too long. */
export function appendRecent<T>(list: readonly T[], item: T): readonly T[] {
  return appendBounded(list, item, MAX_REMEMBERED);
}

/** Parses a stored state; malformed parts are dropped. */
export function parseState(fields: Fields): ReaderState {
  const totals = asFields(fields.totals);
  return {
    ...omitUndefined({ sessionId: asName(fields.sessionId), cwd: asText(fields.cwd) }),
    agents: Array.isArray(fields.agents) ? fields.agents.flatMap((id) => asName(id) ?? []) : [],
    open: asObjects(fields.open).flatMap((call) => parseOpenCall(call) ?? []),
    background: asObjects(fields.background).flatMap((call) => parseBackgroundCall(call) ?? []),
    ...(fields.isAborted === true ? { isAborted: true } : {}),
    ...omitUndefined({ request: parseRequest(asFields(fields.request)) }),
    reported: parseTotals(asFields(fields.reported) ?? {}),
    ...(totals ? { totals: parseTotals(totals) } : {}),
  };
}

function parseRequest(fields: Fields | undefined): ModelRequest | undefined {
  const id = asName(fields?.id);
  return id === undefined ? undefined : { id, tokens: parseTotals(asFields(fields?.tokens) ?? {}) };
}

function parseOpenCall(fields: Fields): StartedCall | undefined {
  const callId = asName(fields.callId);
  return callId === undefined ? undefined : { callId, ...omitUndefined({ agentId: asName(fields.agentId) }) };
}

function parseBackgroundCall(fields: Fields): BackgroundCall | undefined {
  const call = parseOpenCall(fields);
  const shell = asName(fields.shell);
  if (!call || shell === undefined) return undefined;
  return { ...call, shell, ...omitUndefined({ exitCode: asNumber(fields.exitCode) }) };
}

/** Types of lines that are skipped, and why. */
const SKIPPED_TYPES = skipTable({
  'system prompt': 'system.message',
  'injected text': 'skill.invoked',
  turn: 'assistant.turn_start assistant.turn_end assistant.idle',
  progress:
    'assistant.intent assistant.message_start assistant.message_delta assistant.streaming_delta ' +
    'assistant.tool_call_delta assistant.server_tool_progress assistant.fusion_phase_started ' +
    'assistant.fusion_phase_completed assistant.fusion_phase_failed tool.execution_partial_result ' +
    'tool.execution_progress tool.search_activated session.compaction_start',
  thinking: 'assistant.reasoning assistant.reasoning_delta',
  'usage of one request': 'assistant.usage',
  rewind: 'session.snapshot_rewind',
  notice: 'session.warning',
});

/** Groups of types (before the dot) that are skipped, and why. */
const SKIPPED_GROUPS = skipTable({
  hook: 'hook',
  permission: 'permission',
  'sub-agent': 'subagent',
  'bookkeeping of the session': 'session mcp mcp_app capabilities commands factory canvas binary',
  'command of the program': 'command',
  'question to the user': 'user_input elicitation exit_plan_mode auto_mode_switch session_limits_exhausted',
  progress: 'pending_messages model external_tool sampling',
  notice: 'custom_notification',
});

/** Types that are read although their group is skipped. */
const READ_TYPES: ReadonlySet<string> = new Set([
  'session.start',
  'session.resume',
  'session.context_changed',
  'session.model_change',
  'session.info',
  'session.title_changed',
  'session.error',
  'session.truncation',
  'session.compaction_complete',
  'session.shutdown',
  'session.usage_record',
  'subagent.started',
  'abort',
]);

/** Why lines of a type are skipped; undefined when they are read or the type is unknown. */
export function findSkipReason(type: string): string | undefined {
  if (READ_TYPES.has(type)) return undefined;
  const [group = ''] = type.split('.', 1);
  return SKIPPED_TYPES.get(type) ?? SKIPPED_GROUPS.get(group);
}

function parseTotals(fields: Fields): TokenTotals {
  return {
    input: asCount(fields.input) ?? 0,
    output: asCount(fields.output) ?? 0,
    cacheRead: asCount(fields.cacheRead) ?? 0,
    cacheWrite: asCount(fields.cacheWrite) ?? 0,
  };
}

/** The tokens of a `usage` object in a transcript. */
function parseTokens(usage: Fields | undefined): TokenTotals {
  return {
    input: asCount(usage?.inputTokens) ?? 0,
    output: asCount(usage?.outputTokens) ?? 0,
    cacheRead: asCount(usage?.cacheReadTokens) ?? 0,
    cacheWrite: asCount(usage?.cacheWriteTokens) ?? 0,
  };
}

/** The data of `session.usage_record`, which precedes the reply to the request; undefined without an id. */
export function parseUsageRecord(data: Fields): ModelRequest | undefined {
  const usage = asFields(data.usage);
  const id = asName(usage?.apiCallId);
  return id === undefined ? undefined : { id, tokens: parseTokens(usage) };
}

/** The sum over all models in the data of `session.shutdown`; undefined when nothing was counted. */
export function sumTotals(data: Fields): TokenTotals | undefined {
  const metrics = Object.values(asFields(data.modelMetrics) ?? {});
  const totals = metrics.map((metric) => parseTokens(asFields(asFields(metric)?.usage))).reduce(addTokens, NO_TOKENS);
  return toUsage(totals) && totals;
}

/** The sum of two counts. */
export function addTokens(a: TokenTotals, b: TokenTotals): TokenTotals {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
  };
}

/**
 * The tokens that were not reported before. A resumed session continues counting from its last totals, so these are
 * subtracted if they fit, and so are the tokens that were reported with the messages since.
 */
export function subtractReported(totals: TokenTotals, { totals: before, reported }: ReaderState): Usage | undefined {
  const base = before && TOKEN_KINDS.every((kind) => totals[kind] >= before[kind]) ? before : NO_TOKENS;
  const subtract = (kind: keyof TokenTotals): number => Math.max(0, totals[kind] - base[kind] - reported[kind]);
  return toUsage({
    input: subtract('input'),
    output: subtract('output'),
    cacheRead: subtract('cacheRead'),
    cacheWrite: subtract('cacheWrite'),
  });
}

/** Undefined without any tokens. */
export function toUsage({ input, output, cacheRead, cacheWrite }: TokenTotals): Usage | undefined {
  const inputTokens = Math.max(0, input - cacheRead - cacheWrite);
  const usage = { inputTokens, outputTokens: output, cacheReadTokens: cacheRead, cacheWriteTokens: cacheWrite };
  return Object.values(usage).some((count) => count > 0) ? usage : undefined;
}
