import { omitUndefined } from '../../record/object.ts';
import type { Usage } from '../../record/record.ts';
import { asCount, asFields, asName, asNumber, asObjects, asText, type Fields } from '../transcript/fields.ts';
import { appendBounded } from '../transcript/line-reading.ts';
import { skipTable } from '../transcript/transcript.ts';

/** A call without a result. */
export interface OpenCall {
  readonly callId: string;
  /** The sub-agent that made it; left out for the agent itself. */
  readonly agentId?: string;
}

/** A call whose command continues in the background. It has an exit code once its end was announced. */
export interface BackgroundCall extends OpenCall {
  readonly shell: string;
  readonly exitCode?: number;
}

/** What is needed to continue in the middle of a session. Plain JSON. */
export type ReaderState = {
  readonly sessionId?: string;
  readonly cwd?: string;
  /** Sub-agents whose sessions have been reported. */
  readonly agents: readonly string[];
  readonly open: readonly OpenCall[];
  readonly background: readonly BackgroundCall[];
  readonly isAborted?: boolean;
  /** Output tokens of messages since the last total. */
  readonly outputTokens: number;
  readonly totals?: TokenTotals;
};

/** The state at the beginning of a file. */
export const INITIAL_STATE: ReaderState = { agents: [], open: [], background: [], outputTokens: 0 };

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
    outputTokens: asCount(fields.outputTokens) ?? 0,
    ...(totals ? { totals: parseTotals(totals) } : {}),
  };
}

function parseOpenCall(fields: Fields): OpenCall | undefined {
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
  'subagent.started',
  'abort',
]);

/** Why lines of a type are skipped; undefined when they are read or the type is unknown. */
export function findSkipReason(type: string): string | undefined {
  if (READ_TYPES.has(type)) return undefined;
  const [group = ''] = type.split('.', 1);
  return SKIPPED_TYPES.get(type) ?? SKIPPED_GROUPS.get(group);
}

/** Token totals of a session as Copilot counts them: `input` includes tokens read from and written to the cache. */
interface TokenTotals {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

const NO_TOKENS: TokenTotals = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
const TOKEN_KINDS = ['input', 'output', 'cacheRead', 'cacheWrite'] as const;

function parseTotals(fields: Fields): TokenTotals {
  return {
    input: asCount(fields.input) ?? 0,
    output: asCount(fields.output) ?? 0,
    cacheRead: asCount(fields.cacheRead) ?? 0,
    cacheWrite: asCount(fields.cacheWrite) ?? 0,
  };
}

/** The sum over all models in the data of `session.shutdown`; undefined when nothing was counted. */
export function sumTotals(data: Fields): TokenTotals | undefined {
  let totals = NO_TOKENS;
  for (const metric of Object.values(asFields(data.modelMetrics) ?? {})) {
    const usage = asFields(asFields(metric)?.usage) ?? {};
    totals = {
      input: totals.input + (asCount(usage.inputTokens) ?? 0),
      output: totals.output + (asCount(usage.outputTokens) ?? 0),
      cacheRead: totals.cacheRead + (asCount(usage.cacheReadTokens) ?? 0),
      cacheWrite: totals.cacheWrite + (asCount(usage.cacheWriteTokens) ?? 0),
    };
  }
  return TOKEN_KINDS.some((kind) => totals[kind] > 0) ? totals : undefined;
}

/**
 * The usage that was not reported before. A resumed session continues counting from its last totals, so these are
 * subtracted if they fit, and so are the output tokens that were reported with the messages since.
 */
export function subtractReported(
  totals: TokenTotals,
  before: TokenTotals | undefined,
  outputTokens: number,
): Usage | undefined {
  const base = before && TOKEN_KINDS.every((kind) => totals[kind] >= before[kind]) ? before : NO_TOKENS;
  const cacheReadTokens = totals.cacheRead - base.cacheRead;
  const cacheWriteTokens = totals.cacheWrite - base.cacheWrite;
  const inputTokens = Math.max(0, totals.input - base.input - cacheReadTokens - cacheWriteTokens);
  const output = Math.max(0, totals.output - base.output - outputTokens);
  const usage = { inputTokens, outputTokens: output, cacheReadTokens, cacheWriteTokens };
  return Object.values(usage).some((count) => count > 0) ? usage : undefined;
}
