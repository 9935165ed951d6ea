import { type ChatEvent, findSuggestedCommands } from '../../chat/index.ts';
import { type Message, omitUndefined, type YoreError } from '../../record/index.ts';
import type { ChatNotification, DisplayMessage, ErrorInfo } from './api.ts';
import { byteSize, MAX_RESPONSE_BYTES } from './json-rpc.ts';

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** A chat notification without its project and sequence number. */
export type NotificationBody = DistributiveOmit<ChatNotification, 'project' | 'sequence'>;

/** Translates an event of the chat service for clients. `offset` is the length of the reply before the event. */
export function toNotification(event: ChatEvent, offset: number): NotificationBody {
  switch (event.type) {
    case 'asked':
      return { type: 'asked', requestId: event.requestId, message: toDisplayMessage(event.message) };
    case 'chunk':
      return { type: 'chunk', requestId: event.requestId, text: event.text, offset };
    case 'complete': {
      const { requestId, text, cancelled, usage, message } = event.reply;
      return {
        type: 'complete',
        reply: {
          requestId,
          text,
          cancelled,
          ...omitUndefined({ usage, message: message && toDisplayMessage(message) }),
        },
      };
    }
    case 'failed':
      return { type: 'failed', requestId: event.requestId, error: toErrorInfo(event.error) };
    case 'compaction-start':
      return { type: 'compaction-start' };
    case 'compaction-complete': {
      const { summary, tokensBefore, tokensAfter } = event;
      return { type: 'compaction-complete', case: event.case, summary, tokensBefore, tokensAfter };
    }
    case 'compaction-error':
      return { type: 'compaction-error', error: toErrorInfo(event.error) };
    case 'session':
      return { type: 'session', ...omitUndefined({ sessionId: event.sessionId }) };
    case 'notice':
      return { type: 'notice', text: event.text };
  }
}

function toErrorInfo({ code, message }: YoreError): ErrorInfo {
  return { code, message };
}

/** A message as clients show it. */
export function toDisplayMessage(
  message: Pick<Message, 'id' | 'role' | 'content' | 'imageRefs' | 'kind'> & { readonly timestamp?: string },
): DisplayMessage {
  const { id, role, content, timestamp, imageRefs, kind } = message;
  const found = role === 'assistant' ? findSuggestedCommands(content) : [];
  const commands = found.length === 0 ? undefined : found;
  return { id, role, content, ...omitUndefined({ timestamp, imageRefs, kind, commands }) };
}

/** The messages of a session that clients show: all, or after a compaction its summary and the messages that were kept. */
export function visibleMessages(all: readonly Message[]): readonly DisplayMessage[] {
  const at = all.findLastIndex(({ kind }) => kind === 'checkpoint');
  const checkpoint = all[at];
  if (checkpoint === undefined) return all.map(toDisplayMessage);
  const kept = all.findIndex(({ id }) => id === checkpoint.keptFrom);
  const rest = all.slice(kept >= 0 ? kept : at + 1).filter(({ kind }) => kind !== 'checkpoint');
  return (checkpoint.content === '' ? rest : [checkpoint, ...rest]).map(toDisplayMessage);
}

const MAX_MESSAGES = 200;

/** The last messages of a session. */
export interface LatestMessages {
  readonly messages: readonly DisplayMessage[];
  /** How many messages come before these. */
  readonly earlier: number;
}

/** As many of the last messages as one response may hold, at least one. `before` counts those that `all` lacks. */
export function latestMessages(all: readonly DisplayMessage[], before = 0): LatestMessages {
  let bytes = 0;
  let first = all.length;
  for (let at = all.length - 1; at >= Math.max(0, all.length - MAX_MESSAGES); at--) {
    bytes += byteSize(all[at]);
    if (bytes > MAX_RESPONSE_BYTES && at < all.length - 1) break;
    first = at;
  }
  return { messages: all.slice(first), earlier: before + first };
}
