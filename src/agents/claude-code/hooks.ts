import type { CallResult } from '../../facts/call/tool-call.ts';
import { omitUndefined } from '../../record/object.ts';
import {
  CLAUDE_EVENTS,
  type ClaudeLikeHooks,
  decodeClaudeLike,
  encodeClaudeLike,
  encodeDecision,
  extractText,
} from '../claude-like-hooks.ts';
import { parseHookResult } from '../copilot/tool-result.ts';
import type { HookProtocol } from '../hook-protocol.ts';
import { asCount, asFields, asName, asText, type Fields } from '../transcript/fields.ts';
import { parseOutcome, type ToolOutcome } from './tool-outcome.ts';

/** The hooks of Claude Code. Copilot runs them too, with similar payloads. */
export const claudeCodeHooks: HookProtocol = {
  canAsk: true,
  acceptsContextBeforeCall: true,
  decode(payload) {
    const message = decodeClaudeLike(payload, HOOKS);
    return message && isFromCopilot(payload) ? { ...message, agent: 'copilot' } : message;
  },
  encode: (reply, message) => encodeClaudeLike(reply, message, encodeDecision),
};

const HOOKS: ClaudeLikeHooks = {
  events: CLAUDE_EVENTS,
  parseResult(fields, eventName) {
    const result = eventName === 'PostToolUse' ? parseSuccess(fields) : parseFailure(fields);
    return { ...result, ...omitUndefined({ durationMs: asCount(fields.duration_ms) }) };
  },
  /** A sub-agent has a session of its own, as in its transcript. */
  toOwnSession(session, fields) {
    const agent = asName(fields.agent_id);
    if (agent === undefined) return session;
    return { ...session, sessionId: `agent-${agent}`, parentSessionId: session.sessionId };
  },
  /** Timers and the program itself submit prompts too. */
  isTyped: ({ source }) => source === undefined || source === 'user' || source === 'sdk',
};

/** Copilot's payload has a timestamp, and no transcript or one with a name of its own. */
function isFromCopilot(payload: unknown): boolean {
  const { timestamp, transcript_path } = asFields(payload) ?? {};
  return timestamp !== undefined && /(?:^|[\\/]events\.jsonl)$/.test(asText(transcript_path) ?? '');
}

/** Claude Code sends this event for successful calls only; Copilot's payload has a result type. */
function parseSuccess({ tool_response, tool_result }: Fields): CallResult {
  const copilot = asFields(tool_result);
  if (copilot !== undefined) return parseHookResult(copilot.result_type, copilot.text_result_for_llm);
  return toResult(parseOutcome({ content: extractText(tool_response) }, tool_response, () => undefined));
}

function parseFailure(fields: Fields): CallResult {
  const output = asText(fields.error) ?? '';
  if (fields.is_interrupt === true) return { status: 'interrupted', output };
  return toResult(parseOutcome({ content: output, is_error: true }, undefined, () => undefined));
}

function toResult(outcome: ToolOutcome): CallResult {
  return outcome.kind === 'ended' ? outcome.result : { status: 'unknown' };
}
