import { describe, expect, test } from 'vitest';
import { imageTokens } from '../../../src/context/tokens/images.ts';
import { modelInfo } from '../../../src/context/tokens/models.ts';

const cost = (model: string, width: number, height: number): number =>
  imageTokens(modelInfo(model), width, height);

describe('what a picture costs', () => {
  // The examples of OpenAI's guide.
  test('is a base and tiles for GPT-4o', () => {
    expect(cost('gpt-4o', 1024, 1024)).toBe(765);
    expect(cost('gpt-4o', 2048, 4096)).toBe(1_105);
    expect(cost('gpt-4o', 512, 512)).toBe(255);
    expect(cost('gpt-5', 1024, 1024)).toBe(70 + 4 * 140);
  });

  test('is patches with a factor for the small models', () => {
    expect(cost('gpt-4.1-mini', 1024, 1024)).toBe(Math.ceil(1_024 * 1.62));
    expect(cost('gpt-4.1-mini', 1800, 2400)).toBe(Math.ceil(1_536 * 1.62));
    expect(cost('o4-mini', 32, 32)).toBe(2);
  });

  test('is squares of 28 for Claude, of which a large picture has no more than the most', () => {
    expect(cost('claude-opus-4-6', 280, 560)).toBe(200);
    expect(cost('claude-opus-4-6', 281, 560)).toBe(220);
    expect(cost('claude-opus-4-6', 8_000, 8_000)).toBe(1_600);
    expect(cost('claude-opus-4-6', 8_000, 800)).toBe(56 * 6);
    expect(cost('claude-opus-4-7', 8_000, 8_000)).toBe(4_784);
  });

  test('is crops for Gemini 2.5 and the same for all with Gemini 3', () => {
    expect(cost('gemini-2.5-pro', 384, 384)).toBe(258);
    expect(cost('gemini-2.5-pro', 960, 540)).toBe(258 * 6);
    expect(cost('gemini-3-pro', 100, 100)).toBe(1_120);
  });

  test('is a thousand for others, and for a size no picture has', () => {
    expect(cost('nobody-knows', 640, 480)).toBe(1_000);
    for (const size of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2e9]) {
      expect(cost('gpt-4o', size, 100)).toBe(1_000);
      expect(cost('claude-opus-5', 100, size)).toBe(1_000);
    }
  });
});
