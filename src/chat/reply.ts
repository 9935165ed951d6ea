import type { Turn } from '../context/message.ts';
import { messageOf } from '../record/error.ts';
import { type Message, type Usage, YoreError } from '../record/index.ts';

/** A reply that is complete or was cancelled. */
export interface ChatReply {
  readonly requestId: string;
  readonly text: string;
  /** Whether the user stopped it; `text` is what had arrived. */
  readonly cancelled: boolean;
  /** Commands that the reply suggests, in order. */
  readonly commands: readonly string[];
  readonly usage?: Usage;
  /** The message as it was written to the history; absent for an empty reply. */
  readonly message?: Message;
}

/** What happens in a chat, in order. A request ends with exactly one `complete` or `failed`. */
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
      /** `none`: nothing could be removed; the history is unchanged. */
      readonly case: 'truncate' | 'summarise' | 'none';
      readonly turns: readonly Turn[];
      readonly tokensBefore: number;
      readonly tokensAfter: number;
      readonly summary: string;
    }
  | { readonly type: 'compaction-error'; readonly sessionId: string; readonly error: YoreError }
  /** Another session is current: new, loaded or restored. */
  | { readonly type: 'session'; readonly sessionId: string | undefined };

/** Converts anything thrown while replying to a YoreError; unknown errors become MODEL. */
export function toReplyError(thrown: unknown): YoreError {
  if (thrown instanceof YoreError) return thrown;
  return new YoreError('MODEL', `The reply failed: ${messageOf(thrown)}`, { cause: thrown });
}
