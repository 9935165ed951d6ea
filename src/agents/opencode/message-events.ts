import { omitUndefined } from '../../record/object.ts';
import type { Usage } from '../../record/record.ts';
import {
  asAbsolutePath,
  asCount,
  asFields,
  asName,
  asNumber,
  asObjects,
  asText,
  asTime,
  type Fields,
} from '../transcript/fields.ts';
import {
  skip,
  skipKnown,
  skipTable,
  type TranscriptEvent,
  type TranscriptImage,
  unknownType,
} from '../transcript/transcript.ts';
import { toolEvents } from './tool-events.ts';

/** Parts of a version 1 message that are skipped, and why. */
const SKIPPED_PARTS = skipTable({
  'mention of an agent': 'agent',
  'request for a compaction': 'compaction',
  'list of changed files': 'patch',
  thinking: 'reasoning',
  retry: 'retry',
  snapshot: 'snapshot',
  step: 'step-finish step-start',
  'request of a command': 'subtask',
});

/** The events of a version 1 message: its `info`, and its parts in order. */
export function* messageEvents(info: Fields, parts: readonly Fields[], sessionId: string): Generator<TranscriptEvent> {
  const role = info.role;
  if (role !== 'user' && role !== 'assistant') return yield unknownType('role', role);
  const texts: string[] = [];
  const images: TranscriptImage[] = [];
  const others: TranscriptEvent[] = [];
  for (const part of parts) {
    if (part.type === 'text') {
      if (part.synthetic === true || part.ignored === true) others.push(skip('injected text'));
      else texts.push(asText(part.text)?.trim() ?? '');
    } else if (part.type === 'file') {
      const image = parseImage(part.mime, part.url);
      if (image) images.push(image);
      else others.push(skip('attached file'));
    } else if (part.type === 'tool') others.push(...v1ToolEvents(part, sessionId));
    else others.push(skipKnown(SKIPPED_PARTS, 'part', part.type));
  }
  const text = texts.filter((part) => part !== '').join('\n\n');
  yield* textEvents(info, role, text, images, sessionId);
  yield* others;
  yield* v1ErrorEvents(info, sessionId);
}

/** Whether a version 1 message is complete: a reply is once it has an end or an error. */
export function isComplete(info: Fields): boolean {
  return info.role !== 'assistant' || asFields(info.time)?.completed !== undefined || info.error !== undefined;
}

/** An attached image, from its data URI. */
function parseImage(mime: unknown, url: unknown): TranscriptImage | undefined {
  const mediaType = asName(mime);
  const uri = asText(url);
  if (!mediaType?.startsWith('image/') || !uri?.startsWith('data:')) return undefined;
  const comma = uri.indexOf(',');
  return comma > 0 && uri.slice(0, comma).endsWith(';base64') ? { mediaType, base64: uri.slice(comma + 1) } : undefined;
}

/** Thinking counts as output. */
function parseUsage(tokens: unknown): Usage | undefined {
  const fields = asFields(tokens);
  if (!fields) return undefined;
  const cache = asFields(fields.cache);
  const output = asCount(fields.output);
  const usage: Usage = omitUndefined({
    inputTokens: asCount(fields.input),
    outputTokens: output === undefined ? undefined : output + (asCount(fields.reasoning) ?? 0),
    cacheReadTokens: asCount(cache?.read),
    cacheWriteTokens: asCount(cache?.write),
  });
  return Object.values(usage).some((count) => count > 0) ? usage : undefined;
}

/** The provider error that ended a reply, unless the user stopped it. */
function* errorEvents(error: unknown, id: string | undefined, base: EventBase): Generator<TranscriptEvent> {
  const fields = asFields(error);
  const name = asName(fields?.name) ?? asName(fields?.type);
  const message = asText(asFields(fields?.data)?.message) ?? asText(fields?.message) ?? '';
  if (!fields || /abort/i.test(name ?? '')) return;
  const text = [name, message].filter((part) => part).join(': ');
  if (text === '') return;
  yield {
    type: 'message',
    ...base,
    ...(id === undefined ? {} : { id: `${id}-error` }),
    role: 'assistant',
    text,
    isSystem: true,
  };
}

function* textEvents(
  info: Fields,
  role: 'user' | 'assistant',
  text: string,
  images: readonly TranscriptImage[],
  sessionId: string,
): Generator<TranscriptEvent> {
  const usage = role === 'assistant' ? parseUsage(info.tokens) : undefined;
  if (text === '' && images.length === 0 && !usage) return;
  const isSummary = role === 'assistant' && info.summary === true;
  const timestamp = asTime(asFields(info.time)?.created);
  const model = role === 'assistant' ? asName(info.modelID) : undefined;
  yield {
    type: 'message',
    sessionId,
    role,
    text,
    ...omitUndefined({ id: asName(info.id), timestamp, model, usage }),
    ...(images.length > 0 ? { images } : {}),
    ...(isSummary ? { kind: 'checkpoint' as const, isSystem: true } : {}),
  };
}

function v1ToolEvents(part: Fields, sessionId: string): Iterable<TranscriptEvent> {
  const state = asFields(part.state) ?? {};
  const time = asFields(state.time);
  const call = { callId: part.callID, tool: part.tool, state, started: time?.start, ended: time?.end };
  return toolEvents(call, sessionId);
}

