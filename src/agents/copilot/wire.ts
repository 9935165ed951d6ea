import { isAbsolute } from 'node:path';
import type { CallResult } from '../../memory/index.ts';
import { claudeCodeWire } from '../claude-code/wire.ts';
import { asFields, asName, asText, defined, type Fields } from '../transcript/fields.ts';
import { fitting, inputOf, pathOf, startEvent } from '../wire/claude-like.ts';
import type {
  HookCall,
  HookEvent,
  HookMessage,
  HookProtocol,
  HookReply,
  HookSession,
} from '../wire/hook-event.ts';
import { copilotCallEnd } from './tool-result.ts';

/**
 * The hooks of Copilot CLI. Events with names such as `preToolUse` have payloads of their own that do not name them;
 * those with names such as `PreToolUse` are like Claude Code's. A hook before a call that fails blocks the call.
 */
export const copilotWire: HookProtocol = {
  canAsk: false,
  notesBeforeCall: false,
  decode(payload, event) {
    const fields = asFields(payload);
    if (fields === undefined) return undefined;
    if (fields.session_id !== undefined) {
      const name = asName(fields.hook_event_name) ?? event;
      const message = claudeCodeWire.decode({ ...fields, hook_event_name: name });
      return message && { ...message, agent: 'copilot' };
    }
    const name = event ?? asName(fields.hook_event_name) ?? asName(fields.hookEventName);
    const scene = sceneOf(fields);
    if (name === undefined || scene === undefined) return undefined;
    const decoded = eventOf(name, fields);
    return decoded && { name, scene, event: decoded };
  },
  encode(answer: HookReply, message: HookMessage): string {
    const { name, event } = message;
    if (/^[A-Z]/.test(name)) return claudeCodeWire.encode(asDenial(answer), message);
    if (event.type === 'beforeCall') {
      if (answer.objection === undefined) return '';
      return JSON.stringify({
        permissionDecision: 'deny',
        permissionDecisionReason: fitting(answer.objection.reason),
      });
    }
    // What is said to a prompt is dropped.
    const isHeard = event.type === 'start' || event.type === 'afterCall';
    return isHeard && answer.context !== undefined
      ? JSON.stringify({ additionalContext: fitting(answer.context) })
      : '';
  },
};

function asDenial(answer: HookReply): HookReply {
  const { objection } = answer;
  return objection === undefined ? answer : { ...answer, objection: { ...objection, mode: 'deny' } };
}

function sceneOf(fields: Fields): HookSession | undefined {
  const sessionId = asName(fields.sessionId);
  const cwd = asText(fields.cwd);
  if (sessionId === undefined || cwd === undefined || !isAbsolute(cwd)) return undefined;
  return { sessionId, cwd, ...defined({ transcriptPath: pathOf(fields.transcriptPath) }) };
}

function eventOf(name: string, fields: Fields): HookEvent | undefined {
  switch (name) {
    case 'sessionStart':
      return startEvent(fields.source);
    case 'userPromptSubmitted': {
      const text = asText(fields.prompt);
      return text === undefined ? undefined : { type: 'prompt', text };
    }
    case 'preToolUse': {
      const call = callOf(fields);
      return call && { type: 'beforeCall', call };
    }
    case 'postToolUse': {
      const call = callOf(fields);
      return call && { type: 'afterCall', call, result: resultOf(asFields(fields.toolResult)) };
    }
    case 'postToolUseFailure': {
      const call = callOf(fields);
      return call && { type: 'afterCall', call, result: endOf({ success: false, error: fields.error }) };
    }
    case 'agentStop':
      return { type: 'stop' };
    case 'subagentStop':
      return { type: 'subagentStop', ...defined({ transcriptPath: pathOf(fields.transcriptPath) }) };
    case 'preCompact':
      return { type: 'beforeCompaction' };
    case 'sessionEnd':
      return { type: 'end' };
    default:
      return { type: 'other' };
  }
}

function callOf(fields: Fields): HookCall | undefined {
  const tool = asName(fields.toolName);
  if (tool === undefined) return undefined;
  return { tool, input: inputOf(fields.toolArgs), ...defined({ callId: asName(fields.toolCallId) }) };
}

function resultOf(result: Fields | undefined): CallResult {
  const text = asText(result?.textResultForLlm) ?? '';
  const type = asName(result?.resultType);
  if (type === undefined) return { status: 'unknown', output: text };
  const isSuccess = type === 'success';
  return endOf(
    isSuccess ? { success: true, result: { content: text } } : { error: { code: type, message: text } },
  );
}

/** What still runs has no result yet. */
function endOf(data: Fields): CallResult {
  const end = copilotCallEnd(data);
  return 'result' in end ? end.result : { status: 'unknown' };
}
