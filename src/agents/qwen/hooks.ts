import { omitUndefined } from '../../record/object.ts';
import {
  CLAUDE_EVENTS,
  type ClaudeLikeHooks,
  decodeClaudeLike,
  encodeClaudeLike,
  encodeDecision,
} from '../claude-like-hooks.ts';
import { parseToolResponse, parseToolText } from '../gemini/content.ts';
import type { HookProtocol } from '../hook-protocol.ts';
import { asCount, asFields, asName, asText } from '../transcript/fields.ts';

/** The hooks of Qwen Code. Context before a call does not reach the model. */
export const qwenHooks: HookProtocol = {
  canAsk: true,
  acceptsContextBeforeCall: false,
  decode(payload) {
    const fields = asFields(payload);
    if (fields === undefined) return undefined;
    // `tool_use_id` is made up for each event; `tool_call_id` is the id in the transcript. The prompt may have been expanded.
    const { tool_call_id, submitted_prompt, prompt } = fields;
    const own = { ...fields, tool_use_id: tool_call_id, prompt: submitted_prompt ?? prompt };
    return decodeClaudeLike(own, HOOKS);
  },
  encode: (reply, message) => encodeClaudeLike(reply, message, encodeDecision),
};

const HOOKS: ClaudeLikeHooks = {
  events: CLAUDE_EVENTS,
  parseResult(fields, eventName) {
    const durationMs = asCount(fields.duration_ms);
    const error = asText(fields.error) ?? '';
    if (fields.is_interrupt === true) return { status: 'interrupted', output: error };
    const result = eventName === 'PostToolUse' ? parseToolResponse(fields.tool_response) : parseToolText(error, true);
    return { ...result, ...omitUndefined({ durationMs }) };
  },
  /** As in the transcript of a sub-agent. */
  toOwnSession(session, fields) {
    const agent = asName(fields.agent_id);
    if (agent === undefined) return session;
    return {
      ...session,
      sessionId: `${session.sessionId}-agent-${agent}`,
      parentSessionId: session.sessionId,
    };
  },
  /** The event also comes, without a prompt, when tool results go back to the model. */
  isTyped: ({ prompt }) => prompt !== '',
};
