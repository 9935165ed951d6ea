import { asFields, asName, asText, defined, type Fields } from '../transcript/fields.ts';
import {
  claudeLikeCall,
  claudeLikeScene,
  contextOutput,
  decisionOutput,
  pathOf,
  startEvent,
  textOf,
} from '../wire/claude-like.ts';
import type { HookAnswer, HookEvent, HookMessage, HookScene, HookWire } from '../wire/hook-event.ts';

/**
 * The hooks of Codex. Never sent: `ask`, `continue`, `suppressOutput` and a denial without a reason mark the hook as
 * failed.
 */
export const codexWire: HookWire = {
  canAsk: false,
  notesBeforeCall: true,
  decode(payload) {
    const fields = asFields(payload);
    const name = asName(fields?.hook_event_name);
    const scene = fields && claudeLikeScene(fields);
    if (fields === undefined || name === undefined || scene === undefined) return undefined;
    const event = eventOf(name, fields);
    return event && { name, scene: ownScene(scene, fields), event };
  },
  encode(answer: HookAnswer, { name, event }: HookMessage): string {
    switch (event.type) {
      case 'start':
      case 'prompt':
      case 'afterCall':
        return contextOutput(name, answer);
      case 'beforeCall':
        return answer.objection === undefined || answer.objection.reason.trim() !== ''
          ? decisionOutput(name, asDenial(answer))
          : '';
      default:
        return '';
    }
  },
};

function asDenial(answer: HookAnswer): HookAnswer {
  const { objection } = answer;
  return objection === undefined ? answer : { ...answer, objection: { ...objection, mode: 'deny' } };
}

/** The id of a sub-agent is that of its own session, as in its rollout. */
function ownScene(scene: HookScene, fields: Fields): HookScene {
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
