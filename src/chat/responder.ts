import type { PromptMessage } from '../context/assembly/prompt.ts';
import type { Usage } from '../record/index.ts';

/** What a responder is asked. */
export interface ResponderRequest {
  /** The whole prompt, system message first, the user's words last. */
  readonly messages: readonly PromptMessage[];
  /** The user's words alone. */
  readonly prompt: string;
  /** The session that they are written in. */
  readonly sessionId: string;
  /** Aborted when the user cancels: the stream ends soon, with what was said so far. */
  readonly signal: AbortSignal;
}

/** A piece of a reply. */
export type ResponsePart =
  | { readonly type: 'text'; readonly text: string }
  /** Something the user should know meanwhile, for instance that the provider asked to wait. */
  | { readonly type: 'notice'; readonly text: string }
  /** At most once, at the end. */
  | { readonly type: 'usage'; readonly usage: Usage };

/**
 * Who answers: a model, or yore's own memory. `respond` throws a YoreError that says what went wrong and what to do;
 * `OVERFLOW` when the prompt is too long for the model.
 */
export interface Responder {
  readonly kind: 'model' | 'memory';
  /** As shown to the user: `anthropic/claude-…`, or `memory`. */
  readonly name: string;
  respond(request: ResponderRequest): AsyncIterable<ResponsePart>;
}
