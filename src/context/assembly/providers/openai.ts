import type { ContentBlock, PromptMessage } from '../../message.ts';
import { sendableMessages } from './sendable.ts';

/** A part of a message in OpenAI's chat completions. */
export type OpenAiPart = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } };

/** A message of OpenAI's chat completions. Only user messages have images. */
export type OpenAiMessage =
  | { role: 'system'; content: string }
  | { role: 'assistant'; content: string }
  | { role: 'user'; content: string | OpenAiPart[] };

/**
 * Converts a prompt to the `messages` of OpenAI's chat completions, which many other providers accept too. Text alone is a
 * plain string, because some of them accept nothing else. The format has no cache markers: these providers cache the longest
 * prefix they have seen, so the order of a tiered prompt pays off there as well.
 */
export function toOpenAiMessages(messages: readonly PromptMessage[]): OpenAiMessage[] {
  return sendableMessages(messages).map(({ role, blocks }) =>
    role === 'user' ? { role, content: toContent(blocks) } : { role, content: textOf(blocks) },
  );
}

function toContent(blocks: readonly ContentBlock[]): string | OpenAiPart[] {
  return blocks.every((block) => block.type === 'text') ? textOf(blocks) : blocks.map(toPart);
}

function toPart(block: ContentBlock): OpenAiPart {
  if (block.type === 'text') return { type: 'text', text: block.text };
  return { type: 'image_url', image_url: { url: `data:${block.mediaType};base64,${block.base64}` } };
}

function textOf(blocks: readonly ContentBlock[]): string {
  return blocks.map((block) => (block.type === 'text' ? block.text : '')).join('');
}
