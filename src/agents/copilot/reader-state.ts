import { omitUndefined, type Usage } from '../../record/index.ts';
import { asCount, asFields, asName, asNumber, asObjects, asText, type Fields } from '../transcript/fields.ts';

/** A call whose end has not been seen. */
export interface OpenCall {
  readonly callId: string;
  /** The sub-agent that made it; missing for the agent itself. */
  readonly agentId?: string;
}

/** A call whose command went on in the background; `exitCode` once its end was announced, before its output is read. */
export interface BackgroundCall extends OpenCall {
  readonly shell: string;
  readonly exitCode?: number;
}

/** What has to be known to go on in the middle of a session. Plain JSON. */
export interface ReaderState {
  readonly sessionId?: string;
  readonly cwd?: string;
  /** Sub-agents whose sessions were announced. */
  readonly agents: readonly string[];
  readonly open: readonly OpenCall[];
  readonly background: readonly BackgroundCall[];
  readonly isAborted?: boolean;
  /** Output tokens of messages since the last total. */
  readonly outputTokens: number;
  readonly totals?: TokenTotals;
}

/** At the beginning of a file. */
export const NOTHING_READ: ReaderState = { agents: [], open: [], background: [], outputTokens: 0 };

/** So much is remembered of each kind: more is not open at once, and the position has to stay small. */
const MOST_REMEMBERED = 40;

/** A list with one more at its end, without the oldest where it grows too long. */
export function remembering<T>(list: readonly T[], item: T): readonly T[] {
  return [...list.slice(1 - MOST_REMEMBERED), item];
}

/** The state in a position that was kept; what does not fit is left out. */
export function asReaderState(fields: Fields): ReaderState {
  const totals = asFields(fields.totals);
  return {
    ...omitUndefined({ sessionId: asName(fields.sessionId), cwd: asText(fields.cwd) }),
    agents: Array.isArray(fields.agents) ? fields.agents.flatMap((id) => asName(id) ?? []) : [],
    open: asObjects(fields.open).flatMap((call) => asOpenCall(call) ?? []),
    background: asObjects(fields.background).flatMap((call) => asBackgroundCall(call) ?? []),
    ...(fields.isAborted === true ? { isAborted: true } : {}),
    outputTokens: asCount(fields.outputTokens) ?? 0,
    ...(totals ? { totals: asTotals(totals) } : {}),
  };
}

function asOpenCall(fields: Fields): OpenCall | undefined {
  const callId = asName(fields.callId);
  return callId === undefined ? undefined : { callId, ...omitUndefined({ agentId: asName(fields.agentId) }) };
}

function asBackgroundCall(fields: Fields): BackgroundCall | undefined {
  const call = asOpenCall(fields);
  const shell = asName(fields.shell);
  if (!call || shell === undefined) return undefined;
  return { ...call, shell, ...omitUndefined({ exitCode: asNumber(fields.exitCode) }) };
}

/** Lines from which nothing is made, by their whole type. */
const BY_TYPE: ReadonlyMap<string, string> = new Map([
  ['system.message', 'system prompt'],
  ['skill.invoked', 'injected text'],
  ['assistant.turn_start', 'turn'],
  ['assistant.turn_end', 'turn'],
  ['assistant.idle', 'turn'],
  ['assistant.intent', 'progress'],
  ['assistant.reasoning', 'thinking'],
  ['assistant.reasoning_delta', 'thinking'],
  ['assistant.message_start', 'progress'],
  ['assistant.message_delta', 'progress'],
  ['assistant.streaming_delta', 'progress'],
  ['assistant.tool_call_delta', 'progress'],
  ['assistant.server_tool_progress', 'progress'],
  ['assistant.fusion_phase_started', 'progress'],
  ['assistant.fusion_phase_completed', 'progress'],
  ['assistant.fusion_phase_failed', 'progress'],
  ['assistant.usage', 'usage of one request'],
  ['tool.execution_partial_result', 'progress'],
  ['tool.execution_progress', 'progress'],
  ['tool.search_activated', 'progress'],
  ['session.compaction_start', 'progress'],
  ['session.snapshot_rewind', 'rewind'],
  ['session.warning', 'notice'],
]);

