import { setTimeout as delay } from 'node:timers/promises';
import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3StreamPart,
} from '@ai-sdk/provider';
import { type AiSdkMessage, type AiSdkTextPart, toAiSdkPrompt } from '../../context/assembly/providers/ai-sdk.ts';
import type { PromptMessage } from '../../context/message.ts';
import type { Usage } from '../../record/index.ts';
import { omitUndefined } from '../../record/object.ts';
import type { ResponsePart } from '../responder.ts';
import { isRetryable, readRetryAfter } from './model-error.ts';

/** How a request is retried and when it times out. */
export interface RetryOptions {
  /** The maximum number of attempts. Default: 4. */
  readonly maxAttempts?: number;
  /** The wait before the second attempt; it doubles with each further one. Default: 1,000. */
  readonly firstWaitMs?: number;
  /** The longest wait, whatever the provider asks for. Default: 60,000. */
  readonly maxWaitMs?: number;
  /** A model that sends nothing for this long counts as hanging. Default: 120,000. */
  readonly idleTimeoutMs?: number;
}

/** A request to a model. */
export interface ModelRequest extends RetryOptions {
  readonly model: LanguageModelV3;
  readonly prompt: LanguageModelV3Prompt;
  readonly signal: AbortSignal;
  /** The format of the reply. Default: text. */
  readonly responseFormat?: LanguageModelV3CallOptions['responseFormat'];
}

/**
 * Streams a model's reply. A request that fails temporarily before any text has arrived is retried. Ends early, without an
 * error, when the signal is aborted; otherwise throws what the provider threw.
 */
export async function* streamModel(request: ModelRequest): AsyncGenerator<ResponsePart> {
  const { maxAttempts = 4, firstWaitMs = 1000, maxWaitMs = 60_000, signal } = request;
  for (let attempt = 1; ; attempt += 1) {
    let hasBegun = false;
    try {
      for await (const part of streamOnce(request)) {
        hasBegun = true;
        yield part;
      }
      return;
    } catch (error) {
      if (signal.aborted) return;
      if (hasBegun || attempt >= maxAttempts || !isRetryable(error)) throw error;
      const wait = Math.min(maxWaitMs, readRetryAfter(error) ?? firstWaitMs * 2 ** (attempt - 1));
      yield { type: 'notice', text: `The provider is busy. Retrying in ${Math.ceil(wait / 1000)} s.` };
      await delay(wait, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
    }
  }
}

async function* streamOnce({
  model,
  prompt,
  signal,
  idleTimeoutMs = 120_000,
  responseFormat,
}: ModelRequest): AsyncGenerator<ResponsePart> {
  const idle = new AbortController();
  const idleTimer = setTimeout(() => idle.abort(), idleTimeoutMs);
  const abortSignal = AbortSignal.any([signal, idle.signal]);
  try {
    const { stream } = await model.doStream({ prompt, abortSignal, ...omitUndefined({ responseFormat }) });
    let isComplete = false;
    for await (const part of stream) {
      idleTimer.refresh();
      if (part.type === 'error') throw part.error;
      if (part.type === 'text-delta') yield { type: 'text', text: part.delta };
      if (part.type !== 'finish') continue;
      isComplete = !isInterrupted(part);
      yield { type: 'usage', usage: toUsage(part.usage) };
    }
    if (!isComplete && !signal.aborted) throw new Error('the connection closed before the reply was complete');
  } catch (error) {
    throw idle.signal.aborted ? new Error(`the model sent nothing for ${Math.round(idleTimeoutMs / 1000)} s`) : error;
  } finally {
    clearTimeout(idleTimer);
  }
}

type FinishPart = Extract<LanguageModelV3StreamPart, { type: 'finish' }>;

/** A connection that was closed in the middle looks like an end without a reason. */
function isInterrupted({ finishReason }: FinishPart): boolean {
  return finishReason.unified === 'other' && finishReason.raw === undefined;
}

function toUsage({ inputTokens, outputTokens }: FinishPart['usage']): Usage {
  const { total, noCache, cacheRead, cacheWrite } = inputTokens;
  const uncached =
    noCache ?? (total === undefined ? undefined : Math.max(0, total - (cacheRead ?? 0) - (cacheWrite ?? 0)));
  return omitUndefined({
    inputTokens: uncached,
    outputTokens: outputTokens.total,
    cacheReadTokens: cacheRead,
    cacheWriteTokens: cacheWrite,
  });
}

/** Converts a prompt to the format of AI SDK providers, including cache markers. */
export function toLanguagePrompt(messages: readonly PromptMessage[]): LanguageModelV3Prompt {
  const { system = [], messages: rest } = toAiSdkPrompt(messages);
  return [...system, ...rest.map(toLanguageMessage)];
}

function toLanguageMessage({ role, content, providerOptions }: AiSdkMessage): LanguageModelV3Message {
  const options = omitUndefined({ providerOptions });
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
