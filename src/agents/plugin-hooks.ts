import type { CallResult } from '../memory/index.ts';
import { omitUndefined } from '../record/object.ts';
import { parseInput, parseStart, truncate } from './claude-like-hooks.ts';
import type {
  HookCall,
  HookEvent,
  HookMessage,
  HookProtocol,
  HookReply,
  HookSession,
} from './hook-protocol.ts';
import {
  asAbsolutePath,
  asCount,
  asFields,
  asName,
  asNumber,
  asText,
  type Fields,
} from './transcript/fields.ts';

/**
 * The protocol of yore's own plugins inside an agent. Input: one object with `event` (the type of a {@link HookEvent}),
 * `sessionId`, `cwd` and, if known, `parentSessionId`, `transcriptPath`, `model`; then by event `source`; `prompt`,
 * `promptId`; `tool`, `callId`, `input`; `output`, `exitCode`, `isError`, `durationMs`; `reply`; `summary`. Output:
 * nothing, or one object with `deny` (the reason), `context` (for the model; after a call the plugin appends it to the
 * tool's output) and `notice` (for the user).
 */
export const pluginHooks: HookProtocol = {
  canAsk: false,
  acceptsContextBeforeCall: false,
  decode(payload) {
    const fields = asFields(payload);
    const name = asName(fields?.event);
    const session = fields && parseSession(fields);
    if (fields === undefined || name === undefined || session === undefined) return undefined;
    const event = parseEvent(name, fields);
    return event && { name, session, event };
  },
  encode({ context, notice, decision }: HookReply, { event }: HookMessage): string {
    if (event.type === 'beforeCall') {
      return decision === undefined ? '' : JSON.stringify({ deny: truncate(decision.reason) });
    }
    const acceptsContext = event.type === 'start' || event.type === 'prompt' || event.type === 'afterCall';
    if (!acceptsContext || (context === undefined && notice === undefined)) return '';
    return JSON.stringify(
      omitUndefined({
        context: context === undefined ? undefined : truncate(context),
        notice: notice === undefined ? undefined : truncate(notice),
      }),
    );
  },
};

function parseSession(fields: Fields): HookSession | undefined {
  const sessionId = asName(fields.sessionId);
  const cwd = asAbsolutePath(fields.cwd);
  if (sessionId === undefined || cwd === undefined) return undefined;
  return {
    sessionId,
    cwd,
    ...omitUndefined({
      parentSessionId: asName(fields.parentSessionId),
      transcriptPath: asAbsolutePath(fields.transcriptPath),
      model: asName(fields.model),
    }),
  };
}

function parseEvent(name: string, fields: Fields): HookEvent | undefined {
  switch (name) {
    case 'start':
      return parseStart(fields.source);
    case 'prompt': {
      const text = asText(fields.prompt);
      return text === undefined
        ? undefined
        : { type: name, text, ...omitUndefined({ id: asName(fields.promptId) }) };
    }
    case 'beforeCall': {
      const call = parseCall(fields);
      return call && { type: name, call };
    }
    case 'afterCall': {
      const call = parseCall(fields);
      return call && { type: name, call, result: parseResult(fields) };
    }
    case 'stop':
      return { type: name, ...omitUndefined({ reply: asText(fields.reply) }) };
    case 'subagentStop':
      return { type: name, ...omitUndefined({ transcriptPath: asAbsolutePath(fields.transcriptPath) }) };
    case 'afterCompaction':
      return { type: name, ...omitUndefined({ summary: asText(fields.summary) }) };
    case 'beforeCompaction':
    case 'end':
      return { type: name };
    default:
      return { type: 'other' };
  }
}

function parseCall(fields: Fields): HookCall | undefined {
  const tool = asName(fields.tool);
  if (tool === undefined) return undefined;
  return { tool, input: parseInput(fields.input), ...omitUndefined({ callId: asName(fields.callId) }) };
}

function parseResult(fields: Fields): CallResult {
  const exitCode = asNumber(fields.exitCode);
  const isError = fields.isError === true || (exitCode !== undefined && exitCode !== 0);
  return {
    status: isError ? 'error' : 'ok',
    output: asText(fields.output) ?? '',
    ...omitUndefined({ exitCode, durationMs: asCount(fields.durationMs) }),
  };
}
