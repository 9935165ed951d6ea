import { omitUndefined } from '../record/object.ts';
import { type ClaudeLikeHooks, decodeClaudeLike, truncateReply } from './claude-like-hooks.ts';
import type { HookMessage, HookProtocol, HookReply } from './hook-protocol.ts';
import { asCount, asFields, asName, asNumber, asText, type Fields } from './transcript/fields.ts';

/**
 * The protocol of yore's own plugins inside an agent. Input: one object with `event` (the type of a {@link HookEvent}),
 * `sessionId`, `cwd` and, if known, `parentSessionId`, `transcriptPath`, `model`; then by event `source`; `prompt`,
 * `promptId`; `tool`, `callId`, `input`; `output`, `exitCode`, `isError`, `durationMs`; `summary`. Output:
 * nothing, or one object with `deny` (the reason), `context` (for the model; after a call the plugin appends it to the
 * tool's output) and `notice` (for the user).
 */
export const pluginHooks: HookProtocol = {
  canAsk: false,
  acceptsContextBeforeCall: false,
  decode(payload) {
    const fields = asFields(payload);
    const message = fields && decodeClaudeLike(toClaudeLike(fields), HOOKS);
    const id = asName(fields?.promptId);
    if (message?.event.type !== 'prompt' || id === undefined) return message;
    return { ...message, event: { ...message.event, id } };
  },
  encode({ context, notice, decision }: HookReply, { event }: HookMessage): string {
    if (event.type === 'beforeCall') {
      return decision === undefined ? '' : JSON.stringify({ deny: truncateReply(decision.reason) });
    }
    const acceptsContext = event.type === 'start' || event.type === 'prompt' || event.type === 'afterCall';
    if (!acceptsContext || (context === undefined && notice === undefined)) return '';
    return JSON.stringify(
      omitUndefined({
        context: context === undefined ? undefined : truncateReply(context),
        notice: notice === undefined ? undefined : truncateReply(notice),
      }),
    );
  },
};

const HOOKS: ClaudeLikeHooks = {
  events: {
    start: 'start',
    prompt: 'prompt',
    beforeCall: 'beforeCall',
    afterCall: 'afterCall',
    stop: 'stop',
    subagentStop: 'subagentStop',
    beforeCompaction: 'beforeCompaction',
    afterCompaction: 'afterCompaction',
    end: 'end',
  },
  parseResult(fields) {
    const exitCode = asNumber(fields.exitCode);
    const isError = fields.isError === true || (exitCode !== undefined && exitCode !== 0);
    const output = asText(fields.output) ?? '';
    const durationMs = asCount(fields.durationMs);
    return { status: isError ? 'error' : 'ok', output, ...omitUndefined({ exitCode, durationMs }) };
  },
  toOwnSession: (session, { parentSessionId }) => ({
    ...session,
    ...omitUndefined({ parentSessionId: asName(parentSessionId) }),
  }),
};

/** The same payload with the field names of Claude Code. */
function toClaudeLike(fields: Fields): Fields {
  return {
    ...fields,
    hook_event_name: fields.event,
    session_id: fields.sessionId,
    transcript_path: fields.transcriptPath,
    agent_transcript_path: fields.transcriptPath,
    tool_name: fields.tool,
    tool_input: fields.input,
    tool_use_id: fields.callId,
    compact_summary: fields.summary,
  };
}
