import type { Responder, ResponderRequest, ResponsePart } from '../responder.ts';
import { answer } from './answer.ts';
import type { MemorySource } from './memory-source.ts';

/** Pieces of so many words come one after the other, so that a reader sees the answer begin. */
const WORDS_PER_PIECE = 6;

/** Answers without a model, from what the project's memory holds. */
export class MemoryResponder implements Responder {
  readonly kind = 'memory';
  readonly name = 'memory';
  readonly #source: MemorySource;

  constructor(source: MemorySource) {
    this.#source = source;
  }

  async *respond({ prompt, signal }: ResponderRequest): AsyncIterable<ResponsePart> {
    const text = answer(prompt, this.#source);
    for (const [piece] of text.matchAll(new RegExp(`(?:\\s*\\S+){1,${WORDS_PER_PIECE}}`, 'g'))) {
      if (signal.aborted) return;
      yield { type: 'text', text: piece };
      // Lets a cancellation through.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
