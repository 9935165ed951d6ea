import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldCase, originalPosition } from '../../src/text/fold-case.ts';

/** Text of all kinds, in whole characters. */
const text = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme-ascii', maxLength: 8 }),
      fc.string({ unit: 'grapheme', maxLength: 4 }),
      fc.constantFrom('接続', 'エラー', 'ΣΑΣ', 'İı', 'ﬁ½', 'e\u0301', '🎉', 'ไทย', ' — '),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));

describe('foldCase', () => {
  it.each([
    ['Café', 'cafe'],
    ['ÜBER', 'uber'],
    ['Straße', 'strasse'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['οδος', 'οδοσ'],
    ['İstanbul', 'istanbul'],
    ['ﬁne', 'fine'],
    ['ＦＵＬＬ', 'full'],
    ['が', 'が'],
    ['한국', '한국'],
  ])('turns %s into %s', (from, to) => {
    expect(foldCase(from)).toBe(to);
  });

  it('folds a substring to a substring of the folded text', () => {
    fc.assert(fc.property(text, text, (a, b) => foldCase(a + b) === foldCase(a) + foldCase(b)));
  });
});

describe('originalPosition', () => {
  it('finds the position whose text before it folds to what is before the folded position', () => {
    fc.assert(
      fc.property(text, fc.nat(), (original, n) => {
        const folded = foldCase(original);
        const position = folded.length === 0 ? 0 : n % folded.length;
        const before = foldCase(original.slice(0, originalPosition(original, position)));
        expect(before.length).toBeLessThanOrEqual(position);
        expect(folded.startsWith(before)).toBe(true);
      }),
    );
  });
});
