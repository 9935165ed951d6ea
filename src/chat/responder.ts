import type { PromptMessage } from '../context/message.ts';
import type { Usage } from '../record/index.ts';

/** A request to a {@link Responder}. */
export interface ResponderRequest {
  /** The whole prompt: the system message first, the user's message last. */
  readonly messages: readonly PromptMessage[];
  /** The user's message alone. */
  readonly prompt: string;
  readonly sessionId: string;
  /** Aborted when the user cancels: the stream then ends soon with what has arrived. */
  readonly signal: AbortSignal;
}

/** A part of a reply. */
export type ResponsePart =
  | { readonly type: 'text'; readonly text: string }
  /** Something the user should know meanwhile, e.g. that the provider asked to wait. */
  | { readonly type: 'notice'; readonly text: string }
  /** At most once, at the end. */
  | { readonly type: 'usage'; readonly usage: Usage };

/**
 * What answers in the chat: a model, or yore's own memory. `respond` throws a YoreError that says what went wrong and what
 * to do; `OVERFLOW` if the prompt is too long for the model.
 */
export interface Responder {
  readonly kind: 'model' | 'memory';
  /** As shown to the user: `anthropic/claude-…`, or `memory`. */
  readonly name: string;
  respond(request: ResponderRequest): AsyncIterable<ResponsePart>;
}
