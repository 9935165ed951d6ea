import { omitUndefined } from '../../record/index.ts';
import {
  asFields,
  asInteger,
  asList,
  asName,
  asNumber,
  asObjects,
  asText,
  asTime,
  type Fields,
} from '../transcript/fields.ts';
import type { CallFacts } from './call-tracker.ts';

/** What the session said last of itself. */
interface KnownSession {
  readonly id: string;
  readonly cwd?: string;
  readonly model?: string;
}

/** A text that was told, of which a copy may follow: the same is written as an item and as an event. */
type ToldText = readonly [from: 'item' | 'event', role: 'user' | 'assistant', hash: number];

/** A call whose process goes on: its number, the call, and the beginning of what it wrote. */
type RunningCall = readonly [processId: string, callId: string, output: string];

/** The calls of a rollout that something may still be said about. */
export interface CallsState {
  /** Calls without a result, by the tool. */
  readonly open: readonly (readonly [callId: string, tool: string])[];
  readonly running: readonly RunningCall[];
  /** Calls that ask for more of a running process. */
  readonly looks: readonly (readonly [callId: string, processId: string])[];
  /** Calls that have a result. */
  readonly ended: readonly string[];
  readonly facts: readonly (CallFacts & { readonly callId: string })[];
}

/** What has to be known of the lines before, to go on in a rollout. */
export type RolloutState = {
  readonly session?: KnownSession;
  readonly gate?: ForkGate;
  readonly told: readonly ToldText[];
  readonly calls: CallsState;
  /** The tokens of the whole session when they were told last. */
  readonly tokens?: number;
};

const NO_CALLS: CallsState = { open: [], running: [], looks: [], ended: [], facts: [] };

const KEPT = 24;
const LONGEST_BEGINNING = 300;

/** Processes that run at a time; of each the beginning of its output is kept. */
export const MOST_RUNNING = 8;

/** The list with one more at its end, without the oldest. */
export function withNewest<T>(list: readonly T[], newest: T, kept: number = KEPT): readonly T[] {
  return [...list, newest].slice(-kept);
}

/** As much of an output as is kept while its process runs. */
export function beginningOf(output: string): string {
  return output.length <= LONGEST_BEGINNING ? output : `${output.slice(0, LONGEST_BEGINNING)}\n…\n`;
}

/** A state that was kept; what makes no sense in it is left out. */
export function readState(fields: Fields | undefined): RolloutState {
  return {
    told: asList(fields?.told).flatMap(readTold),
    calls: readCalls(asFields(fields?.calls)),
    ...omitUndefined({
      session: readSession(asFields(fields?.session)),
      gate: readGate(asFields(fields?.gate)),
      tokens: asNumber(fields?.tokens),
    }),
  };
}

function readCalls(fields: Fields | undefined): CallsState {
  if (!fields) return NO_CALLS;
  return {
    open: readPairs(fields.open),
    running: asList(fields.running).flatMap((item) => {
      const [processId, callId, output] = asList(item);
      const isWhole =
        typeof processId === 'string' && typeof callId === 'string' && typeof output === 'string';
      return isWhole ? [[processId, callId, output] as const] : [];
    }),
    looks: readPairs(fields.looks),
    ended: asList(fields.ended).flatMap((id) => asName(id) ?? []),
    facts: asObjects(fields.facts).flatMap((facts) => {
      const callId = asName(facts.callId);
      return callId === undefined ? [] : [{ callId, ...readFacts(facts) }];
    }),
  };
}

function readTold(value: unknown): readonly ToldText[] {
  const [from, role, hash] = asList(value);
  if ((from !== 'item' && from !== 'event') || (role !== 'user' && role !== 'assistant')) return [];
  return typeof hash === 'number' ? [[from, role, hash]] : [];
}

function readPairs(value: unknown): readonly (readonly [string, string])[] {
  return asList(value).flatMap((pair) => {
    const [first, second] = asList(pair);
    return typeof first === 'string' && typeof second === 'string' ? [[first, second] as const] : [];
  });
}

function readSession(fields: Fields | undefined): KnownSession | undefined {
  const id = asName(fields?.id);
  return id === undefined
    ? undefined
    : omitUndefined({ id, cwd: asText(fields?.cwd), model: asName(fields?.model) });
}

function readFacts(fields: Fields): CallFacts {
  return {
    ...omitUndefined({ exitCode: asInteger(fields.exitCode), durationMs: asNumber(fields.durationMs) }),
    ...(fields.isError === true ? { isError: true } : {}),
  };
}

/**
 * A rollout that was forked, or that a sub-agent began with its parent's context, starts with a copy of the parent's
 * lines, written anew with the time of the fork. What is copied is in the rollout of the parent and is not told again.
 */
interface ForkGate {
  /** When the session began, in milliseconds. */
  readonly since: number;
  /** Whether turns in the copy have ids that tell their time. */
  readonly hasTimedTurns: boolean;
}

/** The whole copy is written at once; who forks then types. */
const COPIED_WITHIN_MS = 3000;
const TIMED_ID = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** The time in an id of version 7, in milliseconds; undefined for other ids. */
function timeOfId(id: string | undefined): number | undefined {
  const parts = id === undefined ? undefined : TIMED_ID.exec(id);
  return parts ? Number.parseInt(`${parts[1]}${parts[2]}`, 16) : undefined;
}

