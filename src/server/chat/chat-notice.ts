import type { ChatEvent } from '../../chat/index.ts';
import type { YoreError } from '../../record/index.ts';
import type { ChatNotice, WireError } from '../rpc/api.ts';
import { shownMessage } from './shown-messages.ts';

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** An event of a chat as it goes over the wire, but for its project and its number. */
export type UnplacedNotice = DistributiveOmit<ChatNotice, 'project' | 'sequence'>;

/** Turns an event of the chat service into what clients are told. `offset`: how much of the reply was said before. */
export function chatNotice(event: ChatEvent, offset: number): UnplacedNotice {
  switch (event.type) {
    case 'asked':
      return { type: 'asked', requestId: event.requestId, message: shownMessage(event.message) };
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
          ...(usage === undefined ? {} : { usage }),
          ...(message === undefined ? {} : { message: shownMessage(message) }),
        },
      };
    }
    case 'failed':
      return { type: 'failed', requestId: event.requestId, error: wireError(event.error) };
    case 'compaction-start':
      return { type: 'compaction-start' };
    case 'compaction-complete': {
      const { summary, tokensBefore, tokensAfter } = event;
      return { type: 'compaction-complete', case: event.case, summary, tokensBefore, tokensAfter };
    }
    case 'compaction-error':
      return { type: 'compaction-error', error: wireError(event.error) };
    case 'session':
      return {
        type: 'session',
        ...(event.sessionId === undefined ? {} : { sessionId: event.sessionId }),
      };
    case 'notice':
      return { type: 'notice', text: event.text };
  }
}

function wireError({ code, message }: YoreError): WireError {
  return { code, message };
}
