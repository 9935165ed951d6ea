import { describe, expect, it } from 'vitest';
import { StabilityTracker } from '../../../src/context/cache/stability-tracker.ts';
import type { Tier } from '../../../src/context/cache/tiers.ts';
import { exchanges, item, repeat } from './requests.ts';

const anySize = () => new StabilityTracker({ cacheTargetTokens: 0 });

describe('an unchanged item', () => {
  it('starts active with a count of 0, which each unchanged request raises by one', () => {
    const tracker = anySize();
    tracker.update([item('file:a')]);
    expect(tracker.itemsOf('active')).toEqual([{ ...item('file:a'), unchangedRequests: 0 }]);
    tracker.update([item('file:a')]);
    expect(tracker.itemsOf('active')).toMatchObject([{ unchangedRequests: 1 }]);
  });

  it('enters L3 after 3 unchanged requests, L2 after 6, L1 after 9 and L0 after 12', () => {
    const tracker = anySize();
    const entered: Partial<Record<Tier, number>> = {};
    for (let request = 0; request <= 13; request++) {
      tracker.update([item('file:a')]);
      entered[tracker.tierOf('file:a')] ??= request;
    }
    expect(entered).toEqual({ active: 0, L3: 3, L2: 6, L1: 9, L0: 12 });
  });

  it('moves the same way as a file or as symbols', () => {
    const tracker = anySize();
    repeat(tracker, 4, item('file:a'), item('symbol:b'));
    expect(tracker.tierOf('symbol:b')).toBe('L3');
  });

  it('is counted once if it is listed twice', () => {
    const tracker = anySize();
    repeat(tracker, 3, item('file:a'), item('file:a'));
    expect(tracker.itemsOf('active')).toMatchObject([{ unchangedRequests: 2 }]);
  });
});

describe('a changed item', () => {
  it('returns to active, counts from 0 again and breaks its tier when its hash differs', () => {
    const tracker = anySize();
    repeat(tracker, 4, item('file:a'));
    const changes = tracker.update([item('file:a', 1_000, 2)]);
    expect(tracker.itemsOf('active')).toMatchObject([{ key: 'file:a', unchangedRequests: 0 }]);
    expect(changes).toEqual({
      broken: ['L3'],
      removed: [],
      moves: [{ key: 'file:a', from: 'L3', to: 'active' }],
    });
  });

  it('does the same if its file is reported as modified', () => {
    const tracker = anySize();
    repeat(tracker, 4, item('file:a'), item('symbol:b'));
    tracker.update([item('file:a'), item('symbol:b')], { modified: ['a'] });
    expect(tracker.tierOf('file:a')).toBe('active');
    expect(tracker.tierOf('symbol:b')).toBe('L3');
  });

  it('is removed and breaks its tier when its file or message disappears', () => {
    const tracker = anySize();
    repeat(tracker, 4, item('file:a'), item('file:b'));
    expect(tracker.update([item('file:b')])).toMatchObject({ removed: ['file:a'], broken: ['L3'] });
    expect(tracker.tierOf('file:a')).toBe('active');
    expect(tracker.itemsOf('active')).toEqual([]);
  });

  it('keeps symbols while their file is sent in full, and removes them when it is deleted', () => {
    const tracker = anySize();
    repeat(tracker, 4, item('symbol:a'), item('symbol:b'));
    tracker.update([item('file:a'), item('symbol:b')]);
    expect(tracker.tierOf('symbol:a')).toBe('L3');
    const changes = tracker.update([item('file:a'), item('symbol:a'), item('symbol:b')], { deleted: ['a'] });
    expect(changes.removed).toEqual(['symbol:a', 'file:a']);
    expect(tracker.report().tiers.L3.items.map(({ key }) => key)).toEqual(['symbol:b']);
  });
});

