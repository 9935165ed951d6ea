import type { Usage } from '../../record/index.ts';
import { asCount, asFields, asName, asText, asTime, defined, type Fields } from '../transcript/fields.ts';
import { skip, unknownType } from '../transcript/skip.ts';
import type { TranscriptEvent, TranscriptImage } from '../transcript/transcript-event.ts';
import { toolEvents } from './tool-events.ts';

/** Parts of a message that say nothing. */
const SILENT: Readonly<Record<string, string>> = {
  agent: 'mention of an agent',
  compaction: 'request for a compaction',
  patch: 'list of changed files',
  reasoning: 'thinking',
  retry: 'retry',
  snapshot: 'snapshot',
  'step-finish': 'step',
  'step-start': 'step',
  subtask: 'request of a command',
};

/** What a message of version 1 says: its `info`, and its parts in order. */
export function* messageEvents(
  info: Fields,
  parts: readonly Fields[],
  sessionId: string,
): Generator<TranscriptEvent> {
  const role = info.role;
  if (role !== 'user' && role !== 'assistant') {
    yield unknownType('role', role);
    return;
  }
  const texts: string[] = [];
  const images: TranscriptImage[] = [];
  const others: TranscriptEvent[] = [];
  for (const part of parts) {
    if (part.type === 'text') {
      if (part.synthetic === true || part.ignored === true) others.push(skip('injected text'));
      else texts.push(asText(part.text)?.trim() ?? '');
    } else if (part.type === 'file') {
      const image = imageOf(part.mime, part.url);
      if (image) images.push(image);
      else others.push(skip('attached file'));
    } else if (part.type === 'tool') others.push(...toolPart(part, sessionId));
    else
      others.push(
        typeof part.type === 'string' && Object.hasOwn(SILENT, part.type)
          ? skip(SILENT[part.type] ?? '')
          : unknownType('part', part.type),
      );
  }
  const text = texts.filter((part) => part !== '').join('\n\n');
  yield* said(info, role, text, images, sessionId);
  yield* others;
  yield* providerError(info, sessionId);
}

/** Whether nothing will be added to a message: an assistant's is complete once it says so. */
export function isComplete(info: Fields): boolean {
  return (
    info.role !== 'assistant' || asFields(info.time)?.completed !== undefined || info.error !== undefined
  );
}

/** An image, from the data URI of a file that was attached. */
export function imageOf(mime: unknown, url: unknown): TranscriptImage | undefined {
  const mediaType = asName(mime);
  const uri = asText(url);
  if (!mediaType?.startsWith('image/') || !uri?.startsWith('data:')) return undefined;
  const comma = uri.indexOf(',');
  return comma > 0 && uri.slice(0, comma).endsWith(';base64')
    ? { mediaType, base64: uri.slice(comma + 1) }
    : undefined;
}

/** What a reply cost. Thinking is output too. */
export function usageOf(tokens: unknown): Usage | undefined {
  const fields = asFields(tokens);
  if (!fields) return undefined;
  const cache = asFields(fields.cache);
  const output = asCount(fields.output);
  const usage: Usage = defined({
    inputTokens: asCount(fields.input),
    outputTokens: output === undefined ? undefined : output + (asCount(fields.reasoning) ?? 0),
    cacheReadTokens: asCount(cache?.read),
    cacheWriteTokens: asCount(cache?.write),
  });
  return Object.values(usage).some((count) => count > 0) ? usage : undefined;
}

/** An error of the provider that ended a reply, unless it is that the person stopped it. */
export function* errorEvents(
  error: unknown,
  id: string | undefined,
  place: { readonly sessionId: string; readonly timestamp?: string },
): Generator<TranscriptEvent> {
  const fields = asFields(error);
  const name = asName(fields?.name) ?? asName(fields?.type);
  const message = asText(asFields(fields?.data)?.message) ?? asText(fields?.message) ?? '';
  if (!fields || /abort/i.test(name ?? '')) return;
  const text = [name, message].filter((part) => part).join(': ');
  if (text === '') return;
  yield {
    type: 'message',
    ...place,
    ...(id === undefined ? {} : { id: `${id}-error` }),
    role: 'assistant',
    text,
    isSystem: true,
  };
}

function* said(
  info: Fields,
  role: 'user' | 'assistant',
  text: string,
  images: readonly TranscriptImage[],
  sessionId: string,
): Generator<TranscriptEvent> {
  const usage = role === 'assistant' ? usageOf(info.tokens) : undefined;
  if (text === '' && images.length === 0 && !usage) return;
  const isSummary = role === 'assistant' && info.summary === true;
  const timestamp = asTime(asFields(info.time)?.created);
  const model = role === 'assistant' ? asName(info.modelID) : undefined;
  yield {
    type: 'message',
    sessionId,
    role,
    text,
    ...defined({ id: asName(info.id), timestamp, model, usage }),
    ...(images.length > 0 ? { images } : {}),
    ...(isSummary ? { kind: 'checkpoint' as const, isSystem: true } : {}),
  };
}

function toolPart(part: Fields, sessionId: string): Iterable<TranscriptEvent> {
  const state = asFields(part.state) ?? {};
  const time = asFields(state.time);
  const call = { callId: part.callID, tool: part.tool, state, started: time?.start, ended: time?.end };
  return toolEvents(call, sessionId);
}

function providerError(info: Fields, sessionId: string): Iterable<TranscriptEvent> {
  const time = asFields(info.time);
  const timestamp = asTime(time?.completed ?? time?.created);
  return errorEvents(info.error, asName(info.id), { sessionId, ...defined({ timestamp }) });
}
