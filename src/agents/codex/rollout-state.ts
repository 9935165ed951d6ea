import { textHash } from '../../record/id.ts';
import { omitUndefined } from '../../record/object.ts';
import {
  asFields,
  asInteger,
  asList,
  asName,
  asNumber,
  asObjects,
  asPairs,
  asText,
  asTime,
  type Fields,
} from '../transcript/fields.ts';
import { appendBounded } from '../transcript/line-reading.ts';
import { skipTable } from '../transcript/transcript.ts';

/** The current facts of the session. */
interface KnownSession {
  readonly id: string;
  readonly cwd?: string;
  readonly model?: string;
}

/** A text that was reported and may come again: Codex writes it as an item and as an event. */
type ReportedText = readonly [from: 'item' | 'event', role: 'user' | 'assistant', hash: number];

/** How many characters of a text are compared to recognise a copy. */
const COMPARED_LENGTH = 500;

/** The hash by which a copy is recognised. Items and events join the parts of a user's message with different white space. */
export function hashMessage(role: 'user' | 'assistant', text: string): number {
  if (role === 'assistant') return textHash(text.slice(0, COMPARED_LENGTH));
  return textHash(
    text
      .slice(0, 4 * COMPARED_LENGTH)
      .replace(/\s+/g, '')
      .slice(0, COMPARED_LENGTH),
  );
}

/** A call whose process is still running: its process id, the call, and the beginning of its output. */
type RunningCall = readonly [processId: string, callId: string, output: string];

/** What events say about a call. */
export interface CallFacts {
  readonly exitCode?: number;
  readonly durationMs?: number;
  readonly isError?: boolean;
  /** The process was still running when the session ended, like a server. */
  readonly wasStopped?: boolean;
}

/** The calls of a rollout about which more may follow. */
export interface CallsState {
  /** Calls without a result, with their tool. */
  readonly open: readonly (readonly [callId: string, tool: string])[];
  readonly running: readonly RunningCall[];
  /** Calls that poll a running process. */
  readonly polls: readonly (readonly [callId: string, processId: string])[];
  /** Calls with a result. */
  readonly ended: readonly string[];
  readonly facts: readonly (CallFacts & { readonly callId: string })[];
}

/** A script in code mode that has not ended. */
export interface OpenScript {
  readonly callId: string;
  readonly text: string;
  /** It makes no calls, or they are known. */
  readonly isCovered: boolean;
}

/** What is needed to continue in the middle of a rollout. */
export type RolloutState = {
  readonly session?: KnownSession;
  readonly forkFilter?: ForkFilter;
  readonly reported: readonly ReportedText[];
  readonly calls: CallsState;
  readonly scripts: readonly OpenScript[];
  /** The last reported token total of the session. */
  readonly tokens?: number;
};

const NO_CALLS: CallsState = { open: [], running: [], polls: [], ended: [], facts: [] };

const MAX_RECENT = 24;
const MAX_KEPT_OUTPUT = 300;

/** How many running processes are remembered, each with the beginning of its output. */
export const MAX_RUNNING = 8;

/** How many open scripts are remembered. */
export const MAX_SCRIPTS = 8;

/** The list with one more item; the oldest is dropped when it gets too long. */
export function appendRecent<T>(list: readonly T[], item: T): readonly T[] {
  return appendBounded(list, item, MAX_RECENT);
}

/** The beginning of an output, as it is kept while its process runs. */
export function truncateOutput(output: string): string {
  return output.length <= MAX_KEPT_OUTPUT ? output : `${output.slice(0, MAX_KEPT_OUTPUT)}\n…\n`;
}

/** Parses a stored state; malformed parts are dropped. */
export function parseState(fields: Fields | undefined): RolloutState {
  return {
    reported: asList(fields?.reported).flatMap(parseReported),
    calls: parseCalls(asFields(fields?.calls)),
    scripts: asObjects(fields?.scripts).flatMap(({ callId, text, isCovered }) => {
      const id = asName(callId);
      return id === undefined ? [] : [{ callId: id, text: asText(text) ?? '', isCovered: isCovered === true }];
    }),
    ...omitUndefined({
      session: parseSession(asFields(fields?.session)),
      forkFilter: parseForkFilter(asFields(fields?.forkFilter)),
      tokens: asNumber(fields?.tokens),
    }),
  };
}

function parseCalls(fields: Fields | undefined): CallsState {
  if (!fields) return NO_CALLS;
  return {
    open: asPairs(fields.open),
    running: asList(fields.running).flatMap((item) => {
      const [processId, callId, output] = asList(item);
      const isComplete = typeof processId === 'string' && typeof callId === 'string' && typeof output === 'string';
      return isComplete ? [[processId, callId, output] as const] : [];
    }),
    polls: asPairs(fields.polls),
    ended: asList(fields.ended).flatMap((id) => asName(id) ?? []),
    facts: asObjects(fields.facts).flatMap((facts) => {
      const callId = asName(facts.callId);
      return callId === undefined ? [] : [{ callId, ...parseFacts(facts) }];
    }),
  };
}

