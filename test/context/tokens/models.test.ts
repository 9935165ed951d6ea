import { createRequire } from 'node:module';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { modelInfo } from '../../../src/context/tokens/models.ts';
import '../../property-seed.ts';

describe('modelInfo', () => {
  test.each([
    ['claude-opus-4-6', 1_000_000, 4_096],
    ['claude-opus-4-5-20251101', 200_000, 4_096],
    ['claude-opus-4-1-20250805', 200_000, 1_024],
    ['claude-opus-4-20250514', 200_000, 1_024],
    ['claude-sonnet-4-20250514', 200_000, 1_024],
    ['claude-sonnet-4-5', 200_000, 1_024],
    ['claude-haiku-4-5@20251001', 200_000, 4_096],
    ['claude-3-5-haiku-latest', 200_000, 2_048],
    ['claude-3-5-sonnet-20241022', 200_000, 1_024],
    ['claude-opus-4-7', 1_000_000, 2_048],
    ['claude-opus-5-5', 1_000_000, 1_024],
    ['gpt-4o', 128_000, 1_024],
    ['gpt-4.1-mini', 1_047_576, 1_024],
    ['gpt-5', 272_000, 1_024],
    ['gpt-5.4', 922_000, 1_024],
    ['o3-mini', 200_000, 1_024],
    ['gpt-4-0613', 8_192, 0],
    ['gemini-2.5-flash', 1_048_576, 2_048],
    ['gemini-3-pro-preview', 1_048_576, 4_096],
    ['llama3.1:8b', 128_000, 0],
    ['mistral:latest', 32_000, 0],
  ])('knows that %s accepts %i tokens and caches from %i', (name, maxInputTokens, minCacheableTokens) => {
    expect(modelInfo(name)).toMatchObject({ name, maxInputTokens, minCacheableTokens, known: true });
  });

  test.each([
    ['anthropic/claude-opus-4.6', 'claude-opus-4-6'],
    ['us.anthropic.claude-opus-4-6-v1:0', 'claude-opus-4-6'],
    ['anthropic:claude-opus-4-6', 'claude-opus-4-6'],
    ['openrouter/anthropic/claude-opus-4.6:thinking', 'claude-opus-4-6'],
    [' Claude-Opus-4-6 ', 'claude-opus-4-6'],
    ['openai/gpt-4o-2024-08-06', 'gpt-4o'],
    ['azure/gpt-4o', 'gpt-4o'],
    ['ft:gpt-4o:org::id', 'gpt-4o'],
    ['openai/o3-2025-04-16', 'o3'],
    ['models/gemini-2.5-pro', 'gemini-2.5-pro'],
    ['google/gemini-2.5-pro-preview-05-06', 'gemini-2.5-pro'],
    ['meta-llama/llama-3.1-70b-instruct', 'llama-3.1'],
  ])('reads %s as %s', (name, plain) => {
    expect(modelInfo(name)).toEqual({ ...modelInfo(plain), name });
  });

  test('honours the suffix for the long window', () => {
    expect(modelInfo('claude-sonnet-4-5[1m]')).toMatchObject({
      maxInputTokens: 1_000_000,
      maxHistoryTokens: 62_500,
    });
  });

  test('treats a newer model of a known family as unknown, but counts it like the family', () => {
    expect(modelInfo('claude-tale-7')).toMatchObject({
      known: false,
      factor: modelInfo('claude-opus-5').factor,
    });
    expect(modelInfo('gemini-9')).toMatchObject({ known: false, factor: modelInfo('gemini-2.5-pro').factor });
    expect(modelInfo('gpt-7')).toMatchObject({ known: false });
  });

  test.each(['nobody-knows', '', '   ', '/', 'my-gpt-4o-like-model', 'constructor', '__proto__'])(
    '%j, which nobody knows, gets safe defaults',
    (name) => {
      expect(modelInfo(name)).toMatchObject({
        name,
        known: false,
        maxInputTokens: 128_000,
        maxHistoryTokens: 8_000,
        maxOutputTokens: 4_096,
      });
    },
  );

  test('returns usable limits for any name', () => {
    const name = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .array(fc.constantFrom('claude', 'gpt', 'o', 'gemini', '-', '/', '.', '4', '5', '[1m]'), {
          maxLength: 8,
        })
        .map((parts) => parts.join('')),
      fc.constant('a'.repeat(10_000)),
    );
    fc.assert(
      fc.property(name, (name) => {
        const info = modelInfo(name);
        expect(info.maxInputTokens).toBeGreaterThan(0);
        expect(info.maxOutputTokens).toBeGreaterThan(0);
        expect(info.maxHistoryTokens).toBe(Math.floor(info.maxInputTokens / 16));
        expect(info.factor).toBeGreaterThanOrEqual(1);
      }),
    );
  });

  test('agrees with gpt-tokenizer on the encoding of each OpenAI chat model', () => {
    const require = createRequire(import.meta.url);
    const { chatModelParams, modelToEncodingMap } = require('gpt-tokenizer/mapping') as {
      chatModelParams: Record<string, unknown>;
      modelToEncodingMap: Record<string, string>;
    };
    const names = Object.keys(chatModelParams).filter((name) => !name.startsWith('gpt-image'));
    expect(names.length).toBeGreaterThan(20);
    for (const name of names) {
      const expected = modelToEncodingMap[name] === 'cl100k_base' ? 'cl100k_base' : 'o200k_base';
      expect([name, modelInfo(name).encoding, modelInfo(name).factor]).toEqual([name, expected, 1]);
    }
  });
});
