import type { ContentBlock, ImageBlock } from '../assembly/prompt.ts';
import { encodingNamed } from './encoding/encoding-named.ts';
import { imageSize, imageTokens, UNKNOWN_IMAGE_TOKENS } from './images.ts';
import { type ModelInfo, modelInfo } from './models.ts';

/** A message, as far as counting needs it. */
export interface CountedMessage {
  readonly role: string;
  readonly content: string | readonly ContentBlock[];
}

const TOKENS_PER_MESSAGE = 4;
const CHARACTERS_PER_TOKEN = 4;
/** What multiplying adds to a whole number by mistake. */
const ROUNDING = 1e-6;

/**
 * Counts what text and messages cost in tokens of one model: exactly for OpenAI's models, else as an estimate that is
 * rather too high than too low (docs/tokens.md). The encoding is loaded at the first count and shared by all counters.
 * Never throws: where it cannot be loaded, four characters are a token.
 *
 * A counter does not remember texts: keep the count with what was counted, and count what is new.
 */
export class TokenCounter {
  /** What is known of the model. */
  readonly model: ModelInfo;

  constructor(modelName: string) {
    this.model = modelInfo(modelName);
  }

  /** Tokens of a text: 0 for an empty one, else at least 1. */
  count(text: string): number {
    if (text.length === 0) return 0;
    try {
      const encoding = encodingNamed(this.model.encoding);
      if (encoding !== undefined) return Math.ceil(encoding.count(text) * this.model.factor - ROUNDING);
    } catch {
      // Not to know exactly is better than not to go on.
    }
    return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
  }

  /** Tokens of a message: its text, its pictures, and 4 for the message itself. */
  countMessage(message: CountedMessage): number {
    return TOKENS_PER_MESSAGE + this.#countContent(message.content);
  }

  /** Tokens of all messages together. */
  countMessages(messages: readonly CountedMessage[]): number {
    return messages.reduce((sum, message) => sum + this.countMessage(message), 0);
  }

  #countContent(content: string | readonly ContentBlock[]): number {
    if (typeof content === 'string') return this.count(content);
    return content.reduce(
      (sum, block) => sum + (block.type === 'text' ? this.count(block.text) : this.#countImage(block)),
      0,
    );
  }

  #countImage(image: ImageBlock): number {
    const size = imageSize(image.base64);
    return size === undefined ? UNKNOWN_IMAGE_TOKENS : imageTokens(this.model, size.width, size.height);
  }
}
