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

  async *respond({ prompt, sessionId, signal }: ResponderRequest): AsyncIterable<ResponsePart> {
    const asked = { question: prompt, sessionId };
    const text = await (this.#source.answer?.(asked) ?? answer(asked, this.#source));
    const words = text.match(/\S+\s*/g) ?? [];
    for (let at = 0; at < words.length; at += WORDS_PER_PIECE) {
      if (signal.aborted) return;
      yield { type: 'text', text: words.slice(at, at + WORDS_PER_PIECE).join('') };
      // Lets a cancellation through.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
