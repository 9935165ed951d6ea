import type { CallResult } from '../../memory/index.ts';
import { asCount, asFields, asName, asText, defined, type Fields } from '../transcript/fields.ts';
import {
  claudeLikeCall,
  claudeLikeMessage,
  claudeLikeOutput,
  decisionOutput,
  pathOf,
  startEvent,
  textOf,
} from '../wire/claude-like.ts';
import type { HookEvent, HookProtocol, HookSession } from '../wire/hook-event.ts';
import { type ToolOutcome, toolOutcome } from './tool-outcome.ts';

/** The hooks of Claude Code. Copilot runs them too, with payloads that are like these. */
export const claudeCodeWire: HookProtocol = {
  canAsk: true,
  notesBeforeCall: true,
  decode(payload) {
    const message = claudeLikeMessage(payload, eventOf, ownScene);
    return message && isCopilots(payload) ? { ...message, agent: 'copilot' } : message;
  },
  encode: (answer, message) => claudeLikeOutput(answer, message, decisionOutput),
};

/** Copilot names no transcript, and tells the time. */
function isCopilots(payload: unknown): boolean {
  const fields = asFields(payload);
  return fields?.transcript_path === undefined && fields?.timestamp !== undefined;
}

/** A sub-agent has a session of its own, as in its transcript. */
function ownScene(scene: HookSession, fields: Fields): HookSession {
  const agent = asName(fields.agent_id);
  if (agent === undefined) return scene;
  return { ...scene, sessionId: `agent-${agent}`, parentSessionId: scene.sessionId };
}

function eventOf(name: string, fields: Fields): HookEvent | undefined {
  switch (name) {
    case 'SessionStart':
      return startEvent(fields.source);
    case 'UserPromptSubmit':
      return promptOf(fields);
    case 'PreToolUse': {
      const call = claudeLikeCall(fields);
      return call && { type: 'beforeCall', call };
    }
    case 'PostToolUse':
    case 'PostToolUseFailure': {
      const call = claudeLikeCall(fields);
      const result = name === 'PostToolUse' ? resultOf(fields) : failureOf(fields);
      return call && { type: 'afterCall', call, result: { ...result, ...durationOf(fields) } };
    }
    case 'Stop':
    case 'StopFailure':
      return { type: 'stop', ...defined({ reply: asText(fields.last_assistant_message) }) };
    case 'SubagentStop':
      return {
        type: 'subagentStop',
        ...defined({ transcriptPath: pathOf(fields.agent_transcript_path) }),
      };
    case 'PreCompact':
      return { type: 'beforeCompaction' };
    case 'PostCompact':
      return { type: 'afterCompaction', ...defined({ summary: asText(fields.compact_summary) }) };
    case 'SessionEnd':
      return { type: 'end' };
    default:
      return { type: 'other' };
  }
}

/** What a timer or the program itself says is not the user's. */
function promptOf(fields: Fields): HookEvent | undefined {
  const text = asText(fields.prompt);
  if (text === undefined) return undefined;
  const isTyped = fields.source === undefined || fields.source === 'user' || fields.source === 'sdk';
  return isTyped ? { type: 'prompt', text } : { type: 'other' };
}

/** This event tells of success only, but for Copilot's, which say how it went. */
function resultOf({ tool_response, tool_result }: Fields): CallResult {
  const copilot = asFields(tool_result);
  if (copilot !== undefined) {
    const output = asText(copilot.text_result_for_llm) ?? '';
    return { status: copilot.result_type === 'success' ? 'ok' : 'error', output };
  }
  return resultIn(toolOutcome({ content: textOf(tool_response) }, tool_response, () => undefined));
}

function failureOf(fields: Fields): CallResult {
  const output = asText(fields.error) ?? '';
  if (fields.is_interrupt === true) return { status: 'interrupted', output };
  return resultIn(toolOutcome({ content: output, is_error: true }, undefined, () => undefined));
}

function resultIn(outcome: ToolOutcome): CallResult {
  return outcome.kind === 'ended' ? outcome.result : { status: 'unknown' };
}

function durationOf(fields: Fields): { readonly durationMs?: number } {
  return defined({ durationMs: asCount(fields.duration_ms) });
}
