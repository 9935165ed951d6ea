import type { Responder, ResponderRequest, ResponsePart } from '../../src/chat/index.ts';
import { YoreError } from '../../src/record/index.ts';

/** Replies with one text after the other and records its requests. `undefined` is a reply that fails. */
export class ScriptedResponder implements Responder {
  readonly kind: Responder['kind'] = 'model';
  readonly name = 'openai/gpt-4o';
  readonly requests: ResponderRequest[] = [];
  readonly #replies: (string | undefined)[];

  constructor(...replies: readonly (string | undefined)[]) {
    this.#replies = [...replies];
  }

  async *respond(request: ResponderRequest): AsyncIterable<ResponsePart> {
    this.requests.push(request);
    const reply = this.#replies.length === 0 ? 'Fine.' : this.#replies.shift();
    await new Promise((resolve) => setImmediate(resolve));
    if (reply === undefined) throw new YoreError('MODEL', 'The reply was interrupted.');
    yield { type: 'text', text: reply };
  }

  /** The user's message of the last request, as it was sent. */
  lastAsked(): string {
    const { content = '' } = this.requests.at(-1)?.messages.at(-1) ?? {};
    if (typeof content === 'string') return content;
    return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
  }
}
