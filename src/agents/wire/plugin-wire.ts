import type { CallResult } from '../../memory/index.ts';
import { asCount, asFields, asName, asNumber, asText, defined, type Fields } from '../transcript/fields.ts';
import { fitting, inputOf, pathOf, startEvent } from './claude-like.ts';
import type { HookCall, HookEvent, HookMessage, HookProtocol, HookReply, HookSession } from './hook-event.ts';

/**
 * How yore's own plugins inside an agent speak to the hook. In: one object with `event` (the type of a
 * {@link HookEvent}), `sessionId`, `cwd` and, as far as they are known, `parentSessionId`, `transcriptPath`, `model`;
 * then by event `source`; `prompt`, `promptId`; `tool`, `callId`, `input`; `output`, `exitCode`, `isError`,
 * `durationMs`; `reply`; `summary`. Out: nothing, or one object with `deny` (the reason), `context` (for the model;
 * after a call it belongs behind the tool's output) and `notice` (for the person).
 */
export const pluginWire: HookProtocol = {
  canAsk: false,
  notesBeforeCall: false,
  decode(payload) {
    const fields = asFields(payload);
    const name = asName(fields?.event);
    const scene = fields && sceneOf(fields);
    if (fields === undefined || name === undefined || scene === undefined) return undefined;
    const event = eventOf(name, fields);
    return event && { name, scene, event };
  },
  encode({ context, notice, objection }: HookReply, { event }: HookMessage): string {
    if (event.type === 'beforeCall') {
      return objection === undefined ? '' : JSON.stringify({ deny: fitting(objection.reason) });
    }
    const isHeard = event.type === 'start' || event.type === 'prompt' || event.type === 'afterCall';
    if (!isHeard || (context === undefined && notice === undefined)) return '';
    return JSON.stringify(
      defined({
        context: context === undefined ? undefined : fitting(context),
        notice: notice === undefined ? undefined : fitting(notice),
      }),
    );
  },
};

function sceneOf(fields: Fields): HookSession | undefined {
  const sessionId = asName(fields.sessionId);
  const cwd = pathOf(fields.cwd);
  if (sessionId === undefined || cwd === undefined) return undefined;
  return {
    sessionId,
    cwd,
    ...defined({
      parentSessionId: asName(fields.parentSessionId),
      transcriptPath: pathOf(fields.transcriptPath),
      model: asName(fields.model),
    }),
  };
}

function eventOf(name: string, fields: Fields): HookEvent | undefined {
  switch (name) {
    case 'start':
      return startEvent(fields.source);
    case 'prompt': {
      const text = asText(fields.prompt);
      return text === undefined
        ? undefined
        : { type: name, text, ...defined({ id: asName(fields.promptId) }) };
    }
    case 'beforeCall': {
      const call = callOf(fields);
      return call && { type: name, call };
    }
    case 'afterCall': {
      const call = callOf(fields);
      return call && { type: name, call, result: resultOf(fields) };
    }
    case 'stop':
      return { type: name, ...defined({ reply: asText(fields.reply) }) };
    case 'subagentStop':
      return { type: name, ...defined({ transcriptPath: pathOf(fields.transcriptPath) }) };
    case 'afterCompaction':
      return { type: name, ...defined({ summary: asText(fields.summary) }) };
    case 'beforeCompaction':
    case 'end':
      return { type: name };
    default:
      return { type: 'other' };
  }
}

function callOf(fields: Fields): HookCall | undefined {
  const tool = asName(fields.tool);
  if (tool === undefined) return undefined;
  return { tool, input: inputOf(fields.input), ...defined({ callId: asName(fields.callId) }) };
}

function resultOf(fields: Fields): CallResult {
  const exitCode = asNumber(fields.exitCode);
  const isError = fields.isError === true || (exitCode !== undefined && exitCode !== 0);
  return {
    status: isError ? 'error' : 'ok',
    output: asText(fields.output) ?? '',
    ...defined({ exitCode, durationMs: asCount(fields.durationMs) }),
  };
}
