import fc from 'fast-check';
import { expect, it } from 'vitest';
import '../../../property-seed.ts';
import { truncateToBudget } from '../../../../src/context/compaction/summary/summarise-turns.ts';
import { counter } from '../turn-makers.ts';

it('leaves a text alone that fits', () => {
  expect(truncateToBudget('Two berths are free.', 100, counter)).toBe('Two berths are free.');
});

it('cuts between words', () => {
  const cut = truncateToBudget('Pontoon '.repeat(100), 20, counter);
  expect(cut).toMatch(/^(Pontoon )+Pontoon$/);
});

it('gives a beginning of the text within the budget, whatever the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.nat(60), (text, budget) => {
      const cut = truncateToBudget(text, budget, counter);
      expect(text.startsWith(cut)).toBe(true);
      expect(counter.count(cut)).toBeLessThanOrEqual(budget);
    }),
  );
});