/** The gate before what is the session's own. */
export function gateFor(sessionId: string, startedAt: string | undefined): ForkGate | undefined {
  const since = timeOfId(sessionId) ?? (startedAt === undefined ? undefined : Date.parse(startedAt));
  return since === undefined ? undefined : { since, hasTimedTurns: false };
}

/** The gate after a line; undefined when the line is the session's own, and all after it are. */
export function passGate(gate: ForkGate, line: Fields, payload: Fields): ForkGate | undefined {
  const turn = timeOfId(asName(payload.turn_id));
  if (turn !== undefined) return turn >= gate.since ? undefined : { ...gate, hasTimedTurns: true };
  if (gate.hasTimedTurns || asText(line.type) === 'session_meta') return gate;
  const written = asTime(line.timestamp);
  return written !== undefined && Date.parse(written) > gate.since + COPIED_WITHIN_MS ? undefined : gate;
}

/** A gate that was kept. */
function readGate(fields: Fields | undefined): ForkGate | undefined {
  const since = asNumber(fields?.since);
  return since === undefined ? undefined : { since, hasTimedTurns: fields?.hasTimedTurns === true };
}

/** Parts of a rollout from which nothing is made, and why: types of lines, of events and of response items. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ['world_state', 'bookkeeping'],
  ['security_risk_score', 'bookkeeping'],
  ['token_usage_record', 'bookkeeping'],
  ['inter_agent_communication', 'message of another agent'],
  ['inter_agent_communication_metadata', 'message of another agent'],
  ['agent_message_item', 'message of another agent'],
  ['reasoning', 'thinking'],
  ['agent_reasoning', 'thinking'],
  ['agent_reasoning_raw_content', 'thinking'],
  ['agent_reasoning_section_break', 'thinking'],
  ['ghost_snapshot', 'file snapshot'],
  ['compaction', 'copy of a compaction'],
  ['compaction_summary', 'copy of a compaction'],
  ['context_compaction', 'copy of a compaction'],
  ['compaction_trigger', 'copy of a compaction'],
  ['context_compacted', 'copy of a compaction'],
  ['other', 'bookkeeping'],
  ['task_started', 'bookkeeping'],
  ['turn_started', 'bookkeeping'],
  ['task_complete', 'bookkeeping'],
  ['turn_complete', 'bookkeeping'],
  ['turn_diff', 'bookkeeping'],
  ['thread_rolled_back', 'bookkeeping'],
  ['thread_name_updated', 'title'],
  ['thread_settings_applied', 'settings of the session'],
  ['thread_goal_updated', 'settings of the session'],
  ['session_configured', 'settings of the session'],
  ['model_reroute', 'settings of the session'],
  ['plan_update', 'plan'],
  ['plan_delta', 'plan'],
  ['entered_review_mode', 'review mode'],
  ['exited_review_mode', 'review mode'],
  ['undo_started', 'notice'],
  ['undo_completed', 'notice'],
  ['warning', 'notice'],
  ['guardian_warning', 'notice'],
  ['deprecation_notice', 'notice'],
  ['background_event', 'notice'],
  ['stream_error', 'error that was tried again'],
  ['hook_started', 'hook report'],
  ['hook_completed', 'hook report'],
  ['item_started', 'progress'],
  ['exec_command_begin', 'progress'],
  ['exec_command_output_delta', 'progress'],
  ['terminal_interaction', 'progress'],
  ['patch_apply_begin', 'progress'],
  ['patch_apply_updated', 'progress'],
  ['mcp_tool_call_begin', 'progress'],
  ['mcp_startup_update', 'progress'],
  ['mcp_startup_complete', 'progress'],
  ['web_search_begin', 'progress'],
  ['image_generation_begin', 'progress'],
  ['dynamic_tool_call_request', 'progress'],
  ['web_search_end', 'copy of a call'],
  ['image_generation_end', 'copy of a call'],
  ['view_image_tool_call', 'copy of a call'],
  ['dynamic_tool_call_response', 'copy of a call'],
  ['exec_approval_request', 'question to the user'],
  ['apply_patch_approval_request', 'question to the user'],
  ['request_permissions', 'question to the user'],
  ['request_user_input', 'question to the user'],
  ['elicitation_request', 'question to the user'],
  ['guardian_assessment', 'question to the user'],
  ['sub_agent_activity', 'activity of another agent'],
]);

/** Why nothing is made of parts of this type; undefined if something is, or nobody knows the type. */
export function partReason(type: string): string | undefined {
  return type.startsWith('collab_') ? 'activity of another agent' : REASONS.get(type);
}

/** The type of a line's payload, where only plain fields stand before it. */
const PAYLOAD_IN_HEAD =
  /^\{(?:"[a-z_]+":(?:"[^"\\]*"|true|false|null|-?\d+),)*?"type":"(?:event_msg|response_item)","payload":\{(?:"[a-z_]+":(?:"[^"\\]*"|true|false|null|-?\d+),)*?"type":"(reasoning|agent_reasoning|turn_diff|exec_command_output_delta)"/;

/** As {@link partReason}, from the first bytes of a line: of what is large and often there. */
export function headReason(head: string): string | undefined {
  const type = PAYLOAD_IN_HEAD.exec(head)?.[1];
  return type === undefined ? undefined : REASONS.get(type);
}
