import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { windowSimilarity } from '../../../src/context/topics/session-facts.ts';
import { contentWords, sessionWords } from '../../../src/context/topics/session-words.ts';

const sentence = fc
  .array(fc.constantFrom('boat', 'harbour', 'sail', 'rope', 'anchor', 'wind', 'the', 'tide'), {
    maxLength: 8,
  })
  .map((words) => words.join(' '));
const texts = fc.array(sentence, { minLength: 1, maxLength: 25 });

describe('contentWords', () => {
  it('drops stop words and stems inflections', () => {
    expect(contentWords('The tests were failing; it fails the test.')).toEqual(['test', 'fail', 'fail', 'test']);
  });

  it('returns the parts of a name and the name', () => {
    expect(contentWords('maxSize')).toEqual(['max', 'siz', '#maxsize']);
    expect(contentWords('read_file')).toEqual(['read', 'fil', '#read_file']);
  });

  it('returns pairs of letters for scripts without spaces', () => {
    expect(contentWords('港の船')).toEqual(['港の', 'の船']);
  });

  it('supports any alphabet', () => {
    expect(contentWords('Über Größe')).toEqual(['über', 'größe']);
  });
});

describe('sessionWords', () => {
  it('links each word to its previous and next message', () => {
    const { uses } = sessionWords(['boat', 'wind', 'boat', 'boat wind']);
    expect(uses.map((own) => own.map(({ previous, next }) => [previous, next]))).toEqual([
      [[-1, 2]],
      [[-1, 3]],
      [[0, 3]],
      [
        [2, Number.POSITIVE_INFINITY],
        [1, Number.POSITIVE_INFINITY],
      ],
    ]);
  });

  it('rates words as rarer the fewer messages have them', () => {
    const [first] = sessionWords(['boat wind', 'boat', 'boat']).uses;
    expect(first?.[1]?.rarity).toBeGreaterThan(first?.[0]?.rarity ?? Number.NaN);
  });
});

describe('windowSimilarity', () => {
  it('is 1 between the same words and 0 between different ones', () => {
    const similarities = windowSimilarity(sessionWords(['boat sail', 'boat sail', 'wind tide']), 1);
    expect(similarities[1]).toBeCloseTo(1);
    expect(similarities[2]).toBe(0);
  });

  it('equals the cosine of the two windows, computed from scratch', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 12 }), (all, width) => {
        const words = sessionWords(all);
        const sliding = windowSimilarity(words, width);
        expect(sliding).toHaveLength(all.length);
        for (let gap = 1; gap < all.length; gap++) {
          expect(sliding[gap]).toBeCloseTo(cosine(words, gap, width), 6);
        }
      }),
      { numRuns: 100 },
    );
  });
});

function cosine(words: ReturnType<typeof sessionWords>, gap: number, width: number): number {
  const before = bag(words, Math.max(0, gap - width), gap);
  const after = bag(words, gap, gap + width);
  const product = [...before].reduce((sum, [word, weight]) => sum + weight * (after.get(word) ?? 0), 0);
  return product === 0 ? 0 : product / (norm(before) * norm(after));
}

function bag(words: ReturnType<typeof sessionWords>, from: number, to: number): Map<number, number> {
  const counts = new Map<number, { count: number; rarity: number }>();
  for (const { word, count, rarity } of words.uses.slice(from, to).flat()) {
    counts.set(word, { count: (counts.get(word)?.count ?? 0) + count, rarity });
  }
  return new Map([...counts].map(([word, { count, rarity }]) => [word, (1 + Math.log(count)) * rarity]));
}

function norm(weights: ReadonlyMap<number, number>): number {
  return Math.sqrt([...weights.values()].reduce((sum, weight) => sum + weight * weight, 0));
}
