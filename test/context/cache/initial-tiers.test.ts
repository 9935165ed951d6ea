import { describe, expect, it } from 'vitest';
import { StabilityTracker } from '../../../src/context/cache/stability-tracker.ts';
import type { TrackedItem } from '../../../src/context/cache/tiers.ts';
import { exchanges, item } from './requests.ts';

function placed(items: readonly TrackedItem[], options?: Parameters<StabilityTracker['placeInitially']>[1]) {
  const tracker = new StabilityTracker({ cacheTargetTokens: 1_126 });
  tracker.placeInitially(items, options);
  return (path: string) => tracker.tierOf(`symbol:${path}`);
}

const SIX = ['a', 'b', 'c', 'd', 'e', 'f'].map((path) => item(`symbol:${path}`, 2_000));

describe('placeInitially', () => {
  it('spreads items over L1 to L3 by how often they are referred to', () => {
    const counts = new Map([
      ['f', 9],
      ['e', 8],
      ['a', 5],
      ['b', 4],
    ]);
    const tierOf = placed(SIX, { counts });
    expect(['f', 'e', 'a', 'b', 'c', 'd'].map(tierOf)).toEqual(['L1', 'L1', 'L2', 'L2', 'L3', 'L3']);
  });

  it('places files that refer to each other in the same tier', () => {
    const graph = new Map([
      ['a', ['f', 'b']],
      ['f', ['a', 'd']],
      ['d', ['f']],
      ['b', ['c']],
      ['unknown', ['e']],
    ]);
    const tierOf = placed(SIX, { graph });
    expect(new Set(['a', 'f', 'd'].map(tierOf)).size).toBe(1);
    expect(new Set(SIX.map(({ key }) => tierOf(key.slice('symbol:'.length)))).size).toBe(3);
  });

  it('gives each item the lowest count of its tier and sends it there at once', () => {
    const tracker = new StabilityTracker({ cacheTargetTokens: 0 });
    tracker.placeInitially(SIX);
    const expected = { L1: 9, L2: 6, L3: 3 } as const;
    for (const [tier, unchangedRequests] of Object.entries(expected)) {
      expect(tracker.itemsOf(tier as keyof typeof expected)).toMatchObject([
        { unchangedRequests },
        { unchangedRequests },
      ]);
    }
    for (const { key } of SIX) expect(tracker.placement().tierOf(key)).toBe(tracker.tierOf(key));
  });

  it('skips messages and known items', () => {
    const tracker = new StabilityTracker({ cacheTargetTokens: 0 });
    tracker.update([item('symbol:a')]);
    tracker.placeInitially([item('symbol:a'), ...exchanges(1)]);
    expect(tracker.tierOf('symbol:a')).toBe('active');
    expect(tracker.tierOf('history:0')).toBe('active');
    expect(tracker.report().tiers.active.items).toHaveLength(1);
  });

  it('accepts no items, items without tokens, and a graph that refers to itself', () => {
    expect(placed([])('a')).toBe('active');
    expect(placed([item('symbol:a', 0)])('a')).toBe('L1');
    expect(placed([item('symbol:a')], { graph: new Map([['a', ['a']]]) })('a')).toBe('L2');
  });
});