function parseReported(value: unknown): readonly ReportedText[] {
  const [from, role, hash] = asList(value);
  if ((from !== 'item' && from !== 'event') || (role !== 'user' && role !== 'assistant')) return [];
  return typeof hash === 'number' ? [[from, role, hash]] : [];
}

function parseSession(fields: Fields | undefined): KnownSession | undefined {
  const id = asName(fields?.id);
  return id === undefined ? undefined : omitUndefined({ id, cwd: asText(fields?.cwd), model: asName(fields?.model) });
}

function parseFacts(fields: Fields): CallFacts {
  return {
    ...omitUndefined({ exitCode: asInteger(fields.exitCode), durationMs: asNumber(fields.durationMs) }),
    ...(fields.isError === true ? { isError: true } : {}),
  };
}

/**
 * Skips the copied beginning of a rollout. A forked session, or a sub-agent with its parent's context, starts with a copy of
 * the parent's lines, rewritten with the time of the fork. They are in the parent's rollout too.
 */
interface ForkFilter {
  /** When the session began, in epoch milliseconds. */
  readonly since: number;
  /** Whether turns in the copy have ids with a time. */
  readonly hasTimedTurns: boolean;
}

/** The copy is written at once; the user types the next prompt later. */
const COPIED_WITHIN_MS = 3000;
const TIMED_ID = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** The time in a version 7 id, in epoch milliseconds; undefined for other ids. */
function parseIdTime(id: string | undefined): number | undefined {
  const parts = id === undefined ? undefined : TIMED_ID.exec(id);
  return parts ? Number.parseInt(`${parts[1]}${parts[2]}`, 16) : undefined;
}

/** The filter at the beginning of a forked session; undefined if its start is unknown. */
export function createForkFilter(sessionId: string, startedAt: string | undefined): ForkFilter | undefined {
  const since = parseIdTime(sessionId) ?? (startedAt === undefined ? undefined : Date.parse(startedAt));
  return since === undefined ? undefined : { since, hasTimedTurns: false };
}

/** The filter after a line; undefined when the line is the session's own, like all that follow. */
export function advanceForkFilter(filter: ForkFilter, line: Fields, payload: Fields): ForkFilter | undefined {
  const turn = parseIdTime(asName(payload.turn_id));
  if (turn !== undefined) return turn >= filter.since ? undefined : { ...filter, hasTimedTurns: true };
  if (filter.hasTimedTurns || asText(line.type) === 'session_meta') return filter;
  const written = asTime(line.timestamp);
  return written !== undefined && Date.parse(written) > filter.since + COPIED_WITHIN_MS ? undefined : filter;
}

function parseForkFilter(fields: Fields | undefined): ForkFilter | undefined {
  const since = asNumber(fields?.since);
  return since === undefined ? undefined : { since, hasTimedTurns: fields?.hasTimedTurns === true };
}

/** Types of lines, events and response items that are skipped, and why. */
export const SKIP_REASONS: ReadonlyMap<string, string> = skipTable({
  bookkeeping:
    'world_state security_risk_score token_usage_record other task_started turn_started ' +
    'task_complete turn_complete turn_diff thread_rolled_back',
  'message of another agent': 'inter_agent_communication inter_agent_communication_metadata agent_message_item',
  thinking: 'reasoning agent_reasoning agent_reasoning_raw_content agent_reasoning_section_break',
  'file snapshot': 'ghost_snapshot',
  'copy of a compaction': 'compaction compaction_summary context_compaction compaction_trigger context_compacted',
  'settings of the session':
    'additional_tools thread_settings_applied thread_goal_updated session_configured model_reroute',
  plan: 'plan_update plan_delta',
  'review mode': 'entered_review_mode exited_review_mode',
  notice: 'undo_started undo_completed warning guardian_warning deprecation_notice background_event',
  'error that was retried': 'stream_error',
  'hook report': 'hook_started hook_completed',
  progress:
    'item_started exec_command_begin exec_command_output_delta terminal_interaction ' +
    'patch_apply_begin patch_apply_updated mcp_tool_call_begin mcp_startup_update ' +
    'mcp_startup_complete web_search_begin image_generation_begin dynamic_tool_call_request',
  'copy of a call': 'web_search_end image_generation_end view_image_tool_call dynamic_tool_call_response',
  'question to the user':
    'exec_approval_request apply_patch_approval_request request_permissions request_user_input ' +
    'elicitation_request guardian_assessment',
  'activity of another agent': 'sub_agent_activity',
});

/** The type of a line's payload, if only plain fields precede it. */
const PAYLOAD_IN_HEAD =
  /^\{(?:"[a-z_]+":(?:"[^"\\]*"|true|false|null|-?\d+),)*?"type":"(?:event_msg|response_item)","payload":\{(?:"[a-z_]+":(?:"[^"\\]*"|true|false|null|-?\d+),)*?"type":"(reasoning|agent_reasoning|turn_diff|exec_command_output_delta)"/;

/** Why a line is skipped, if its first bytes show it: for large and frequent types. */
export function findSkipReasonInHead(head: string): string | undefined {
  const type = PAYLOAD_IN_HEAD.exec(head)?.[1];
  return type === undefined ? undefined : SKIP_REASONS.get(type);
}
