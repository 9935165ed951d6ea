import { asName, asText, defined, type Fields } from '../transcript/fields.ts';
import {
  claudeLikeCall,
  claudeLikeMessage,
  claudeLikeOutput,
  decisionOutput,
  pathOf,
  startEvent,
  textOf,
} from '../wire/claude-like.ts';
import type { HookEvent, HookProtocol, HookReply, HookSession } from '../wire/hook-event.ts';

/**
 * The hooks of Codex. Never sent: `ask`, `continue`, `suppressOutput` and a denial without a reason mark the hook as
 * failed.
 */
export const codexWire: HookProtocol = {
  canAsk: false,
  notesBeforeCall: true,
  decode: (payload) => claudeLikeMessage(payload, eventOf, ownScene),
  encode: (answer, message) => claudeLikeOutput(answer, message, denial),
};

function denial(name: string, answer: HookReply): string {
  const { objection } = answer;
  if (objection === undefined) return decisionOutput(name, answer);
  if (objection.reason.trim() === '') return '';
  return decisionOutput(name, { ...answer, objection: { ...objection, mode: 'deny' } });
}

/** The id of a sub-agent is that of its own session, as in its rollout. */
function ownScene(scene: HookSession, fields: Fields): HookSession {
  const agent = asName(fields.agent_id);
  if (agent === undefined || agent === scene.sessionId) return scene;
  return { ...scene, sessionId: agent, parentSessionId: scene.sessionId };
}

function eventOf(name: string, fields: Fields): HookEvent | undefined {
  switch (name) {
    case 'SessionStart':
      return startEvent(fields.source);
    case 'UserPromptSubmit': {
      const text = asText(fields.prompt);
      return text === undefined ? undefined : { type: 'prompt', text };
    }
    case 'PreToolUse': {
      const call = claudeLikeCall(fields);
      return call && { type: 'beforeCall', call };
    }
    case 'PostToolUse': {
      const call = claudeLikeCall(fields);
      // Fired whatever the exit code, which it does not show: the rollout does.
      return (
        call && {
          type: 'afterCall',
          call,
          result: { status: 'unknown', output: textOf(fields.tool_response) },
        }
      );
    }
    case 'Stop':
      return { type: 'stop', ...defined({ reply: asText(fields.last_assistant_message) }) };
    case 'SubagentStop':
      return {
        type: 'subagentStop',
        ...defined({ transcriptPath: pathOf(fields.agent_transcript_path) }),
      };
    case 'PreCompact':
      return { type: 'beforeCompaction' };
    case 'PostCompact':
      return { type: 'afterCompaction' };
    case 'SessionEnd':
      return { type: 'end' };
    default:
      return { type: 'other' };
  }
}
