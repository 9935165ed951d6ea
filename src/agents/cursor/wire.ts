import { isAbsolute } from 'node:path';
import { toolFamily } from '../../memory/call/tool-family.ts';
import type { CallResult } from '../../memory/index.ts';
import {
  asCount,
  asFields,
  asList,
  asName,
  asNumber,
  asText,
  defined,
  type Fields,
  parseFields,
} from '../transcript/fields.ts';
import { claudeLikeCall, fitting, inputOf, pathOf, startEvent, textOf } from '../wire/claude-like.ts';
import type { HookEvent, HookMessage, HookProtocol, HookReply, HookSession } from '../wire/hook-event.ts';

/** The hooks of Cursor. Shell commands are judged at `beforeShellExecution`, which old versions have too. */
export const cursorWire: HookProtocol = {
  canAsk: true,
  notesBeforeCall: false,
  decode(payload, event) {
    const fields = asFields(payload);
    const name = asName(fields?.hook_event_name) ?? event;
    const scene = fields && sceneOf(fields);
    if (fields === undefined || name === undefined || scene === undefined) return undefined;
    const decoded = eventOf(name, fields, scene);
    return decoded && { name, scene, event: decoded };
  },
  encode(answer: HookReply, { event }: HookMessage): string {
    const { objection, context } = answer;
    if (event.type === 'beforeCall') {
      if (objection === undefined) return '';
      const reason = fitting(objection.reason);
      return JSON.stringify({ permission: objection.mode, user_message: reason, agent_message: reason });
    }
    const isHeard = event.type === 'start' || event.type === 'afterCall';
    return isHeard && context !== undefined ? JSON.stringify({ additional_context: fitting(context) }) : '';
  },
};

function sceneOf(fields: Fields): HookSession | undefined {
  const sessionId = asName(fields.conversation_id) ?? asName(fields.session_id);
  const folders = [fields.cwd, ...asList(fields.workspace_roots)].map((folder) => asText(folder) ?? '');
  const cwd = folders.find((folder) => isAbsolute(folder));
  if (sessionId === undefined || cwd === undefined) return undefined;
  return {
    sessionId,
    cwd,
    ...defined({ transcriptPath: pathOf(fields.transcript_path), model: asName(fields.model) }),
  };
}

function eventOf(name: string, fields: Fields, scene: HookSession): HookEvent | undefined {
  switch (name) {
    case 'sessionStart':
      return startEvent(fields.source);
    case 'beforeSubmitPrompt': {
      const text = asText(fields.prompt);
      return text === undefined ? undefined : { type: 'prompt', text };
    }
    case 'beforeShellExecution': {
      const command = asText(fields.command);
      if (command === undefined) return undefined;
      return { type: 'beforeCall', call: { tool: 'Shell', input: { command, cwd: scene.cwd } } };
    }
    case 'preToolUse': {
      const call = claudeLikeCall(fields);
      if (call !== undefined && toolFamily(call.tool) === 'shell') return { type: 'other' };
      return call && { type: 'beforeCall', call };
    }
    case 'postToolUse':
    case 'postToolUseFailure': {
      const call = claudeLikeCall({ ...fields, tool_input: inputOf(fields.tool_input) });
      const result = name === 'postToolUse' ? resultOf(fields.tool_output) : failureOf(fields);
      const duration = asCount(fields.duration) ?? asCount(fields.duration_ms);
      return call && { type: 'afterCall', call, result: { ...result, ...defined({ durationMs: duration }) } };
    }
    case 'stop':
      return { type: 'stop' };
    case 'subagentStop':
      return { type: 'subagentStop', ...defined({ transcriptPath: pathOf(fields.agent_transcript_path) }) };
    case 'preCompact':
      return { type: 'beforeCompaction' };
    case 'sessionEnd':
      return { type: 'end' };
    default:
      return { type: 'other' };
  }
}

/** The output is JSON in a text; of a shell it tells the exit code, in most versions. */
function resultOf(value: unknown): CallResult {
  const text = asText(value);
  const fields = asFields(value) ?? (text === undefined ? undefined : parseFields(text));
  const output = fields === undefined ? (text ?? '') : outputOf(fields, text);
  const exitCode = asNumber(fields?.exitCode) ?? asNumber(fields?.exit_code);
  if (exitCode === undefined) return { status: 'ok', output };
  return { status: exitCode === 0 ? 'ok' : 'error', exitCode, output };
}

function outputOf(fields: Fields, text: string | undefined): string {
  const shown = asText(fields.output) ?? textOf(fields);
  return shown === '' ? (text ?? '') : shown;
}

function failureOf(fields: Fields): CallResult {
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
