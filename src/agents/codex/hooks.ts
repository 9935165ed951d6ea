import {
  type ClaudeLikeHooks,
  decodeClaudeLike,
  encodeClaudeLike,
  encodeDecision,
  extractText,
  toDenial,
} from '../claude-like-hooks.ts';
import type { HookProtocol, HookReply } from '../hook-protocol.ts';
import { asName } from '../transcript/fields.ts';

/**
 * The hooks of Codex. It treats a hook as failed that replies with `ask`, `continue`, `suppressOutput` or a denial without
 * a reason, so these are never sent.
 */
export const codexHooks: HookProtocol = {
  canAsk: false,
  acceptsContextBeforeCall: true,
  decode: (payload) => decodeClaudeLike(payload, HOOKS),
  encode: (reply, message) => encodeClaudeLike(reply, message, encodeBeforeCall),
};

/** The events that yore installs hooks for, and what they mean. */
export const EVENTS: ClaudeLikeHooks['events'] = {
  SessionStart: 'start',
  UserPromptSubmit: 'prompt',
  PreToolUse: 'beforeCall',
  PostToolUse: 'afterCall',
  Stop: 'stop',
  SubagentStop: 'subagentStop',
  PreCompact: 'beforeCompaction',
  PostCompact: 'afterCompaction',
  SessionEnd: 'end',
};

const HOOKS: ClaudeLikeHooks = {
  events: EVENTS,
  /** The event does not show the exit code; the rollout does. */
  parseResult: (fields) => ({ status: 'unknown', output: extractText(fields.tool_response) }),
  /** The id of a sub-agent is that of its own session, as in its rollout. */
  toOwnSession(session, fields) {
    const agent = asName(fields.agent_id);
    if (agent === undefined || agent === session.sessionId) return session;
    return { ...session, sessionId: agent, parentSessionId: session.sessionId };
  },
};

function encodeBeforeCall(name: string, reply: HookReply): string {
  return reply.decision?.reason.trim() === '' ? '' : encodeDecision(name, toDenial(reply));
}
