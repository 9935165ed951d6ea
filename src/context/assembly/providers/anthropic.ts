import type { ContentBlock, PromptMessage } from '../../message.ts';
import { sendableMessages } from './sendable.ts';

/** A text block of Anthropic's Messages API. */
export interface AnthropicTextBlock {
  type: 'text';
  text: string;
  cache_control?: AnthropicCacheControl;
}

/** An image block of Anthropic's Messages API. */
export interface AnthropicImageBlock {
  type: 'image';
  source: { type: 'base64'; media_type: string; data: string };
}

/** Caches the prefix up to its block, by default for five minutes. */
export interface AnthropicCacheControl {
  type: 'ephemeral';
  ttl?: '5m' | '1h';
}

/** A message of Anthropic's Messages API. */
export interface AnthropicMessage {
  role: 'user' | 'assistant';
  content: string | (AnthropicTextBlock | AnthropicImageBlock)[];
}

/** The fields of a request to Anthropic's Messages API that make up the prompt. */
export interface AnthropicPrompt {
  system?: AnthropicTextBlock[];
  messages: AnthropicMessage[];
}

/** Options of {@link toAnthropicPrompt}. */
export interface AnthropicOptions {
  /** How long a prefix is cached. Default: five minutes. An hour costs more to write. */
  readonly ttl?: '5m' | '1h';
}

/**
 * Converts a prompt for Anthropic's Messages API: spread it into the request. System messages become `system`; every cache
 * marker becomes a `cache_control`.
 */
export function toAnthropicPrompt(messages: readonly PromptMessage[], options: AnthropicOptions = {}): AnthropicPrompt {
  const control: AnthropicCacheControl = { type: 'ephemeral', ...(options.ttl && { ttl: options.ttl }) };
  const system: AnthropicTextBlock[] = [];
  const rest: AnthropicMessage[] = [];
  for (const { role, blocks } of sendableMessages(messages)) {
    const converted = blocks.map((block) => toBlock(block, control));
    if (role === 'system') system.push(...converted.filter((block) => block.type === 'text'));
    else rest.push({ role, content: plainOrBlocks(converted) });
  }
  return { ...(system.length > 0 && { system }), messages: rest };
}

function toBlock(block: ContentBlock, control: AnthropicCacheControl): AnthropicTextBlock | AnthropicImageBlock {
  if (block.type === 'image') {
    return { type: 'image', source: { type: 'base64', media_type: block.mediaType, data: block.base64 } };
  }
  return { type: 'text', text: block.text, ...(block.cacheMarker && { cache_control: { ...control } }) };
}

function plainOrBlocks(blocks: (AnthropicTextBlock | AnthropicImageBlock)[]): AnthropicMessage['content'] {
  const [first] = blocks;
  const isPlain = blocks.length === 1 && first?.type === 'text' && first.cache_control === undefined;
  return isPlain ? first.text : blocks;
}
