import { type ClaudeLikeHooks, decodeClaudeLike, encodeClaudeLike, truncateReply } from '../claude-like-hooks.ts';
import type { HookProtocol, HookReply } from '../hook-protocol.ts';
import { asFields, asText } from '../transcript/fields.ts';
import { parseToolResponse, removeHookContext } from './content.ts';

/** The hooks of Gemini CLI: JSON or nothing on standard output, and no context before a call. */
export const geminiHooks: HookProtocol = {
  canAsk: false,
  acceptsContextBeforeCall: false,
  decode(payload) {
    const fields = asFields(payload);
    const prompt = asText(fields?.prompt);
    return decodeClaudeLike(prompt === undefined ? payload : { ...fields, prompt: removeHookContext(prompt) }, HOOKS);
  },
  encode: (reply, message) => encodeClaudeLike(reply, message, encodeBeforeCall),
};

/**
 * The events that yore installs hooks for, and what they mean. `PreCompress` is not among them: it comes before every
 * request to the model, whether there is anything to compress or not.
 */
export const EVENTS: ClaudeLikeHooks['events'] = {
  SessionStart: 'start',
  BeforeAgent: 'prompt',
  BeforeTool: 'beforeCall',
  AfterTool: 'afterCall',
  AfterAgent: 'stop',
  SessionEnd: 'end',
};

const HOOKS: ClaudeLikeHooks = {
  events: EVENTS,
  parseResult: ({ tool_response }) => parseToolResponse(tool_response),
};

function encodeBeforeCall(_name: string, { decision }: HookReply): string {
  return decision === undefined ? '' : JSON.stringify({ decision: 'deny', reason: truncateReply(decision.reason) });
}
