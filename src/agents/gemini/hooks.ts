import {
  type ClaudeLikeHooks,
  decodeClaudeLike,
  encodeClaudeLike,
  extractText,
  truncate,
} from '../claude-like-hooks.ts';
import type { HookProtocol, HookReply } from '../hook-protocol.ts';
import { asFields, asText } from '../transcript/fields.ts';
import { parseToolText } from './content.ts';

/** The hooks of Gemini CLI: JSON or nothing on standard output, and no context before a call. */
export const geminiHooks: HookProtocol = {
  canAsk: false,
  acceptsContextBeforeCall: false,
  decode: (payload) => decodeClaudeLike(payload, HOOKS),
  encode: (reply, message) => encodeClaudeLike(reply, message, encodeBeforeCall),
};

const HOOKS: ClaudeLikeHooks = {
  events: {
    SessionStart: 'start',
    BeforeAgent: 'prompt',
    BeforeTool: 'beforeCall',
    AfterTool: 'afterCall',
    AfterAgent: 'stop',
    PreCompress: 'beforeCompaction',
    SessionEnd: 'end',
  },
  /** To Gemini CLI a failed command is no error: its exit code is in the text. */
  parseResult({ tool_response }) {
    const fields = asFields(tool_response);
    const text = extractText(fields?.llmContent ?? fields?.returnDisplay ?? tool_response);
    const error = asText(fields?.error) ?? asText(asFields(fields?.error)?.message);
    return parseToolText(text === '' ? (error ?? '') : text, error !== undefined);
  },
};

function encodeBeforeCall(_name: string, { decision }: HookReply): string {
  return decision === undefined
    ? ''
    : JSON.stringify({ decision: 'deny', reason: truncate(decision.reason) });
}
