import { readFileSync } from 'node:fs';
import { YoreError } from '../../record/index.ts';
import { LARGEST_DOCUMENT, type TranscriptDocument } from '../transcript/document.ts';
import { asFields, asList, asName, type Fields, parseFields } from '../transcript/fields.ts';
import type { TranscriptSource } from '../transcript/transcript-source.ts';
import { type FilePlace, GeminiRecordReader } from './record-reader.ts';

/**
 * A session that is one JSON document, as older versions of Gemini CLI kept it: its messages, and each call of a message
 * for itself, since calls are added to a message that was read before. Or why there is none.
 */
export function openDocument(source: TranscriptSource, place: FilePlace): TranscriptDocument | string {
  if (source.size > LARGEST_DOCUMENT) return 'document of more than 64 MB';
  const document = parseFields(textOf(source.path));
  if (!document) return 'not a JSON object';
  const sessionId = asName(document.sessionId) ?? place.sessionId;
  const records: readonly Fields[] = [{ sessionId }, ...asList(document.messages).flatMap(recordsOf)];
  const reader = new GeminiRecordReader(undefined, place);
  return {
    items: records.map(identityOf),
    read: (index) => reader.read(records[index] ?? {}),
  };
}

function recordsOf(value: unknown): readonly Fields[] {
  const message = asFields(value) ?? {};
  const { toolCalls, ...rest } = message;
  const calls = asList(toolCalls).map((call) => ({
    id: message.id,
    type: message.type,
    timestamp: message.timestamp,
    toolCalls: [call],
  }));
  const saysNothing = calls.length > 0 && message.content === '' && !message.tokens;
  return saysNothing ? calls : [rest, ...calls];
}

/** What tells a record from what may come in its place. */
function identityOf(record: Fields): unknown {
  const call = asFields(asList(record.toolCalls)[0]);
  return call
    ? [record.id, call.id, call.status]
    : [record.sessionId, record.id, !record.content, !record.tokens];
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    throw new YoreError(
      'STORAGE',
      `Cannot read ${path}: ${detail}. Make it readable for you and try again.`,
      {
        cause: error,
      },
    );
  }
}
