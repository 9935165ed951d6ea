import fc from 'fast-check';
import { expect, it } from 'vitest';
import '../../../property-seed.ts';
import { cutToBudget } from '../../../../src/context/compaction/summary/cut-to-budget.ts';
import { counter } from '../turn-makers.ts';

it('leaves a text alone that fits', () => {
  expect(cutToBudget('Two berths are free.', 100, counter)).toBe('Two berths are free.');
});

it('cuts between words', () => {
  const cut = cutToBudget('Pontoon '.repeat(100), 20, counter);
  expect(cut).toMatch(/^(Pontoon )+Pontoon$/);
});

it('gives a beginning of the text within the budget, whatever the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.nat(60), (text, budget) => {
      const cut = cutToBudget(text, budget, counter);
      expect(text.startsWith(cut)).toBe(true);
      expect(counter.count(cut)).toBeLessThanOrEqual(budget);
    }),
  );
});
