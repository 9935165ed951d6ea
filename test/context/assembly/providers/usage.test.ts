import { describe, expect, it } from 'vitest';
import {
  usageFromAiSdk,
  usageFromAnthropic,
  usageFromOpenAi,
} from '../../../../src/context/assembly/providers/usage.ts';

const EXPECTED = { inputTokens: 40, outputTokens: 7, cacheReadTokens: 100, cacheWriteTokens: 20 };

describe('converting usage', () => {
  it("keeps Anthropic's input tokens, which exclude the cache", () => {
    const usage = {
      input_tokens: 40,
      output_tokens: 7,
      cache_read_input_tokens: 100,
      cache_creation_input_tokens: 20,
    };
    expect(usageFromAnthropic(usage)).toEqual(EXPECTED);
  });

  it("subtracts cached tokens from the AI SDK's input tokens", () => {
    const inputTokenDetails = { cacheReadTokens: 100, cacheWriteTokens: 20 };
    expect(usageFromAiSdk({ inputTokens: 160, outputTokens: 7, inputTokenDetails })).toEqual(EXPECTED);
  });

  it("subtracts cached tokens from OpenAI's prompt tokens", () => {
    const usage = { prompt_tokens: 140, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 100 } };
    expect(usageFromOpenAi(usage)).toEqual({ inputTokens: 40, outputTokens: 7, cacheReadTokens: 100 });
  });

  it('omits what the provider does not report', () => {
    expect(usageFromAiSdk({ inputTokens: undefined, outputTokens: undefined })).toEqual({});
    expect(usageFromAnthropic({ input_tokens: 3, cache_read_input_tokens: null })).toEqual({
      inputTokens: 3,
    });
    expect(usageFromOpenAi({ prompt_tokens: 3 })).toEqual({ inputTokens: 3 });
  });

  it('is never negative, whatever the provider reports', () => {
    const usage = { prompt_tokens: 1, prompt_tokens_details: { cached_tokens: 5 } };
    expect(usageFromOpenAi(usage).inputTokens).toBe(0);
  });
});
