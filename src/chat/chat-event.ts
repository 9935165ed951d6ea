import type { Turn } from '../context/turns/turn.ts';
import type { Message, Usage, YoreError } from '../record/index.ts';

/** A reply as it ended. */
export interface ChatReply {
  readonly requestId: string;
  readonly text: string;
  /** The user stopped it; `text` is what had been said. */
  readonly cancelled: boolean;
  /** Commands that the reply suggests, in order. */
  readonly commands: readonly string[];
  readonly usage?: Usage;
  /** The message as it was written to the history; undefined when nothing was said. */
  readonly message?: Message;
}

/** What happens in a chat, in the order in which it happens. A request ends with exactly one `complete` or `failed`. */
export type ChatEvent =
  | { readonly type: 'asked'; readonly requestId: string; readonly message: Message }
  /** One line for the user: files that were left out, turns that were dropped, a wait. */
  | { readonly type: 'notice'; readonly text: string }
  | { readonly type: 'chunk'; readonly requestId: string; readonly text: string }
  | { readonly type: 'complete'; readonly reply: ChatReply }
  | { readonly type: 'failed'; readonly requestId: string; readonly error: YoreError }
  /** Followed by exactly one `compaction-complete` or `compaction-error`. */
  | { readonly type: 'compaction-start'; readonly sessionId: string }
  | {
      readonly type: 'compaction-complete';
      readonly sessionId: string;
      /** `none`: nothing could be left out, and nothing has changed. */
      readonly case: 'truncate' | 'summarise' | 'none';
      readonly turns: readonly Turn[];
      readonly tokensBefore: number;
      readonly tokensAfter: number;
      readonly summary: string;
    }
  | { readonly type: 'compaction-error'; readonly sessionId: string; readonly error: YoreError }
  /** Another session is the current one: new, loaded or restored. */
  | { readonly type: 'session'; readonly sessionId: string | undefined };
