import type { CallResult } from '../../memory/index.ts';
import { omitUndefined } from '../../record/object.ts';
import { claudeCodeHooks } from '../claude-code/hooks.ts';
import { parseInput, parseStart, toDenial, truncate } from '../claude-like-hooks.ts';
import type {
  HookCall,
  HookEvent,
  HookMessage,
  HookProtocol,
  HookReply,
  HookSession,
} from '../hook-protocol.ts';
import { asAbsolutePath, asFields, asName, asText, type Fields } from '../transcript/fields.ts';
import { parseCallEnd } from './tool-result.ts';

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
    const name = event ?? asName(fields.hook_event_name) ?? asName(fields.hookEventName);
    const session = parseSession(fields);
    if (name === undefined || session === undefined) return undefined;
    const decoded = parseEvent(name, fields);
    return decoded && { name, session, event: decoded };
  },
  encode(reply: HookReply, message: HookMessage): string {
    const { name, event } = message;
    if (/^[A-Z]/.test(name)) return claudeCodeHooks.encode(toDenial(reply), message);
    if (event.type === 'beforeCall') {
      if (reply.decision === undefined) return '';
      return JSON.stringify({
        permissionDecision: 'deny',
        permissionDecisionReason: truncate(reply.decision.reason),
      });
    }
    // Copilot drops context for a prompt.
    const acceptsContext = event.type === 'start' || event.type === 'afterCall';
    return acceptsContext && reply.context !== undefined
      ? JSON.stringify({ additionalContext: truncate(reply.context) })
      : '';
  },
};

function parseSession(fields: Fields): HookSession | undefined {
  const sessionId = asName(fields.sessionId);
  const cwd = asAbsolutePath(fields.cwd);
  if (sessionId === undefined || cwd === undefined) return undefined;
  return { sessionId, cwd, ...omitUndefined({ transcriptPath: asAbsolutePath(fields.transcriptPath) }) };
}

function parseEvent(name: string, fields: Fields): HookEvent | undefined {
  switch (name) {
    case 'sessionStart':
      return parseStart(fields.source);
    case 'userPromptSubmitted': {
      const text = asText(fields.prompt);
      return text === undefined ? undefined : { type: 'prompt', text };
    }
    case 'preToolUse': {
      const call = parseCall(fields);
      return call && { type: 'beforeCall', call };
    }
    case 'postToolUse': {
      const call = parseCall(fields);
      return call && { type: 'afterCall', call, result: parseResult(asFields(fields.toolResult)) };
    }
    case 'postToolUseFailure': {
      const call = parseCall(fields);
      return call && { type: 'afterCall', call, result: toResult({ success: false, error: fields.error }) };
    }
    case 'agentStop':
      return { type: 'stop' };
    case 'subagentStop':
      return {
        type: 'subagentStop',
        ...omitUndefined({ transcriptPath: asAbsolutePath(fields.transcriptPath) }),
      };
    case 'preCompact':
      return { type: 'beforeCompaction' };
    case 'sessionEnd':
      return { type: 'end' };
    default:
      return { type: 'other' };
  }
}

function parseCall(fields: Fields): HookCall | undefined {
  const tool = asName(fields.toolName);
  if (tool === undefined) return undefined;
  return {
    tool,
    input: parseInput(fields.toolArgs),
    ...omitUndefined({ callId: asName(fields.toolCallId) }),
  };
}

function parseResult(result: Fields | undefined): CallResult {
  const text = asText(result?.textResultForLlm) ?? '';
  const type = asName(result?.resultType);
  if (type === undefined) return { status: 'unknown', output: text };
  return toResult(
    type === 'success'
      ? { success: true, result: { content: text } }
      : { error: { code: type, message: text } },
  );
}

/** A command that is still running has no result yet. */
function toResult(data: Fields): CallResult {
  const end = parseCallEnd(data);
  return 'result' in end ? end.result : { status: 'unknown' };
}
