import type { CallResult } from '../../memory/index.ts';
import { asFields, asText, defined, type Fields } from '../transcript/fields.ts';
import {
  claudeLikeCall,
  claudeLikeMessage,
  claudeLikeOutput,
  fitting,
  startEvent,
  textOf,
} from '../wire/claude-like.ts';
import type { HookEvent, HookProtocol, HookReply } from '../wire/hook-event.ts';
import { resultOf } from './tool-result.ts';

/** The hooks of Gemini CLI: JSON or nothing on standard output, and no context before a call. */
export const geminiWire: HookProtocol = {
  canAsk: false,
  notesBeforeCall: false,
  decode: (payload) => claudeLikeMessage(payload, eventOf),
  encode: (answer, message) => claudeLikeOutput(answer, message, denial),
};

function denial(_name: string, { objection }: HookReply): string {
  return objection === undefined
    ? ''
    : JSON.stringify({ decision: 'deny', reason: fitting(objection.reason) });
}

function eventOf(name: string, fields: Fields): HookEvent | undefined {
  switch (name) {
    case 'SessionStart':
      return startEvent(fields.source);
    case 'BeforeAgent': {
      const text = asText(fields.prompt);
      return text === undefined ? undefined : { type: 'prompt', text };
    }
    case 'BeforeTool': {
      const call = claudeLikeCall(fields);
      return call && { type: 'beforeCall', call };
    }
    case 'AfterTool': {
      const call = claudeLikeCall(fields);
      return call && { type: 'afterCall', call, result: afterTool(fields.tool_response) };
    }
    case 'AfterAgent':
      return { type: 'stop', ...defined({ reply: asText(fields.prompt_response) }) };
    case 'PreCompress':
      return { type: 'beforeCompaction' };
    case 'SessionEnd':
      return { type: 'end' };
    default:
      return { type: 'other' };
  }
}

/** A command that failed is no error to Gemini: its exit code is in the text. */
function afterTool(response: unknown): CallResult {
  const fields = asFields(response);
  const text = textOf(fields?.llmContent ?? fields?.returnDisplay ?? response);
  const error = asText(fields?.error) ?? asText(asFields(fields?.error)?.message);
  return resultOf(text === '' ? (error ?? '') : text, error !== undefined);
}
