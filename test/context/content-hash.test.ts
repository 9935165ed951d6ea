import { expect, it } from 'vitest';
import { defaultCacheTarget } from '../../src/context/cache/tiers.ts';
import { contentHash } from '../../src/context/content-hash.ts';

it('is short, equal for equal content, and different for different content', () => {
  expect(contentHash('export const a = 1;')).toBe(contentHash('export const a = 1;'));
  expect(contentHash('export const a = 1;')).not.toBe(contentHash('export const a = 2;'));
  expect(contentHash('a'.repeat(1_000_000))).toHaveLength(22);
});

it("is a tenth above the model's minimum, and never based on less than 1,024 tokens", () => {
  expect(defaultCacheTarget({ minCacheableTokens: 4_096 })).toBe(4_506);
  expect(defaultCacheTarget({ minCacheableTokens: 0 })).toBe(1_127);
});
