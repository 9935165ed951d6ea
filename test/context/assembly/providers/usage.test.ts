import { describe, expect, it } from 'vitest';
import {
  usageFromAiSdk,
  usageFromAnthropic,
  usageFromOpenAi,
} from '../../../../src/context/assembly/providers/usage.ts';

const EXPECTED = { inputTokens: 40, outputTokens: 7, cacheReadTokens: 100, cacheWriteTokens: 20 };

describe('the usage of a reply', () => {
  it("is read from Anthropic's, where input tokens are those outside of the cache", () => {
    const usage = {
      input_tokens: 40,
      output_tokens: 7,
      cache_read_input_tokens: 100,
      cache_creation_input_tokens: 20,
    };
    expect(usageFromAnthropic(usage)).toEqual(EXPECTED);
  });

  it("is read from the AI SDK's, where input tokens are all", () => {
    const inputTokenDetails = { cacheReadTokens: 100, cacheWriteTokens: 20 };
    expect(usageFromAiSdk({ inputTokens: 160, outputTokens: 7, inputTokenDetails })).toEqual(EXPECTED);
  });

  it("is read from OpenAI's, where prompt tokens are all and nothing is written", () => {
    const usage = { prompt_tokens: 140, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 100 } };
    expect(usageFromOpenAi(usage)).toEqual({ inputTokens: 40, outputTokens: 7, cacheReadTokens: 100 });
  });

  it('leaves out what the provider does not tell', () => {
    expect(usageFromAiSdk({ inputTokens: undefined, outputTokens: undefined })).toEqual({});
    expect(usageFromAnthropic({ input_tokens: 3, cache_read_input_tokens: null })).toEqual({
      inputTokens: 3,
    });
    expect(usageFromOpenAi({ prompt_tokens: 3 })).toEqual({ inputTokens: 3 });
  });

  it('is never negative, whatever the provider adds up', () => {
    const usage = { prompt_tokens: 1, prompt_tokens_details: { cached_tokens: 5 } };
    expect(usageFromOpenAi(usage).inputTokens).toBe(0);
  });
});
