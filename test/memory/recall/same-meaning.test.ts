import { describe, expect, it } from 'vitest';
import { meaningsOf } from '../../../src/memory/recall/same-meaning.ts';
import { stem } from '../../../src/text/stem.ts';

function share(one: string, other: string): boolean {
  const meanings = meaningsOf(stem(one));
  return meaningsOf(stem(other)).some((meaning) => meanings.includes(meaning));
}

describe('words of the same meaning', () => {
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

  it('have a name of their own for each meaning', () => {
    const names = meaningsOf(stem('worker'));
    expect(names.length).toBeGreaterThan(1);
    expect(new Set(names).size).toBe(names.length);
    expect(meaningsOf('constructor')).toEqual([]);
  });
});
