import type { CallResult } from '../facts/call/tool-call.ts';
import { omitUndefined, parseObject } from '../record/object.ts';
import type { HookCall, HookEvent, HookMessage, HookReply, HookSession } from './hook-protocol.ts';
import { asAbsolutePath, asFields, asName, asText, type Fields } from './transcript/fields.ts';

/** What is specific to one agent among those whose hooks have the payloads that Claude Code made common. */
export interface ClaudeLikeHooks {
  /** What the agent's event names mean. Other names are events that yore does nothing about. */
  readonly events: Readonly<Record<string, HookEvent['type']>>;
  parseResult(fields: Fields, eventName: string): CallResult;
  /** The session of a sub-agent. Default: the session itself. */
  toOwnSession?(session: HookSession, fields: Fields): HookSession;
  /** Whether the user typed a prompt. Default: always. */
  isTyped?(fields: Fields): boolean;
}

/** The events of Claude Code and Qwen Code that yore installs hooks for, and what they mean. */
export const CLAUDE_EVENTS: ClaudeLikeHooks['events'] = {
  SessionStart: 'start',
  UserPromptSubmit: 'prompt',
  PreToolUse: 'beforeCall',
  PostToolUse: 'afterCall',
  PostToolUseFailure: 'afterCall',
  Stop: 'stop',
  StopFailure: 'stop',
  SubagentStop: 'subagentStop',
  PreCompact: 'beforeCompaction',
  PostCompact: 'afterCompaction',
  SessionEnd: 'end',
};

/** Decodes a payload in the form that Claude Code made common; undefined when it is malformed. */
export function decodeClaudeLike(payload: unknown, hooks: ClaudeLikeHooks): HookMessage | undefined {
  const fields = asFields(payload);
  const name = asName(fields?.hook_event_name);
  const session = fields && parseSession(fields);
  if (fields === undefined || name === undefined || session === undefined) return undefined;
  const event = parseEvent(name, fields, hooks);
  return event && { name, session: hooks.toOwnSession?.(session, fields) ?? session, event };
}

/** Encodes a reply in that form. `encodeBefore` encodes the reply before a call, which differs between agents. */
export function encodeClaudeLike(
  reply: HookReply,
  { name, event }: HookMessage,
  encodeBefore: (name: string, reply: HookReply) => string,
): string {
  switch (event.type) {
    case 'start':
    case 'prompt':
    case 'afterCall':
      return encodeContext(name, reply);
    case 'beforeCall':
      return encodeBefore(name, reply);
    default:
      return '';
  }
}

/** A reply before a call: a decision, or context beside it. */
export function encodeDecision(name: string, reply: HookReply): string {
  const { decision } = reply;
  if (decision === undefined) return encodeContext(name, reply);
  return JSON.stringify({
    hookSpecificOutput: {
      hookEventName: name,
      permissionDecision: decision.mode,
      permissionDecisionReason: truncateReply(decision.reason),
    },
  });
}

/** The same reply for an agent that cannot ask the user: a call is denied instead. */
export function toDenial(reply: HookReply): HookReply {
  const { decision } = reply;
  return decision === undefined ? reply : { ...reply, decision: { ...decision, mode: 'deny' } };
}

/** The text that a tool returned: a string, parts with texts, or the output of a shell. */
export function extractText(response: unknown): string {
  if (typeof response === 'string') return response;
  if (Array.isArray(response)) {
    return response
      .map((part) => (typeof part === 'string' ? part : (asText(asFields(part)?.text) ?? '')))
      .filter((text) => text !== '')
      .join('\n');
  }
  const fields = asFields(response);
  if (fields === undefined) return '';
  const shell = [fields.stdout, fields.stderr].map((part) => asText(part) ?? '').filter((text) => text !== '');
  if (shell.length > 0) return shell.join('\n');
  return extractText(fields.content ?? fields.text ?? '');
}

/** Agents move longer texts to a file that the model may never read. */
const MAX_TEXT_LENGTH = 9_900;

/** The text, truncated to what a reply may hold. */
export function truncateReply(text: string): string {
  return text.length <= MAX_TEXT_LENGTH ? text : `${text.slice(0, MAX_TEXT_LENGTH)}…`;
}

function parseSession(fields: Fields): HookSession | undefined {
  const sessionId = asName(fields.session_id);
  const cwd = asAbsolutePath(fields.cwd);
  if (sessionId === undefined || cwd === undefined) return undefined;
  return {
    sessionId,
    cwd,
    ...omitUndefined({
      transcriptPath: asAbsolutePath(fields.transcript_path),
      model: asName(fields.model),
    }),
  };
}

/** Undefined when it has no name. The input is an object, or JSON text of one. */
function parseCall(fields: Fields): HookCall | undefined {
  const tool = asName(fields.tool_name);
  if (tool === undefined) return undefined;
  const input = asFields(fields.tool_input) ?? parseObject(asText(fields.tool_input) ?? '') ?? {};
  return { tool, input, ...omitUndefined({ callId: asName(fields.tool_use_id) }) };
}

const START_SOURCES = ['startup', 'resume', 'clear', 'compact', 'fork'] as const;

function parseEvent(name: string, fields: Fields, hooks: ClaudeLikeHooks): HookEvent | undefined {
  const type = (Object.hasOwn(hooks.events, name) ? hooks.events[name] : undefined) ?? 'other';
  switch (type) {
    case 'start':
      return { type, source: START_SOURCES.find((known) => known === fields.source) ?? 'startup' };
    case 'prompt': {
      const text = asText(fields.prompt);
      if (text === undefined) return undefined;
      return hooks.isTyped?.(fields) === false ? { type: 'other' } : { type, text };
    }
    case 'beforeCall': {
      const call = parseCall(fields);
      return call && { type, call };
    }
    case 'afterCall': {
      const call = parseCall(fields);
      return call && { type, call, result: hooks.parseResult(fields, name) };
    }
    case 'subagentStop':
      return {
        type,
        ...omitUndefined({ transcriptPath: asAbsolutePath(fields.agent_transcript_path) }),
      };
    case 'afterCompaction':
      return { type, ...omitUndefined({ summary: asText(fields.compact_summary) }) };
    default:
      return { type };
  }
}

/** Empty when there is neither context nor a notice. */
function encodeContext(name: string, { context, notice }: HookReply): string {
  if (context === undefined && notice === undefined) return '';
  return JSON.stringify({
    ...(notice === undefined ? {} : { systemMessage: truncateReply(notice) }),
    ...(context === undefined
      ? {}
      : { hookSpecificOutput: { hookEventName: name, additionalContext: truncateReply(context) } }),
  });
}
