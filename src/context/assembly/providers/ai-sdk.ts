import type { ContentBlock, PromptMessage } from '../../message.ts';
import { type SendableMessage, sendableMessages } from './sendable.ts';

/** Options that the AI SDK passes through, by provider. */
export type AiSdkProviderOptions = Record<string, Record<string, AiSdkJson | undefined>>;

/** A JSON value. */
export type AiSdkJson = null | string | number | boolean | { [key: string]: AiSdkJson | undefined } | AiSdkJson[];

/** A text part of an AI SDK message. */
export interface AiSdkTextPart {
  type: 'text';
  text: string;
  providerOptions?: AiSdkProviderOptions;
}

/** An image part of an AI SDK message. */
export interface AiSdkImagePart {
  type: 'image';
  image: string;
  mediaType: string;
}

/** A system message of the AI SDK. */
export interface AiSdkSystemMessage {
  role: 'system';
  content: string;
  providerOptions?: AiSdkProviderOptions;
}

/** A message of the AI SDK. Only user messages have images. */
export type AiSdkMessage =
  | {
      role: 'user';
      content: string | (AiSdkTextPart | AiSdkImagePart)[];
      providerOptions?: AiSdkProviderOptions;
    }
  | { role: 'assistant'; content: string | AiSdkTextPart[]; providerOptions?: AiSdkProviderOptions };

/** The options of `generateText` and `streamText` that make up the prompt. */
export interface AiSdkPrompt {
  system?: AiSdkSystemMessage[];
  messages: AiSdkMessage[];
}

/** Options of {@link toAiSdkPrompt}. */
export interface AiSdkOptions {
  /**
   * The provider options that mark the end of a cached prefix. Default: Anthropic's
   * `{ anthropic: { cacheControl: { type: 'ephemeral' } } }`; for Bedrock
   * `{ bedrock: { cachePoint: { type: 'default' } } }`. Providers ignore the options of others.
   */
  readonly cacheOptions?: AiSdkProviderOptions;
}

const ANTHROPIC_CACHE: AiSdkProviderOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } };

/**
 * Converts a prompt for the AI SDK: `generateText({ model, ...toAiSdkPrompt(messages) })`. System messages go into
 * `system`, because the AI SDK warns about system messages in `messages`; each of their text blocks becomes a message of
 * its own, so that it can carry a cache marker. A marker at the end of a message is set on the message, others on the part.
 */
export function toAiSdkPrompt(
  messages: readonly PromptMessage[],
  { cacheOptions = ANTHROPIC_CACHE }: AiSdkOptions = {},
): AiSdkPrompt {
  const system: AiSdkSystemMessage[] = [];
  const rest: AiSdkMessage[] = [];
  for (const message of sendableMessages(messages)) {
    if (message.role === 'system') system.push(...systemMessages(message, cacheOptions));
    else rest.push(chatMessage(message.role, message.blocks, cacheOptions));
  }
  return { ...(system.length > 0 && { system }), messages: rest };
}

function systemMessages({ blocks }: SendableMessage, cacheOptions: AiSdkProviderOptions): AiSdkSystemMessage[] {
  return blocks.flatMap((block) =>
    block.type === 'text' ? [{ role: 'system', content: block.text, ...marked(block.cacheMarker, cacheOptions) }] : [],
  );
}

function chatMessage(
  role: 'user' | 'assistant',
  blocks: readonly ContentBlock[],
  cacheOptions: AiSdkProviderOptions,
): AiSdkMessage {
  const last = blocks.at(-1);
  const onMessage = marked(last?.type === 'text' && last.cacheMarker, cacheOptions);
  if (blocks.length === 1 && last?.type === 'text') return { role, content: last.text, ...onMessage };
  const parts = blocks.map((block) => toPart(block, block !== last, cacheOptions));
  if (role === 'user') return { role, content: parts, ...onMessage };
  return { role, content: parts.filter((part) => part.type === 'text'), ...onMessage };
}

function toPart(
  block: ContentBlock,
  mayMark: boolean,
  cacheOptions: AiSdkProviderOptions,
): AiSdkTextPart | AiSdkImagePart {
  if (block.type === 'image') return { type: 'image', image: block.base64, mediaType: block.mediaType };
  return { type: 'text', text: block.text, ...marked(mayMark && block.cacheMarker, cacheOptions) };
}

function marked(
  isMarked: boolean | undefined,
  cacheOptions: AiSdkProviderOptions,
): { providerOptions?: AiSdkProviderOptions } {
  return isMarked ? { providerOptions: structuredClone(cacheOptions) } : {};
}
