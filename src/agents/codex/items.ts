import { fileURLToPath } from 'node:url';
import { omitUndefined } from '../../record/object.ts';
import type { Usage } from '../../record/record.ts';
import {
  asCount,
  asFields,
  asInput,
  asInteger,
  asList,
  asName,
  asNumber,
  asObjects,
  asPath,
  asText,
  type Fields,
} from '../transcript/fields.ts';
import {
  type SessionEvent,
  type SkipEvent,
  skipKnown,
  skipTable,
  type TranscriptImage,
} from '../transcript/transcript.ts';
import type { CallFacts } from './rollout-state.ts';

/** An item of a turn, as rollouts with paged histories store it. */
type TurnItem =
  | { readonly kind: 'message'; readonly role: 'user' | 'assistant'; readonly text: string }
  | {
      readonly kind: 'call';
      readonly callId: string;
      readonly tool: string;
      readonly input: Fields;
      readonly facts: CallFacts;
      readonly output: string;
    }
  | { readonly kind: 'skipped'; readonly event: SkipEvent };

const SKIPPED_ITEMS = skipTable({
  thinking: 'reasoning',
  plan: 'plan',
  'hook report': 'hookprompt',
  'copy of a call': 'websearch imagegeneration imageview',
  'copy of a compaction': 'contextcompaction',
  'review mode': 'enteredreviewmode exitedreviewmode',
  'activity of another agent': 'collabagenttoolcall subagentactivity',
  bookkeeping: 'extension sleep',
});

/** Parses an item of a turn. */
export function parseTurnItem(item: Fields): TurnItem {
  const type = (asText(item.type) ?? '').replaceAll('_', '').toLowerCase();
  switch (type) {
    case 'usermessage':
      return { kind: 'message', role: 'user', text: getText(item) };
    case 'agentmessage':
      return { kind: 'message', role: 'assistant', text: getText(item) };
    case 'commandexecution':
      return toCallItem(
        item,
        'exec_command',
        omitUndefined({ command: parseCommand(item.command), workdir: parseFolder(item.cwd) }),
      );
    case 'filechange':
      return toCallItem(item, 'apply_patch', { changes: asInput(item.changes) });
    case 'mcptoolcall':
      return toCallItem(item, `mcp__${asName(item.server) ?? ''}__${asName(item.tool) ?? ''}`, asInput(item.arguments));
    case 'dynamictoolcall':
      return toCallItem(item, asName(item.tool) ?? 'tool', asInput(item.arguments));
    default:
      return { kind: 'skipped', event: skipKnown(SKIPPED_ITEMS, 'item', type) };
  }
}

function toCallItem(item: Fields, tool: string, input: Fields): TurnItem {
  const callId = asName(item.id) ?? asName(item.call_id);
  if (callId === undefined)
    return {
      kind: 'skipped',
      event: { type: 'skip', reason: 'call without an id or a name', isProblem: true },
    };
  const output = joinOutput(item);
  if (wasStopped(item, output)) return { kind: 'call', callId, tool, input, facts: { wasStopped: true }, output };
  const status = (asText(item.status) ?? '').toLowerCase();
  const isError = status === 'failed' || status === 'declined' || asFields(item.error) !== undefined;
  const exitCode = parseExitCode(item);
  const durationMs = parseDuration(item.duration) ?? asNumber(item.duration_ms) ?? asNumber(item.durationMs);
  const facts = { ...omitUndefined({ exitCode, durationMs }), ...(isError ? { isError } : {}) };
  return { kind: 'call', callId, tool, input, facts, output };
}

function parseExitCode(item: Fields): number | undefined {
  return asInteger(item.exit_code) ?? asInteger(item.exitCode);
}

/** Codex has no exit code for a process that it stopped. For one that it could not start, it says why. */
function wasStopped(item: Fields, output: string): boolean {
  if (parseExitCode(item) !== -1) return false;
  return asName(item.process_id) !== undefined || item.stderr === '' || output.trim() === '';
}

function joinOutput(item: Fields): string {
  const whole = asText(item.aggregated_output) ?? asText(item.aggregatedOutput) ?? asText(item.formatted_output);
  if (whole !== undefined) return whole;
  const error = asText(item.error) ?? asText(asFields(item.error)?.message);
  const result = asFields(item.result);
  const parts = [asText(item.stdout), asText(item.stderr), error, ...listPartTexts(result?.content)];
  return parts.filter((part) => part !== undefined && part !== '').join('\n');
}