describe('promotion', () => {
  it('waits while the next tier is intact', () => {
    const tracker = anySize();
    repeat(tracker, 3, item('file:a'));
    repeat(tracker, 4, item('file:a'), item('file:b'));
    expect([tracker.tierOf('file:a'), tracker.tierOf('file:b')]).toEqual(['L2', 'L3']);
    // Now c is stable enough for L3, where b is and does not change.
    tracker.update([item('file:a'), item('file:b'), item('file:c')]);
    const settled = ['file:a', 'file:b', 'file:c'] as const;
    const all = settled.map((key) => item(key));
    for (let request = 0; request < 2; request++) tracker.update(all);
    expect(tracker.tierOf('file:c')).toBe('active');
  });

  it('happens when a tier breaks, into it and all tiers after it', () => {
    const tracker = anySize();
    repeat(tracker, 5, item('file:a'), item('file:b'));
    repeat(tracker, 4, item('file:a'), item('file:b'), item('file:c'));
    // a and b are in L2 by now; c is in L3.
    expect(tracker.tierOf('file:a')).toBe('L2');
    expect(tracker.tierOf('file:c')).toBe('L3');
    tracker.update([item('file:a'), item('file:b'), item('file:c'), item('file:d')]);
    repeat(tracker, 2, item('file:a'), item('file:b'), item('file:c'), item('file:d'));
    const changes = tracker.update([item('file:b'), item('file:c'), item('file:d')]);
    expect(changes.moves).toContainEqual({ key: 'file:d', from: 'active', to: 'L3' });
  });

  it('does not leave a tier with less than the target', () => {
    const tracker = new StabilityTracker({ cacheTargetTokens: 1_500 });
    repeat(tracker, 12, item('file:a'), item('file:b'));
    expect([tracker.tierOf('file:a'), tracker.tierOf('file:b')]).toEqual(['L3', 'L3']);
    const others = new StabilityTracker({ cacheTargetTokens: 1_500 });
    repeat(others, 7, item('file:a', 1_600), item('file:b', 1_600));
    expect([others.tierOf('file:a'), others.tierOf('file:b')].sort()).toEqual(['L2', 'L3']);
  });

  it('is undone one step at a time for an L1 or L2 below the target', () => {
    const tracker = new StabilityTracker({ cacheTargetTokens: 1_500 });
    const [a, b] = [item('symbol:a'), item('symbol:b')];
    tracker.placeInitially([a, b, item('symbol:c', 5_000)], {
      counts: new Map([
        ['a', 3],
        ['b', 2],
      ]),
    });
    expect(tracker.tierOf('symbol:a')).toBe('L1');
    tracker.update([a, b, item('symbol:c', 5_000)]);
    expect(tracker.tierOf('symbol:a')).toBe('L1');
    tracker.update([a, item('symbol:c', 5_000)]);
    expect(tracker.tierOf('symbol:a')).toBe('L2');
    tracker.update([a]);
    expect(tracker.tierOf('symbol:a')).toBe('L3');
  });
});

describe('history', () => {
  it('is never promoted alone', () => {
    const tracker = new StabilityTracker({ cacheTargetTokens: 1_000 });
    repeat(tracker, 30, ...exchanges(20));
    expect(tracker.report().tiers.active.items).toHaveLength(40);
  });

  it('is promoted with other items, in whole exchanges, except for the newest tokens', () => {
    const tracker = new StabilityTracker({ cacheTargetTokens: 1_200 });
    repeat(tracker, 4, item('file:a', 2_000), ...exchanges(5));
    const tiers = exchanges(5).map(({ key }) => tracker.tierOf(key));
    // With 500 tokens each, three are needed for 1,200; the fourth belongs to the third.
    expect(tiers).toEqual([...Array(6).fill('L3'), ...Array(4).fill('active')]);
  });

  it('respects where exchanges begin, if that is known', () => {
    const tracker = new StabilityTracker({ cacheTargetTokens: 400 });
    const messages = exchanges(3).map((message, index) => ({
      ...message,
      startsExchange: index === 1 || index === 4,
    }));
    repeat(tracker, 4, item('file:a', 2_000), ...messages);
    expect(messages.map(({ key }) => tracker.tierOf(key))).toEqual([...Array(4).fill('L3'), 'active', 'active']);
  });

  it('never rises above L3, and breaks L3 when it is purged', () => {
    const tracker = new StabilityTracker({ cacheTargetTokens: 0 });
    repeat(tracker, 30, item('file:a'), item('file:b', 3_000), ...exchanges(4));
    for (const { key } of exchanges(4)) expect(['L3', 'active']).toContain(tracker.tierOf(key));
    expect(tracker.itemsOf('L3').some(({ key }) => key.startsWith('history:'))).toBe(true);
    tracker.purgeHistory();
    expect(tracker.report().tiers.L3.items.filter(({ key }) => key.startsWith('history:'))).toEqual([]);
    const changes = tracker.update([item('file:a'), item('file:b', 3_000), ...exchanges(2)]);
    expect(changes.broken).toContain('L3');
    expect(tracker.itemsOf('active').filter(({ key }) => key.startsWith('history:'))).toMatchObject(
      Array(4).fill({ unchangedRequests: 0 }),
    );
  });
});

describe('the report', () => {
  it("lists each tier's tokens, items and their counts, whether it is cached, and the moves", () => {
    const tracker = anySize();
    repeat(tracker, 3, item('file:a', 70));
    tracker.update([item('file:a', 70), item('file:b', 30)]);
    const { tiers, moves } = tracker.report();
    expect(tiers.L3).toMatchObject({
      tokens: 70,
      cached: true,
      items: [{ key: 'file:a', unchangedRequests: 3, tokens: 70 }],
    });
    expect(tiers.active).toMatchObject({ tokens: 30, cached: false, items: [{ key: 'file:b', unchangedRequests: 0 }] });
    expect(tiers.L0).toEqual({ tokens: 0, cached: false, items: [] });
    expect(moves).toEqual([{ key: 'file:a', from: 'active', to: 'L3' }]);
  });

  it('is empty after clear', () => {
    const tracker = anySize();
    repeat(tracker, 5, item('file:a'));
    tracker.clear();
    expect(Object.values(tracker.report().tiers).flatMap(({ items }) => items)).toEqual([]);
    expect(tracker.placement().tierOf('file:a')).toBe('active');
  });
});

it('rejects an invalid target', () => {
  for (const cacheTargetTokens of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(() => new StabilityTracker({ cacheTargetTokens })).toThrow(/cacheTargetTokens/);
  }
});
