import { describe, expect, it } from 'vitest';
import { findMeanings } from '../../../src/memory/recall/synonyms.ts';
import { stem } from '../../../src/text/stem.ts';

function share(one: string, other: string): boolean {
  const meanings = findMeanings(stem(one));
  return findMeanings(stem(other)).some((meaning) => meanings.includes(meaning));
}

describe('synonyms', () => {
  it.each([
    ['folder', 'directories'],
    ['slow', 'performance'],
    ['credentials', 'login'],
    ['duplicated', 'twice'],
  ])('%s and %s', (one, other) => {
    expect(share(one, other)).toBe(true);
  });

  it.each([
    ['folder', 'password'],
    ['invoice', 'folder'],
  ])('not %s and %s', (one, other) => {
    expect(share(one, other)).toBe(false);
  });

  it('have a distinct name for each meaning', () => {
    const names = findMeanings(stem('worker'));
    expect(names.length).toBeGreaterThan(1);
    expect(new Set(names).size).toBe(names.length);
    expect(findMeanings('constructor')).toEqual([]);
  });
});