function v1ErrorEvents(info: Fields, sessionId: string): Iterable<TranscriptEvent> {
  const time = asFields(info.time);
  const timestamp = asTime(time?.completed ?? time?.created);
  return errorEvents(info.error, asName(info.id), { sessionId, ...omitUndefined({ timestamp }) });
}

/** Version 2 messages that are skipped, and why. */
const SKIPPED_MESSAGES = skipTable({
  'change of the agent': 'agent-switched',
  'end of a turn': 'idle',
  'change of the model': 'model-switched',
  'injected text': 'skill synthetic system',
});

/** The events of a version 2 message: one row of the table `session_message`. */
export function* sessionMessageEvents(
  type: unknown,
  id: string,
  data: Fields,
  sessionId: string,
): Generator<TranscriptEvent> {
  const timestamp = asTime(asFields(data.time)?.created);
  const base = { sessionId, ...omitUndefined({ timestamp }) };
  if (type === 'user') yield* userEvents(id, data, base);
  else if (type === 'assistant') yield* assistantEvents(id, data, base);
  else if (type === 'shell') yield* shellEvents(id, data, sessionId);
  else if (type === 'compaction') yield* compactionEvents(id, data, base);
  else if (type === 'location-switched') yield* locationEvents(data, sessionId);
  else yield skipKnown(SKIPPED_MESSAGES, 'message', type);
}

/** Whether a version 2 message is complete. */
export function isSessionMessageComplete(type: unknown, data: Fields): boolean {
  if (type === 'compaction') return data.status !== 'running';
  if (type !== 'assistant' && type !== 'shell') return true;
  return asFields(data.time)?.completed !== undefined || data.error !== undefined;
}

/** Fields that all events of a message have. */
interface EventBase {
  readonly sessionId: string;
  readonly timestamp?: string;
}

function* userEvents(id: string, data: Fields, base: EventBase): Generator<TranscriptEvent> {
  const files = asObjects(data.files);
  const images = files.flatMap((file) => parseImage(file.mime, file.uri ?? file.url) ?? []);
  for (let other = images.length; other < files.length; other++) yield skip('attached file');
  const text = asText(data.text)?.trim() ?? '';
  if (text === '' && images.length === 0) return;
  yield { type: 'message', ...base, id, role: 'user', text, ...(images.length > 0 ? { images } : {}) };
}

function* assistantEvents(id: string, data: Fields, base: EventBase): Generator<TranscriptEvent> {
  const content = asObjects(data.content);
  const texts = content.flatMap((part) =>
    part.type === 'text' && part.synthetic !== true && part.ignored !== true ? (asText(part.text)?.trim() ?? []) : [],
  );
  const text = texts.filter((part) => part !== '').join('\n\n');
  const usage = parseUsage(data.tokens);
  const model = asName(asFields(data.model)?.id) ?? asName(asFields(data.model)?.modelID);
  if (text !== '' || usage)
    yield { type: 'message', ...base, id, role: 'assistant', text, ...omitUndefined({ model, usage }) };
  for (const part of content) {
    if (part.type === 'tool') yield* v2ToolEvents(part, base.sessionId);
    else if (part.type === 'reasoning') yield skip('thinking');
    else if (part.type !== 'text') yield unknownType('part', part.type);
  }
  yield* errorEvents(data.error, id, base);
}

function v2ToolEvents(part: Fields, sessionId: string): Iterable<TranscriptEvent> {
  const time = asFields(part.time);
  const state = asFields(part.state) ?? {};
  const started = time?.ran ?? time?.created;
  return toolEvents({ callId: part.id, tool: part.name, state, started, ended: time?.completed }, sessionId);
}

/** A command that the user ran. */
function shellEvents(id: string, data: Fields, sessionId: string): Iterable<TranscriptEvent> {
  const time = asFields(data.time);
  const output = asText(data.output) ?? asText(asFields(data.output)?.output) ?? '';
  const isOver = time?.completed !== undefined;
  const exit = asNumber(data.exit);
  const state = {
    status: isOver ? 'completed' : 'running',
    input: { command: data.command },
    output,
    metadata: { exit },
  };
  const callId = data.callID ?? data.shellID ?? id;
  return toolEvents({ callId, tool: 'bash', state, started: time?.created, ended: time?.completed }, sessionId);
}

function* compactionEvents(id: string, data: Fields, base: EventBase): Generator<TranscriptEvent> {
  if (data.status === 'failed' || data.status === 'running') return yield skip('failed compaction');
  const text = asText(data.summary)?.trim() ?? '';
  yield { type: 'message', ...base, id, role: 'assistant', text, kind: 'checkpoint', isSystem: true };
}

function* locationEvents(data: Fields, sessionId: string): Generator<TranscriptEvent> {
  const cwd = asAbsolutePath(asFields(data.location)?.directory);
  if (cwd !== undefined) yield { type: 'session', sessionId, cwd };
  else yield skip('change of the folder');
}

/** The title of a session; undefined for the one that opencode gives to a new session. */
export function parseTitle(value: unknown): string | undefined {
  const title = asText(value);
  return title === undefined || /^(?:New|Child) session\b/.test(title) ? undefined : title;
}
