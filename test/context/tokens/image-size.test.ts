import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { imageSize } from '../../../src/context/tokens/images.ts';
import '../../property-seed.ts';
import { gif, jpeg, png, webp } from './pictures.ts';

describe('the size of a picture', () => {
  test.each([
    ['PNG', png(1234, 567)],
    ['GIF', gif(1234, 567)],
    ['JPEG', jpeg(1234, 567)],
    ['JPEG with a profile before the frame', jpeg(1234, 567, 150_000)],
    ['lossy WebP', webp('VP8 ', 1234, 567)],
    ['lossless WebP', webp('VP8L', 1234, 567)],
    ['extended WebP', webp('VP8X', 1234, 567)],
    ['data URL', `data:image/png;base64,${png(1234, 567)}`],
  ])('is read from a %s', (_, base64) => {
    expect(imageSize(base64)).toEqual({ width: 1234, height: 567 });
  });

  test.each([
    ['nothing', ''],
    ['no base64', '%%%%'],
    ['text', Buffer.from('this is not a picture').toString('base64')],
    ['a cut PNG', png(10, 10).slice(0, 20)],
    ['a PNG of no width', png(0, 10)],
    [
      'a JPEG without a frame',
      Buffer.from([0xff, 0xd8, 0xff, 0xd9, 0, 0, 0, 0, 0, 0, 0, 0]).toString('base64'),
    ],
    ['a JPEG whose frame is too far in', jpeg(10, 10, 600_000)],
    [
      'a JPEG whose segments have no length',
      Buffer.from([0xff, 0xd8, ...Array(60).fill(0xff)]).toString('base64'),
    ],
    ['an endless prefix', `data:${'x'.repeat(1_000)},${png(10, 10)}`],
  ])('is unknown of %s', (_, base64) => {
    expect(imageSize(base64)).toBeUndefined();
  });

  test('is a size or unknown whatever comes after the first bytes', () => {
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
