import { isAbsolute } from 'node:path';
import { toolFamily } from '../../memory/call/tool-call.ts';
import type { CallResult } from '../../memory/index.ts';
import { omitUndefined } from '../../record/object.ts';
import { extractText, parseCall, parseStart, truncate } from '../claude-like-hooks.ts';
import type { HookEvent, HookMessage, HookProtocol, HookReply, HookSession } from '../hook-protocol.ts';
import {
  asAbsolutePath,
  asCount,
  asFields,
  asList,
  asName,
  asNumber,
  asText,
  type Fields,
  parseFields,
} from '../transcript/fields.ts';

/** The hooks of Cursor. Shell commands are checked at `beforeShellExecution`, which old versions have too. */
export const cursorHooks: HookProtocol = {
  canAsk: true,
  acceptsContextBeforeCall: false,
  decode(payload, event) {
    const fields = asFields(payload);
    const name = asName(fields?.hook_event_name) ?? event;
    const session = fields && parseSession(fields);
    if (fields === undefined || name === undefined || session === undefined) return undefined;
    const decoded = parseEvent(name, fields, session);
    return decoded && { name, session, event: decoded };
  },
  encode({ decision, context }: HookReply, { event }: HookMessage): string {
    if (event.type === 'beforeCall') {
      if (decision === undefined) return '';
      const reason = truncate(decision.reason);
      return JSON.stringify({ permission: decision.mode, user_message: reason, agent_message: reason });
    }
    const acceptsContext = event.type === 'start' || event.type === 'afterCall';
    return acceptsContext && context !== undefined
      ? JSON.stringify({ additional_context: truncate(context) })
      : '';
  },
};

function parseSession(fields: Fields): HookSession | undefined {
  const sessionId = asName(fields.conversation_id) ?? asName(fields.session_id);
  const folders = [fields.cwd, ...asList(fields.workspace_roots)].map((folder) => asText(folder) ?? '');
  const cwd = folders.find((folder) => isAbsolute(folder));
  if (sessionId === undefined || cwd === undefined) return undefined;
  return {
    sessionId,
    cwd,
    ...omitUndefined({
      transcriptPath: asAbsolutePath(fields.transcript_path),
      model: asName(fields.model),
    }),
  };
}

function parseEvent(name: string, fields: Fields, { cwd }: HookSession): HookEvent | undefined {
  switch (name) {
    case 'sessionStart':
      return parseStart(fields.source);
    case 'beforeSubmitPrompt': {
      const text = asText(fields.prompt);
      return text === undefined ? undefined : { type: 'prompt', text };
    }
    case 'beforeShellExecution': {
      const command = asText(fields.command);
      if (command === undefined) return undefined;
      return { type: 'beforeCall', call: { tool: 'Shell', input: { command, cwd } } };
    }
    case 'preToolUse': {
      const call = parseCall(fields);
      if (call !== undefined && toolFamily(call.tool) === 'shell') return { type: 'other' };
      return call && { type: 'beforeCall', call };
    }
    case 'postToolUse':
    case 'postToolUseFailure': {
      const call = parseCall(fields);
      const result = name === 'postToolUse' ? parseResult(fields.tool_output) : parseFailure(fields);
      const durationMs = asCount(fields.duration) ?? asCount(fields.duration_ms);
      return call && { type: 'afterCall', call, result: { ...result, ...omitUndefined({ durationMs }) } };
    }
    case 'stop':
      return { type: 'stop' };
    case 'subagentStop':
      return {
        type: 'subagentStop',
        ...omitUndefined({ transcriptPath: asAbsolutePath(fields.agent_transcript_path) }),
      };
    case 'preCompact':
      return { type: 'beforeCompaction' };
    case 'sessionEnd':
      return { type: 'end' };
    default:
      return { type: 'other' };
  }
}

/** The output is JSON text; for a shell it holds the exit code, in most versions. */
function parseResult(value: unknown): CallResult {
  const text = asText(value);
  const fields = asFields(value) ?? parseFields(text ?? '');
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
