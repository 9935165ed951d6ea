import { type CallResult, toolFamily } from '../../facts/call/tool-call.ts';
import { omitUndefined, parseObject } from '../../record/object.ts';
import { type ClaudeLikeHooks, decodeClaudeLike, extractText, truncateReply } from '../claude-like-hooks.ts';
import type { HookMessage, HookProtocol, HookReply } from '../hook-protocol.ts';
import {
  asAbsolutePath,
  asCount,
  asFields,
  asList,
  asName,
  asNumber,
  asText,
  type Fields,
} from '../transcript/fields.ts';

/** The hooks of Cursor. Shell commands are checked at `beforeShellExecution`, which old versions have too. */
export const cursorHooks: HookProtocol = {
  canAsk: true,
  acceptsContextBeforeCall: false,
  decode(payload, event) {
    const fields = asFields(payload);
    const message = fields && decodeClaudeLike(toClaudeLike(fields, event), HOOKS);
    const isCheckedElsewhere =
      message?.name === 'preToolUse' &&
      message.event.type === 'beforeCall' &&
      toolFamily(message.event.call.tool) === 'shell';
    return isCheckedElsewhere ? { ...message, event: { type: 'other' } } : message;
  },
  encode({ decision, context }: HookReply, { event }: HookMessage): string {
    if (event.type === 'beforeCall') {
      if (decision === undefined) return '';
      const reason = truncateReply(decision.reason);
      return JSON.stringify({ permission: decision.mode, user_message: reason, agent_message: reason });
    }
    const acceptsContext = event.type === 'start' || event.type === 'afterCall';
    return acceptsContext && context !== undefined
      ? JSON.stringify({ additional_context: truncateReply(context) })
      : '';
  },
};

/** The events that yore installs hooks for, and what they mean. */
export const EVENTS: ClaudeLikeHooks['events'] = {
  sessionStart: 'start',
  beforeSubmitPrompt: 'prompt',
  beforeShellExecution: 'beforeCall',
  preToolUse: 'beforeCall',
  postToolUse: 'afterCall',
  postToolUseFailure: 'afterCall',
  stop: 'stop',
  subagentStop: 'subagentStop',
  preCompact: 'beforeCompaction',
  sessionEnd: 'end',
};

const HOOKS: ClaudeLikeHooks = {
  events: EVENTS,
  parseResult(fields, eventName) {
    const result = eventName === 'postToolUse' ? parseResult(fields.tool_output) : parseFailure(fields);
    const durationMs = asCount(fields.duration) ?? asCount(fields.duration_ms);
    return { ...result, ...omitUndefined({ durationMs }) };
  },
};

/** The same payload with the field names of Claude Code. */
function toClaudeLike(fields: Fields, event: string | undefined): Fields {
  const name = asName(fields.hook_event_name) ?? event;
  const folders = [fields.cwd, ...asList(fields.workspace_roots)];
  const cwd = folders.map(asAbsolutePath).find((folder) => folder !== undefined);
  const command = asText(fields.command);
  const isShell = name === 'beforeShellExecution';
  return {
    ...fields,
    hook_event_name: name,
    session_id: fields.conversation_id ?? fields.session_id,
    cwd,
    ...(isShell ? { tool_name: command && 'Shell', tool_input: { command, cwd } } : {}),
  };
}

/** The output is JSON text; for a shell it holds the exit code, in most versions. */
function parseResult(value: unknown): CallResult {
  const text = asText(value);
  const fields = asFields(value) ?? parseObject(text ?? '');
  const shown = fields && (asText(fields.output) ?? extractText(fields));
  const output = shown || (text ?? '');
  const exitCode = asNumber(fields?.exitCode) ?? asNumber(fields?.exit_code);
  if (exitCode === undefined) return { status: 'ok', output };
  return { status: exitCode === 0 ? 'ok' : 'error', exitCode, output };
}

function parseFailure(fields: Fields): CallResult {
  const output = asText(fields.error_message) ?? asText(fields.error) ?? '';
  switch (fields.failure_type) {
    case 'permission_denied':
      return { status: 'denied', output };
    case 'interrupted':
      return { status: 'interrupted', output };
    default:
      return { status: fields.is_interrupt === true ? 'interrupted' : 'error', output };
  }
}
