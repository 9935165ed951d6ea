import { createRequire } from 'node:module';
import type { ContentBlock, ImageBlock } from '../message.ts';
import { imageSize, imageTokens, UNKNOWN_IMAGE_TOKENS } from './images.ts';
import { type EncodingName, type ModelInfo, modelInfo } from './models.ts';

/** A message, as far as counting needs it. */
export interface CountedMessage {
  readonly role: string;
  readonly content: string | readonly ContentBlock[];
}

const TOKENS_PER_MESSAGE = 4;
const CHARACTERS_PER_TOKEN = 4;
/** Keeps floating-point error from rounding a whole number up to the next one. */
const EPSILON = 1e-6;

/**
 * Counts what text and messages cost in tokens of one model: exactly for OpenAI's models, otherwise as an estimate that
 * is more often too high than too low (docs/tokens.md). The encoding is loaded at the first count and shared by all
 * counters. Never throws: if it cannot be loaded, four characters count as a token.
 *
 * A counter does not cache: keep a count with the text it belongs to, and count only what is new.
 */
export class TokenCounter {
  readonly model: ModelInfo;

  constructor(modelName: string) {
    this.model = modelInfo(modelName);
  }

  /** Tokens of a text: 0 for an empty one, otherwise at least 1. */
  count(text: string): number {
    if (text.length === 0) return 0;
    const { encoding, factor } = this.model;
    try {
      return Math.ceil(countEncoded(text, encoding) * factor - EPSILON);
    } catch {
      return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
    }
  }

  /** Tokens of a message: its text, its images, and 4 for the message itself. */
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

/** Encoding takes quadratic time in the length of an unbroken run of letters, symbols or white space. */
const LONG_RUN = /[^\s\d]{512,}|\s{512,}/g;
const RUN_PART = /[\s\S]{1,512}/gu;

/**
 * Tokens of a text in an encoding. A run of 512 or more characters without a break is counted in parts, which may be off
 * by one token per part.
 */
function countEncoded(text: string, name: EncodingName): number {
  const encoder = getEncoder(name);
  let tokens = 0;
  let counted = 0;
  for (const { 0: run, index } of text.matchAll(LONG_RUN)) {
    tokens += encoder.count(text.slice(counted, index));
    for (const [part] of run.matchAll(RUN_PART)) tokens += encoder.count(part);
    counted = index + run.length;
  }
  return tokens + encoder.count(counted === 0 ? text : text.slice(counted));
}

interface Encoder {
  count(text: string): number;
}

/**
 * The package caches the pieces it has encoded, and a piece that was cut out of a text keeps the whole text in memory:
 * this bounds how many texts that can be. Its default is 100,000.
 */
const MERGE_CACHE_SIZE = 10_000;

const encoders = new Map<EncodingName, Encoder>();
const require = createRequire(import.meta.url);

function getEncoder(name: EncodingName): Encoder {
  let encoder = encoders.get(name);
  if (encoder === undefined) {
    try {
      encoder = loadEncoder(name);
    } catch {
      encoder = { count: (text) => text.length / CHARACTERS_PER_TOKEN };
    }
    encoders.set(name, encoder);
  }
  return encoder;
}

/** Loads an encoding from gpt-tokenizer. Takes about a quarter of a second. */
function loadEncoder(name: EncodingName): Encoder {
  const { countTokens, setMergeCacheSize } = require(
    `gpt-tokenizer/encoding/${name}`,
  ) as typeof import('gpt-tokenizer/encoding/o200k_base');
  setMergeCacheSize(MERGE_CACHE_SIZE);
  // Text that looks like a special token, e.g. `<|endoftext|>`, is ordinary text.
  const options = { disallowedSpecial: new Set<string>() };
  return { count: (text) => countTokens(text, options) };
}
