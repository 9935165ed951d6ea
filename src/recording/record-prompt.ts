import { appendRecord } from '../log/append.ts';
import { openSegmentPath } from '../log/segments.ts';
import { newMessageId } from '../record/id.ts';
import { type Message, RECORD_VERSION } from '../record/record.ts';
import type { SessionRequests } from './session-requests.ts';

/** A prompt to be recorded. */
export interface NewPrompt {
  readonly sessionId: string;
  readonly text: string;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly agent?: string;
  readonly branch?: string;
  readonly id?: string;
}

/**
 * Appends a prompt to the history and makes it the current request unless it is a follow-up. What it says about the
 * previous request is for `Recorder.recordPrompt` to record, which needs the guard.
 */
export function recordPrompt(
  { text, id, ...rest }: NewPrompt,
  requests: SessionRequests,
  { directory, isShortLived = false }: { readonly directory: string; readonly isShortLived?: boolean },
): Message {
  const isRequest = requests.follow(rest.sessionId, text);
  const head = { v: RECORD_VERSION, id: id ?? newMessageId(Date.parse(rest.timestamp)) };
  const message: Message = { ...head, ...rest, role: 'user', content: text };
  appendRecord(openSegmentPath(directory, 'history'), message);
  if (isRequest && isShortLived) requests.writeCache(rest.sessionId, text);
  return message;
}
