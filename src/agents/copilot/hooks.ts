import { claudeCodeHooks } from '../claude-code/hooks.ts';
import { type ClaudeLikeHooks, decodeClaudeLike, toDenial, truncateReply } from '../claude-like-hooks.ts';
import type { HookMessage, HookProtocol, HookReply } from '../hook-protocol.ts';
import { asFields, asName, type Fields } from '../transcript/fields.ts';
import { parseHookResult, toCallResult } from './tool-result.ts';

/**
 * The hooks of Copilot CLI. Events with names such as `preToolUse` have payloads of their own that do not name the event;
 * those with names such as `PreToolUse` are like Claude Code's. A hook that fails before a call blocks the call.
 */
export const copilotHooks: HookProtocol = {
  canAsk: false,
  acceptsContextBeforeCall: false,
  decode(payload, event) {
    const fields = asFields(payload);
    if (fields === undefined) return undefined;
    if (fields.session_id !== undefined) {
      const name = asName(fields.hook_event_name) ?? event;
      const message = claudeCodeHooks.decode({ ...fields, hook_event_name: name });
      return message && { ...message, agent: 'copilot' };
    }
    const name = event ?? fields.hook_event_name ?? fields.hookEventName;
    return decodeClaudeLike({ ...toClaudeLike(fields), hook_event_name: name }, HOOKS);
  },
  encode(reply: HookReply, message: HookMessage): string {
    const { name, event } = message;
    if (/^[A-Z]/.test(name)) return claudeCodeHooks.encode(toDenial(reply), message);
    if (event.type === 'beforeCall') {
      if (reply.decision === undefined) return '';
      return JSON.stringify({
        permissionDecision: 'deny',
        permissionDecisionReason: truncateReply(reply.decision.reason),
      });
    }
    // Copilot drops context for a prompt.
    const acceptsContext = event.type === 'start' || event.type === 'afterCall';
    return acceptsContext && reply.context !== undefined
      ? JSON.stringify({ additionalContext: truncateReply(reply.context) })
      : '';
  },
};

/** The events that yore installs hooks for, and what they mean. */
export const EVENTS: ClaudeLikeHooks['events'] = {
  sessionStart: 'start',
  userPromptSubmitted: 'prompt',
  preToolUse: 'beforeCall',
  postToolUse: 'afterCall',
  postToolUseFailure: 'afterCall',
  agentStop: 'stop',
  subagentStop: 'subagentStop',
  preCompact: 'beforeCompaction',
  sessionEnd: 'end',
};

const HOOKS: ClaudeLikeHooks = {
  events: EVENTS,
  parseResult: ({ toolResult, error }, eventName) =>
    eventName === 'postToolUse'
      ? parseHookResult(asFields(toolResult)?.resultType, asFields(toolResult)?.textResultForLlm)
      : toCallResult({ success: false, error }),
};

/** The same payload with the field names of Claude Code. */
function toClaudeLike(fields: Fields): Fields {
  return {
    ...fields,
    session_id: fields.sessionId,
    transcript_path: fields.transcriptPath,
    agent_transcript_path: fields.transcriptPath,
    tool_name: fields.toolName,
    tool_input: fields.toolArgs,
    tool_use_id: fields.toolCallId,
  };
}
