import { isAbsolute } from 'node:path';
import { asFields, asName, asText, defined, type Fields, parseFields } from '../transcript/fields.ts';
import type { HookCall, HookEvent, HookMessage, HookReply, HookSession } from './hook-event.ts';

/**
 * The event in a payload of the form that Claude Code made common; undefined when it makes no sense. `eventOf` knows the
 * agent's names of events, `ownScene` what the payload says of a sub-agent.
 */
export function claudeLikeMessage(
  payload: unknown,
  eventOf: (name: string, fields: Fields) => HookEvent | undefined,
  ownScene: (scene: HookSession, fields: Fields) => HookSession = (scene) => scene,
): HookMessage | undefined {
  const fields = asFields(payload);
  const name = asName(fields?.hook_event_name);
  const scene = fields && claudeLikeScene(fields);
  if (fields === undefined || name === undefined || scene === undefined) return undefined;
  const event = eventOf(name, fields);
  return event && { name, scene: ownScene(scene, fields), event };
}

/** What goes back in that form: context where it is understood, and what `objecting` makes of an answer before a call. */
export function claudeLikeOutput(
  answer: HookReply,
  { name, event }: HookMessage,
  objecting: (name: string, answer: HookReply) => string,
): string {
  switch (event.type) {
    case 'start':
    case 'prompt':
    case 'afterCall':
      return contextOutput(name, answer);
    case 'beforeCall':
      return objecting(name, answer);
    default:
      return '';
  }
}

/** Where an event happens, in the fields that Claude Code made common. Undefined without a session or a folder. */
function claudeLikeScene(fields: Fields): HookSession | undefined {
  const sessionId = asName(fields.session_id);
  const cwd = asText(fields.cwd);
  if (sessionId === undefined || cwd === undefined || !isAbsolute(cwd)) return undefined;
  return {
    sessionId,
    cwd,
    ...defined({ transcriptPath: pathOf(fields.transcript_path), model: asName(fields.model) }),
  };
}

/** A tool call in the same fields; undefined when it has no name. */
export function claudeLikeCall(fields: Fields): HookCall | undefined {
  const tool = asName(fields.tool_name);
  if (tool === undefined) return undefined;
  return { tool, input: inputOf(fields.tool_input), ...defined({ callId: asName(fields.tool_use_id) }) };
}

/** The input of a call: an object, or the text of one. */
export function inputOf(value: unknown): Fields {
  const text = asText(value);
  return asFields(value) ?? (text === undefined ? undefined : parseFields(text)) ?? {};
}

/** An absolute path, else undefined. */
export function pathOf(value: unknown): string | undefined {
  const path = asText(value);
  return path !== undefined && isAbsolute(path) ? path : undefined;
}

const SOURCES = ['startup', 'resume', 'clear', 'compact', 'fork'] as const;

/** How a session starts; `startup` where the agent says nothing, or something new. */
export function startEvent(source: unknown): HookEvent {
  return { type: 'start', source: SOURCES.find((known) => known === source) ?? 'startup' };
}

/** The text of what a tool gave back: a string, parts with texts, or the output of a shell. */
export function textOf(response: unknown): string {
  if (typeof response === 'string') return response;
  if (Array.isArray(response)) {
    return response
      .map((part) => (typeof part === 'string' ? part : (asText(asFields(part)?.text) ?? '')))
      .filter((text) => text !== '')
      .join('\n');
  }
  const fields = asFields(response);
  if (fields === undefined) return '';
  const shell = [fields.stdout, fields.stderr]
    .map((part) => asText(part) ?? '')
    .filter((text) => text !== '');
  if (shell.length > 0) return shell.join('\n');
  return textOf(fields.content ?? fields.text ?? '');
}

/** Most characters of one text in an answer: what is longer goes to a file that the model may not read. */
const LONGEST_CONTEXT = 9_900;

/** The beginning of a text, as long as an answer may hold. */
export function fitting(text: string): string {
  return text.length <= LONGEST_CONTEXT ? text : `${text.slice(0, LONGEST_CONTEXT)}…`;
}

/** An answer that adds context to an event, in the words that Claude Code made common; empty without any. */
function contextOutput(name: string, { context, notice }: HookReply): string {
  if (context === undefined && notice === undefined) return '';
  return JSON.stringify({
    ...(notice === undefined ? {} : { systemMessage: fitting(notice) }),
    ...(context === undefined
      ? {}
      : { hookSpecificOutput: { hookEventName: name, additionalContext: fitting(context) } }),
  });
}

/** An answer before a call: an objection, or context beside it. */
export function decisionOutput(name: string, answer: HookReply): string {
  const { objection } = answer;
  if (objection === undefined) return contextOutput(name, answer);
  return JSON.stringify({
    hookSpecificOutput: {
      hookEventName: name,
      permissionDecision: objection.mode,
      permissionDecisionReason: fitting(objection.reason),
    },
  });
}
