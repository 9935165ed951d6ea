import { omitUndefined, type Usage } from '../../../record/index.ts';

/** The usage of an AI SDK result, as far as it is read here. */
export interface AiSdkUsage {
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  readonly inputTokenDetails?: {
    readonly cacheReadTokens?: number | undefined;
    readonly cacheWriteTokens?: number | undefined;
  };
}

/** The usage of Anthropic's Messages API, as far as it is read here. */
export interface AnthropicUsage {
  readonly input_tokens?: number | null;
  readonly output_tokens?: number | null;
  readonly cache_read_input_tokens?: number | null;
  readonly cache_creation_input_tokens?: number | null;
}

/** The usage of OpenAI's chat completions, as far as it is read here. */
export interface OpenAiUsage {
  readonly prompt_tokens?: number | null;
  readonly completion_tokens?: number | null;
  readonly prompt_tokens_details?: { readonly cached_tokens?: number | null } | null;
}

/**
 * Converts the AI SDK's usage. `inputTokens` of the result excludes tokens read from or written to the cache; the AI SDK's
 * includes them.
 */
export function usageFromAiSdk(usage: AiSdkUsage): Usage {
  const { cacheReadTokens, cacheWriteTokens } = usage.inputTokenDetails ?? {};
  return toUsage(subtractCached(usage.inputTokens, cacheReadTokens, cacheWriteTokens), usage.outputTokens, {
    read: cacheReadTokens,
    write: cacheWriteTokens,
  });
}

/** Converts Anthropic's usage. */
export function usageFromAnthropic(usage: AnthropicUsage): Usage {
  return toUsage(usage.input_tokens, usage.output_tokens, {
    read: usage.cache_read_input_tokens,
    write: usage.cache_creation_input_tokens,
  });
}

/** Converts OpenAI's usage, whose prompt tokens include those read from the cache. */
export function usageFromOpenAi(usage: OpenAiUsage): Usage {
  const read = usage.prompt_tokens_details?.cached_tokens;
  return toUsage(subtractCached(usage.prompt_tokens, read, 0), usage.completion_tokens, { read, write: undefined });
}

type Count = number | null | undefined;

function subtractCached(all: Count, read: Count, write: Count): Count {
  return typeof all === 'number' ? Math.max(0, all - (read ?? 0) - (write ?? 0)) : undefined;
}

function toUsage(input: Count, output: Count, cache: { read: Count; write: Count }): Usage {
  return omitUndefined({
    inputTokens: input ?? undefined,
    outputTokens: output ?? undefined,
    cacheReadTokens: cache.read ?? undefined,
    cacheWriteTokens: cache.write ?? undefined,
  });
}

/** Adds up usage to compute the hit rate of the provider's prompt cache. */
export class UsageTotals {
  #read = 0;
  #all = 0;

  /** Adds the usage of one reply. Missing or invalid values count as 0. */
  record(usage: Usage): void {
    const read = amount(usage.cacheReadTokens);
    this.#read += read;
    this.#all += read + amount(usage.cacheWriteTokens) + amount(usage.inputTokens);
  }

  /** The share of all input that was read from the cache, 0 to 1; undefined before any input was reported. */
  hitRate(): number | undefined {
    return this.#all === 0 ? undefined : this.#read / this.#all;
  }

  clear(): void {
    this.#read = 0;
    this.#all = 0;
  }
}

function amount(tokens: number | undefined): number {
  return tokens !== undefined && Number.isFinite(tokens) && tokens > 0 ? tokens : 0;
}
