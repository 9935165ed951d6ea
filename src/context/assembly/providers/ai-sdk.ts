import type { ContentBlock, PromptMessage } from '../prompt.ts';
import { type SendableMessage, sendableMessages } from './sendable.ts';

/** What the AI SDK hands through to the provider of that name. */
export type AiSdkProviderOptions = Record<string, Record<string, AiSdkJson | undefined>>;

/** Anything that can be written as JSON. */
export type AiSdkJson =
  | null
  | string
  | number
  | boolean
  | { [key: string]: AiSdkJson | undefined }
  | AiSdkJson[];

/** Text of a message in the AI SDK. */
export interface AiSdkTextPart {
  type: 'text';
  text: string;
  providerOptions?: AiSdkProviderOptions;
}

/** A picture in the AI SDK. */
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

/** A message of the AI SDK. Only a user shows pictures. */
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

/** How a prompt is written for the AI SDK. */
export interface AiSdkOptions {
  /**
   * What marks the end of a part that is to be cached, in the words of the provider. Default: Anthropic's
   * `{ anthropic: { cacheControl: { type: 'ephemeral' } } }`; for Bedrock
   * `{ bedrock: { cachePoint: { type: 'default' } } }`. Providers do not mind options of others.
   */
  readonly cacheOptions?: AiSdkProviderOptions;
}

const ANTHROPIC_CACHE: AiSdkProviderOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } };

/**
 * A prompt for the AI SDK: `generateText({ model, ...toAiSdkPrompt(messages) })`. System messages become `system`,
 * as the AI SDK warns of those among the messages; each text block of them is a system message of its own, so that it
 * can carry a cache marker. A marker at the end of a message stands on the message, any other on its part.
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

function systemMessages(
  { blocks }: SendableMessage,
  cacheOptions: AiSdkProviderOptions,
): AiSdkSystemMessage[] {
  return blocks.flatMap((block) =>
    block.type === 'text'
      ? [{ role: 'system', content: block.text, ...marked(block.cacheMarker, cacheOptions) }]
      : [],
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