/** A folder as a path or, in newer files, as a URL. */
function parseFolder(value: unknown): string | undefined {
  const text = asText(value);
  if (!text?.startsWith('file:')) return text;
  try {
    return fileURLToPath(text);
  } catch {
    return undefined;
  }
}

function parseCommand(value: unknown): string | readonly string[] | undefined {
  return Array.isArray(value) ? value.map(String) : asText(value);
}

function getText(item: Fields): string {
  return asText(item.text) ?? listPartTexts(item.content).join('\n');
}

function listPartTexts(content: unknown): readonly string[] {
  return asObjects(content).flatMap((part) => asText(part.text) ?? []);
}

/** The session in the first line of a rollout; undefined when it has no id. */
export function parseSessionMeta(meta: Fields): (SessionEvent & { readonly model?: string }) | undefined {
  const sessionId = asName(meta.id) ?? asName(meta.session_id);
  if (sessionId === undefined) return undefined;
  const git = asFields(meta.git);
  const subAgent = asFields(asFields(meta.source)?.subagent);
  const startedBy = asName(meta.parent_thread_id) ?? asName(asFields(subAgent?.thread_spawn)?.parent_thread_id);
  const forkedFrom = asName(meta.forked_from_id);
  const isSubAgent = startedBy !== undefined || meta.thread_source === 'subagent';
  return {
    type: 'session',
    sessionId,
    ...omitUndefined({
      parentSessionId: startedBy ?? forkedFrom,
      cwd: asPath(meta.cwd),
      remote: asText(git?.repository_url),
      branch: asName(git?.branch),
    }),
    ...(forkedFrom !== undefined && !isSubAgent ? { isFork: true } : {}),
  };
}

/** What the event for the end of a command says. */
export function parseCommandEnd(event: Fields): CallFacts {
  if (wasStopped(event, joinOutput(event))) return { wasStopped: true };
  return omitUndefined({ exitCode: asInteger(event.exit_code), durationMs: parseDuration(event.duration) });
}

/** What the event for the end of a patch says. */
export function parsePatchEnd(event: Fields): CallFacts {
  return event.success === false || event.status === 'failed' ? { isError: true } : {};
}

/** What the event for the end of an MCP call says. */
export function parseMcpEnd(event: Fields): CallFacts {
  const result = asFields(event.result);
  const isError = result !== undefined && ('Err' in result || asFields(result.Ok)?.isError === true);
  return { ...(isError ? { isError } : {}), ...omitUndefined({ durationMs: parseDuration(event.duration) }) };
}

/** The item of a call that only the event for its end shows: one that a script made. */
export function toTurnItem(event: Fields): Fields {
  const { call_id: id, duration, invocation, result } = event;
  if (event.type === 'patch_apply_end') {
    return { ...event, type: 'FileChange', id, ...(parsePatchEnd(event).isError ? { status: 'failed' } : {}) };
  }
  const status = parseMcpEnd(event).isError ? 'failed' : 'completed';
  const { Ok, Err } = asFields(result) ?? {};
  return { ...asFields(invocation), type: 'McpToolCall', id, duration, status, result: Ok, error: Err };
}

/** `{"secs":1,"nanos":500000000}`, or milliseconds. */
function parseDuration(value: unknown): number | undefined {
  const fields = asFields(value);
  const seconds = asNumber(fields?.secs);
  if (seconds === undefined) return asNumber(value);
  return Math.round(seconds * 1000 + (asNumber(fields?.nanos) ?? 0) / 1_000_000);
}

/** What a text in the user's turn is: typed by the user, or injected, and by what. */
type UserText = { readonly text: string } | { readonly injected: string };

/** Elements that Codex injects into the user's turn. */
const INJECTED_ELEMENT =
  /^<(?:environment_context|user_instructions|instructions|permissions instructions|collaboration_mode|model_switch|personality_spec|skill|skills_instructions|apps_instructions|plugins_instructions|recommended_plugins|subagent_notification|subagent_context|hook_prompt|hook_context|goal_context|realtime_conversation|turn_aborted|user_action|additional_context|apps|plugins|legacy_[a-z_]+)\b[^>\n]*>/i;
