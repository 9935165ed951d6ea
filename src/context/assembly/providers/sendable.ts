import type { ContentBlock, PromptMessage } from '../../message.ts';

/** A message that every provider accepts: at least one block, no blank or ill-formed text, images only from the user. */
export interface SendableMessage {
  readonly role: PromptMessage['role'];
  readonly blocks: readonly ContentBlock[];
}

const LONE_SURROGATE = /\p{Surrogate}/gu;
const REPLACEMENT_CHARACTER = '\ufffd';

/**
 * Makes messages acceptable to providers, which reject blank texts, messages without content, images from the assistant, and
 * lone surrogates (from text that was cut in the middle of a character). Lone surrogates are replaced, the rest is left out.
 */
export function sendableMessages(messages: readonly PromptMessage[]): SendableMessage[] {
  return messages
    .map(({ role, content }) => ({ role, blocks: sendableBlocks(role, content) }))
    .filter(({ blocks }) => blocks.length > 0);
}

function sendableBlocks(role: PromptMessage['role'], content: PromptMessage['content']): readonly ContentBlock[] {
  const blocks: readonly ContentBlock[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  return blocks
    .filter((block) => (block.type === 'image' ? role === 'user' : /\S/.test(block.text)))
    .map((block) => (block.type === 'image' ? block : { ...block, text: wellFormed(block.text) }));
}

function wellFormed(text: string): string {
  return text.replace(LONE_SURROGATE, REPLACEMENT_CHARACTER);
}
