import { isAbsolute } from 'node:path';
import {
  asFields,
  asName,
  asNumber,
  asObjects,
  asText,
  asTime,
  defined,
  type Fields,
} from '../transcript/fields.ts';
import { skip, unknownType } from '../transcript/skip.ts';
import type { TranscriptEvent } from '../transcript/transcript-event.ts';
import { errorEvents, imageOf, usageOf } from './message-events.ts';
import { toolEvents } from './tool-events.ts';

/** Messages that say nothing. */
const SILENT: Readonly<Record<string, string>> = {
  'agent-switched': 'change of the agent',
  idle: 'end of a turn',
  'model-switched': 'change of the model',
  skill: 'injected text',
  synthetic: 'injected text',
  system: 'injected text',
};

/** What a message of version 2 says: one of the table `session_message`, all of it in one value. */
export function* sessionMessageEvents(
  type: unknown,
  id: string,
  data: Fields,
  sessionId: string,
): Generator<TranscriptEvent> {
  const timestamp = asTime(asFields(data.time)?.created);
  const place = { sessionId, ...defined({ timestamp }) };
  if (type === 'user') yield* userEvents(id, data, place);
  else if (type === 'assistant') yield* assistantEvents(id, data, place);
  else if (type === 'shell') yield* shellEvents(id, data, sessionId);
  else if (type === 'compaction') yield* compactionEvents(id, data, place);
  else if (type === 'location-switched') yield* locationEvents(data, sessionId);
  else if (typeof type === 'string' && Object.hasOwn(SILENT, type)) yield skip(SILENT[type] ?? '');
  else yield unknownType('message', type);
}

/** Whether nothing will be added to such a message. */
export function isSettled(type: unknown, data: Fields): boolean {
  if (type === 'compaction') return data.status !== 'running';
  if (type !== 'assistant' && type !== 'shell') return true;
  return asFields(data.time)?.completed !== undefined || data.error !== undefined;
}

/** Where and when something was said. */
interface Place {
  readonly sessionId: string;
  readonly timestamp?: string;
}

function* userEvents(id: string, data: Fields, place: Place): Generator<TranscriptEvent> {
  const files = asObjects(data.files);
  const images = files.flatMap((file) => imageOf(file.mime, file.uri ?? file.url) ?? []);
  for (let other = images.length; other < files.length; other++) yield skip('attached file');
  const text = asText(data.text)?.trim() ?? '';
  if (text === '' && images.length === 0) return;
  yield { type: 'message', ...place, id, role: 'user', text, ...(images.length > 0 ? { images } : {}) };
}

function* assistantEvents(id: string, data: Fields, place: Place): Generator<TranscriptEvent> {
  const content = asObjects(data.content);
  const texts = content.flatMap((part) =>
    part.type === 'text' && part.synthetic !== true && part.ignored !== true
      ? (asText(part.text)?.trim() ?? [])
      : [],
  );
  const text = texts.filter((part) => part !== '').join('\n\n');
  const usage = usageOf(data.tokens);
  const model = asName(asFields(data.model)?.id) ?? asName(asFields(data.model)?.modelID);
  if (text !== '' || usage)
    yield { type: 'message', ...place, id, role: 'assistant', text, ...defined({ model, usage }) };
  for (const part of content) {
    if (part.type === 'tool') yield* toolPart(part, place.sessionId);
    else if (part.type === 'reasoning') yield skip('thinking');
    else if (part.type !== 'text') yield unknownType('part', part.type);
  }
  yield* errorEvents(data.error, id, place);
}

function toolPart(part: Fields, sessionId: string): Iterable<TranscriptEvent> {
  const time = asFields(part.time);
  const state = asFields(part.state) ?? {};
  const started = time?.ran ?? time?.created;
  return toolEvents({ callId: part.id, tool: part.name, state, started, ended: time?.completed }, sessionId);
}

/** A command that the person ran themselves. */
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
  return toolEvents(
    { callId, tool: 'bash', state, started: time?.created, ended: time?.completed },
    sessionId,
  );
}

function* compactionEvents(id: string, data: Fields, place: Place): Generator<TranscriptEvent> {
  if (data.status === 'failed' || data.status === 'running') {
    yield skip('compaction that failed');
    return;
  }
  const text = asText(data.summary)?.trim() ?? '';
  yield { type: 'message', ...place, id, role: 'assistant', text, kind: 'checkpoint', isSystem: true };
}

function* locationEvents(data: Fields, sessionId: string): Generator<TranscriptEvent> {
  const cwd = asName(asFields(data.location)?.directory);
  if (cwd !== undefined && isAbsolute(cwd)) yield { type: 'session', sessionId, cwd };
  else yield skip('change of the folder');
}