/** And by what it begins with. */
const BY_GROUP: ReadonlyMap<string, string> = new Map([
  ['hook', 'hook'],
  ['permission', 'permission'],
  ['subagent', 'sub-agent'],
  ['session', 'bookkeeping of the session'],
  ['command', 'command of the program'],
  ['user_input', 'question to the user'],
  ['elicitation', 'question to the user'],
  ['exit_plan_mode', 'question to the user'],
  ['auto_mode_switch', 'question to the user'],
  ['session_limits_exhausted', 'question to the user'],
  ['pending_messages', 'progress'],
  ['model', 'progress'],
  ['external_tool', 'progress'],
  ['sampling', 'progress'],
  ['mcp', 'bookkeeping of the session'],
  ['mcp_app', 'bookkeeping of the session'],
  ['capabilities', 'bookkeeping of the session'],
  ['commands', 'bookkeeping of the session'],
  ['factory', 'bookkeeping of the session'],
  ['canvas', 'bookkeeping of the session'],
  ['binary', 'bookkeeping of the session'],
  ['custom_notification', 'notice'],
]);

/** Types that say something, though their group mostly says nothing. */
const OF_INTEREST: ReadonlySet<string> = new Set([
  'session.start',
  'session.resume',
  'session.context_changed',
  'session.model_change',
  'session.info',
  'session.error',
  'session.truncation',
  'session.compaction_complete',
  'session.shutdown',
  'subagent.started',
  'abort',
]);

/** Why nothing is made of a line of this type; undefined when something may be, or the type is unknown. */
export function reasonToSkip(type: string): string | undefined {
  if (OF_INTEREST.has(type)) return undefined;
  const [group = ''] = type.split('.', 1);
  return BY_TYPE.get(type) ?? BY_GROUP.get(group);
}

/** Tokens of a whole session, as Copilot counts them: `input` contains what came from and went to the cache. */
interface TokenTotals {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

const NONE: TokenTotals = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
const KINDS = ['input', 'output', 'cacheRead', 'cacheWrite'] as const;

/** Totals from plain JSON; what is no count is zero. */
function asTotals(fields: Fields): TokenTotals {
  return {
    input: asCount(fields.input) ?? 0,
    output: asCount(fields.output) ?? 0,
    cacheRead: asCount(fields.cacheRead) ?? 0,
    cacheWrite: asCount(fields.cacheWrite) ?? 0,
  };
}

/** The sum over all models in the data of `session.shutdown`; undefined when nothing was counted. */
export function shutdownTotals(data: Fields): TokenTotals | undefined {
  let totals = NONE;
  for (const metric of Object.values(asFields(data.modelMetrics) ?? {})) {
    const usage = asFields(asFields(metric)?.usage) ?? {};
    totals = {
      input: totals.input + (asCount(usage.inputTokens) ?? 0),
      output: totals.output + (asCount(usage.outputTokens) ?? 0),
      cacheRead: totals.cacheRead + (asCount(usage.cacheReadTokens) ?? 0),
      cacheWrite: totals.cacheWrite + (asCount(usage.cacheWriteTokens) ?? 0),
    };
  }
  return KINDS.some((kind) => totals[kind] > 0) ? totals : undefined;
}

/**
 * What the totals tell that was not told before: a session that is resumed counts on from its last totals, so they are
 * subtracted where they fit in, and so are the output tokens that came with the messages since.
 */
export function usageSince(
  totals: TokenTotals,
  before: TokenTotals | undefined,
  outputTokens: number,
): Usage | undefined {
  const base = before && KINDS.every((kind) => totals[kind] >= before[kind]) ? before : NONE;
  const cacheReadTokens = totals.cacheRead - base.cacheRead;
  const cacheWriteTokens = totals.cacheWrite - base.cacheWrite;
  const inputTokens = Math.max(0, totals.input - base.input - cacheReadTokens - cacheWriteTokens);
  const output = Math.max(0, totals.output - base.output - outputTokens);
  const usage = { inputTokens, outputTokens: output, cacheReadTokens, cacheWriteTokens };
  return Object.values(usage).some((count) => count > 0) ? usage : undefined;
}
