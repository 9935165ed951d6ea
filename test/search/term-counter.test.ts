import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TermCounter } from '../../src/search/index/term-counts.ts';

it('counts in how many documents each term is, like a map of sets would', () => {
  const term = fc.oneof(
    fc.constantFrom('the', 'redis', 'a', '接', '¶ab', '🎉'),
    fc.string({ unit: fc.constantFrom(...'abcdef0123é'), minLength: 1, maxLength: 6 }),
  );
  const documents = fc.array(fc.array(term, { maxLength: 40 }), { maxLength: 60 });
  const counter = new TermCounter();
  fc.assert(
    fc.property(documents, (texts) => {
      const expected = new Map<string, number>();
      for (const terms of texts) {
        counter.nextDocument();
        counter.add(terms.slice(0, 5).join(' -- '));
        counter.add(terms.slice(5).join(' '));
        for (const one of new Set(terms)) expected.set(one, (expected.get(one) ?? 0) + 1);
      }
      const counted = [...counter.counts()].map(({ term: name, documents: count }) => [name, count]);
      counter.clear();
      expect(new Map(counted as [string, number][])).toEqual(expected);
    }),
  );
});

it('keeps terms of many documents apart', () => {
  const counter = new TermCounter();
  for (let n = 0; n < 50_000; n++) {
    counter.nextDocument();
    counter.add(`word${n % 20_000} common`);
  }
  const counts = new Map([...counter.counts()].map(({ term, documents }) => [term, documents]));
  expect(counts.size).toBe(20_001);
  expect(counts.get('common')).toBe(50_000);
  expect(counts.get('word9999')).toBe(3);
  expect(counts.get('word10000')).toBe(2);
});
