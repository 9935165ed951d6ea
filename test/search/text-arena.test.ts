import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TextArena } from '../../src/search/index/index-batch.ts';

describe('an arena of texts', () => {
  it('gives back every text that was added since it was cleared, however it had to grow', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.constantFrom('', 'x'.repeat(70_000), '数'.repeat(30_000), '🎉'.repeat(20_000)),
    );
    fc.assert(
      fc.property(fc.array(fc.array(text, { maxLength: 8 }), { maxLength: 4 }), (rounds) => {
        const arena = new TextArena();
        for (const texts of rounds) {
          arena.clear();
          const starts = texts.map((one) => ({ start: arena.end, end: arena.add(one) }));
          const kept = starts.map(({ start, end }) => Buffer.from(arena.bytes(start, end)).toString('utf8'));
          expect(kept).toEqual(texts);
        }
      }),
    );
  });
});
