import type { LanguageModelV3Message, LanguageModelV3Prompt } from '@ai-sdk/provider';
import type { PromptMessage } from '../../context/assembly/prompt.ts';
import {
  type AiSdkMessage,
  type AiSdkTextPart,
  toAiSdkPrompt,
} from '../../context/assembly/providers/ai-sdk.ts';

/** A prompt as the AI SDK hands it to a provider, cache markers included. */
export function languagePrompt(messages: readonly PromptMessage[]): LanguageModelV3Prompt {
  const { system = [], messages: rest } = toAiSdkPrompt(messages);
  return [...system, ...rest.map(languageMessage)];
}

function languageMessage({ role, content, providerOptions }: AiSdkMessage): LanguageModelV3Message {
  const options = providerOptions === undefined ? {} : { providerOptions };
  if (role === 'assistant') {
    const parts: AiSdkTextPart[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    return { role, content: parts, ...options };
  }
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
  return {
    role,
    content: parts.map((part) =>
      part.type === 'text' ? part : { type: 'file', data: part.image, mediaType: part.mediaType },
    ),
    ...options,
  };
}