/** Any element from the first character to the last. */
const ELEMENT_FIRST = /^<([A-Za-z][\w-]*)[^<>\n]*>/;

const INJECTED_OPENINGS: readonly (readonly [opening: string, reason: string])[] = [
  ['# AGENTS.md instructions', 'injected text'],
  ['# Files mentioned by the user', 'injected text'],
  ['Another language model started to solve this problem', 'copy of a compaction'],
  ['Warning: apply_patch was requested via', 'injected text'],
  ['Warning: The maximum number of unified exec processes', 'injected text'],
  ['Warning: Your account was flagged', 'injected text'],
];

const SHELL_COMMAND = /^<user_shell_command>\s*<command>\s*([\s\S]{0,20000}?)\s*<\/command>/;
const REQUEST_HEADING = '## My request for Codex:';

/**
 * Separates what the user typed from what Codex injects. With `isFromUser`, the text comes from a place where only users
 * write, so that an unknown element is something they pasted.
 */
export function parseUserText(text: string, isFromUser: boolean): UserText {
  const trimmed = text.trim();
  if (trimmed === '') return { injected: 'empty text' };
  const command = SHELL_COMMAND.exec(trimmed)?.[1];
  if (command !== undefined) return { text: `!${command}` };
  for (const [opening, injected] of INJECTED_OPENINGS) {
    if (trimmed.startsWith(opening) && !trimmed.includes(REQUEST_HEADING)) return { injected };
  }
  if (trimmed.startsWith('<turn_aborted>')) return { injected: 'interruption' };
  if (INJECTED_ELEMENT.test(trimmed)) return { injected: 'injected text' };
  const name = ELEMENT_FIRST.exec(trimmed)?.[1];
  if (name !== undefined && !isFromUser && endsWithElement(trimmed, name)) return { injected: 'injected text' };
  const heading = trimmed.lastIndexOf(REQUEST_HEADING);
  if (heading < 0) return { text };
  // Editors put their open files before what the user typed.
  const typed = trimmed.slice(heading + REQUEST_HEADING.length).trim();
  return typed === '' ? { injected: 'injected text' } : { text: typed };
}

function endsWithElement(text: string, name: string): boolean {
  const last = text.lastIndexOf('</');
  return last > 0 && text.endsWith('>') && text.startsWith(name, last + 2);
}

/** Images in a message are surrounded by tags with their name. */
const IMAGE_TAG = /^<\/?image\b[^<>]*>$/;
const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+);base64,/;

/** The texts in the content of a message: a list of parts, or in old files a text. */
export function listMessageTexts(content: unknown): readonly string[] {
  if (typeof content === 'string') return [content];
  return asObjects(content)
    .flatMap((part) => asText(part.text) ?? [])
    .filter((text) => !IMAGE_TAG.test(text.trim()));
}

/** The images in the parts of a message, or in a list of URLs. Only data URLs count. */
export function parseImages(parts: unknown): readonly TranscriptImage[] {
  return asList(parts).flatMap((part) => {
    const url = typeof part === 'string' ? part : getImageUrl(part);
    const mediaType = DATA_URL.exec(url.slice(0, 200));
    return mediaType?.[1] === undefined ? [] : [{ mediaType: mediaType[1], base64: url.slice(mediaType[0].length) }];
  });
}

function getImageUrl(part: unknown): string {
  const [fields] = asObjects([part]);
  return fields?.type === 'input_image' ? (asText(fields.image_url) ?? '') : '';
}

/**
 * The usage of the last reply, and the token total of the session, which shows whether there is something new: Codex writes
 * the same counts again when only the limits of the account have changed. Undefined when there are no counts.
 */
export function parseUsage(event: Fields): { readonly usage: Usage; readonly total: number } | undefined {
  const info = asFields(event.info);
  const last = asFields(info?.last_token_usage);
  const total = asCount(asFields(info?.total_token_usage)?.total_tokens);
  const input = asCount(last?.input_tokens);
  if (total === undefined || input === undefined) return undefined;
  const cached = asCount(last?.cached_input_tokens) ?? 0;
  const usage = omitUndefined({
    // For Codex, cached tokens are part of the input.
    inputTokens: Math.max(0, input - cached),
    outputTokens: asCount(last?.output_tokens),
    cacheReadTokens: cached,
    cacheWriteTokens: asCount(last?.cache_write_input_tokens),
  });
  return { usage, total };
}
