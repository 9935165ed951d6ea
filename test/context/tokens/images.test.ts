import '../../property-seed.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { imageSize, imageTokens } from '../../../src/context/tokens/images.ts';
import { modelInfo } from '../../../src/context/tokens/models.ts';
import { gif, jpeg, png, webp } from './image-headers.ts';

describe('imageSize', () => {
  test.each([
    ['PNG', png(1234, 567)],
    ['GIF', gif(1234, 567)],
    ['JPEG', jpeg(1234, 567)],
    ['JPEG with a profile before the frame', jpeg(1234, 567, 150_000)],
    ['lossy WebP', webp('VP8 ', 1234, 567)],
    ['lossless WebP', webp('VP8L', 1234, 567)],
    ['extended WebP', webp('VP8X', 1234, 567)],
    ['data URL', `data:image/png;base64,${png(1234, 567)}`],
  ])('reads the size of a %s', (_, base64) => {
    expect(imageSize(base64)).toEqual({ width: 1234, height: 567 });
  });

  test.each([
    ['nothing', ''],
    ['no base64', '%%%%'],
    ['text', Buffer.from('this is not a picture').toString('base64')],
    ['a cut PNG', png(10, 10).slice(0, 20)],
    ['a PNG of no width', png(0, 10)],
    ['a JPEG without a frame', Buffer.from([0xff, 0xd8, 0xff, 0xd9, 0, 0, 0, 0, 0, 0, 0, 0]).toString('base64')],
    ['a JPEG whose frame is too far in', jpeg(10, 10, 600_000)],
    ['a JPEG whose segments have no length', Buffer.from([0xff, 0xd8, ...Array(60).fill(0xff)]).toString('base64')],
    ['an endless prefix', `data:${'x'.repeat(1_000)},${png(10, 10)}`],
  ])('returns undefined for %s', (_, base64) => {
    expect(imageSize(base64)).toBeUndefined();
  });

  test('returns a size or undefined, whatever comes after the first bytes', () => {
    const beginnings = [png(1, 1), gif(1, 1), jpeg(1, 1), webp('VP8 ', 1, 1)].map((base64) =>
      Buffer.from(base64, 'base64'),
    );
    const bytes = fc.tuple(fc.constantFrom(...beginnings), fc.nat(30), fc.uint8Array({ maxLength: 200 }));
    fc.assert(
      fc.property(bytes, ([beginning, length, rest]) => {
        const size = imageSize(Buffer.concat([beginning.subarray(0, length), rest]).toString('base64'));
        if (size === undefined) return;
        expect(size.width).toBeGreaterThan(0);
        expect(size.height).toBeGreaterThan(0);
      }),
      { numRuns: 1_000 },
    );
  });
});

const cost = (model: string, width: number, height: number): number => imageTokens(modelInfo(model), width, height);

describe('imageTokens', () => {
  // The examples in OpenAI's guide.
  test('counts a base and tiles for GPT-4o', () => {
    expect(cost('gpt-4o', 1024, 1024)).toBe(765);
    expect(cost('gpt-4o', 2048, 4096)).toBe(1_105);
    expect(cost('gpt-4o', 512, 512)).toBe(255);
    expect(cost('gpt-5', 1024, 1024)).toBe(70 + 4 * 140);
  });

  test('counts patches with a factor for small models', () => {
    expect(cost('gpt-4.1-mini', 1024, 1024)).toBe(Math.ceil(1_024 * 1.62));
    expect(cost('gpt-4.1-mini', 1800, 2400)).toBe(Math.ceil(1_536 * 1.62));
    expect(cost('o4-mini', 32, 32)).toBe(2);
  });

  test('counts squares of 28 for Claude, up to a maximum', () => {
    expect(cost('claude-opus-4-6', 280, 560)).toBe(200);
    expect(cost('claude-opus-4-6', 281, 560)).toBe(220);
    expect(cost('claude-opus-4-6', 8_000, 8_000)).toBe(1_600);
    expect(cost('claude-opus-4-6', 8_000, 800)).toBe(56 * 6);
    expect(cost('claude-opus-4-7', 8_000, 8_000)).toBe(4_784);
  });

  test('counts crops for Gemini 2.5 and a flat number for Gemini 3', () => {
    expect(cost('gemini-2.5-pro', 384, 384)).toBe(258);
    expect(cost('gemini-2.5-pro', 960, 540)).toBe(258 * 6);
    expect(cost('gemini-3-pro', 100, 100)).toBe(1_120);
  });

  test('counts 1,000 for other models and for impossible sizes', () => {
    expect(cost('nobody-knows', 640, 480)).toBe(1_000);
    for (const size of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2e9]) {
      expect(cost('gpt-4o', size, 100)).toBe(1_000);
      expect(cost('claude-opus-5', 100, size)).toBe(1_000);
    }
  });
});
