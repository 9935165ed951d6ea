import { describe, expect, it } from 'vitest';
import { StabilityTracker } from '../../../src/context/cache/stability-tracker.ts';
import type { ItemKey } from '../../../src/context/cache/tiers.ts';
import { exchanges, item, repeat } from './requests.ts';

const newTracker = () => new StabilityTracker({ cacheTargetTokens: 1_126 });

function rank(tracker: StabilityTracker, ...keys: ItemKey[]): ItemKey[] {
  const placement = tracker.placement();
  return [...keys].sort((a, b) => (placement.rankOf?.(a) ?? 0) - (placement.rankOf?.(b) ?? 0));
}

describe('the layout', () => {
  it('stays the same while nothing changes, whatever tiers items have earned', () => {
    const tracker = newTracker();
    repeat(tracker, 5, item('file:a', 9_000), ...exchanges(2));
    expect(tracker.tierOf('file:a')).toBe('L3');
    expect(tracker.placement().tierOf('file:a')).toBe('active');
    expect(tracker.report().tiers.L3.items).toMatchObject([{ key: 'file:a', sentIn: 'active' }]);
  });

  it('moves a changed file after unchanged ones', () => {
    const tracker = newTracker();
    const [a, b, c] = [item('file:a', 5_000), item('file:b', 5_000), item('file:c', 5_000)];
    repeat(tracker, 3, a, b, c);
    expect(rank(tracker, 'file:a', 'file:b', 'file:c')).toEqual(['file:a', 'file:b', 'file:c']);
    tracker.update([a, item('file:b', 5_000, 2), c]);
    expect(rank(tracker, 'file:a', 'file:b', 'file:c')).toEqual(['file:a', 'file:c', 'file:b']);
  });

  it('puts new files last, sorted by path', () => {
    const tracker = newTracker();
    repeat(tracker, 3, item('file:m', 50_000));
    tracker.update([item('file:z'), item('file:m', 50_000), item('file:b', 9_000), item('file:a', 10)]);
    const keys = ['file:z', 'file:m', 'file:b', 'file:a'] as const;
    expect(rank(tracker, ...keys)).toEqual(['file:m', 'file:a', 'file:b', 'file:z']);
  });

  it('moves history ahead of files that keep changing, in whole exchanges', () => {
    const tracker = newTracker();
    for (let request = 1; request <= 6; request++) {
      tracker.update([item('file:a', 3_000, request), ...exchanges(request)]);
    }
    const tiers = exchanges(6).map(({ key }) => tracker.placement().tierOf(key));
    expect(tiers).toEqual(Array(12).fill('L3'));
    expect(tracker.placement().tierOf('file:a')).toBe('active');
  });

  it('lets stable files join L3 as long as no history follows them there', () => {
    const tracker = newTracker();
    const stable = item('file:a', 20_000);
    for (let request = 1; request <= 12; request++) {
      tracker.update([stable, item('file:b', 500, request), ...exchanges(request)]);
    }
    expect(tracker.placement().tierOf('file:a')).toBe('L3');
    expect(tracker.placement().tierOf('file:b')).toBe('active');
  });

  it('leaves the history after the files when only the history changes', () => {
    const tracker = newTracker();
    for (let request = 1; request <= 40; request++) {
      tracker.update([item('file:a', 3_000), ...exchanges(request)]);
    }
    for (const { key } of exchanges(40)) expect(tracker.placement().tierOf(key)).toBe('active');
  });

  it('sends a compacted history as new, after the files', () => {
    const tracker = newTracker();
    for (let request = 1; request <= 9; request++) {
      tracker.update([item('file:a', 100, request), ...exchanges(request)]);
    }
    expect(tracker.placement().tierOf('history:0')).toBe('L3');
    tracker.purgeHistory();
    expect(tracker.placement().tierOf('history:0')).toBe('active');
    tracker.update([item('file:a', 100, 9), ...exchanges(2, 70)]);
    expect(tracker.placement().tierOf('history:0')).toBe('active');
  });
});

describe('markers', () => {
  it('are on the prompt and the system message at first', () => {
    expect([...(newTracker().placement().markers ?? [])]).toEqual(['system', 'prompt']);
  });

  it('are on the prompt as long as only the history grows', () => {
    const tracker = newTracker();
    for (let request = 1; request <= 20; request++) {
      tracker.update(exchanges(request));
      expect(tracker.placement().markers).toContain('prompt');
    }
  });

  it('separate stable files from changing ones', () => {
    const tracker = newTracker();
    for (let request = 1; request <= 9; request++) {
      tracker.update([item('file:a', 90_000), item('file:b', 2_000, request), ...exchanges(1)]);
      if (request > 1) expect(tracker.placement().markers).toContain('file:a');
    }
  });
});

describe('prepare', () => {
  it('places new items without counting a request', () => {
    const tracker = newTracker();
    repeat(tracker, 3, item('file:a', 5_000));
    tracker.prepare([item('file:a', 5_000), item('file:b')]);
    expect(tracker.itemsOf('active').map(({ key, unchangedRequests }) => [key, unchangedRequests])).toEqual([
      ['file:a', 2],
      ['file:b', 0],
    ]);
    tracker.update([item('file:a', 5_000), item('file:b')]);
    expect(tracker.itemsOf('active')).toMatchObject([{ key: 'file:b', unchangedRequests: 0 }]);
  });

  it('counts a change once: the item counts from 0 after the reply', () => {
    const tracker = newTracker();
    repeat(tracker, 5, item('file:a', 5_000));
    tracker.prepare([item('file:a', 5_000, 2)]);
    expect(tracker.tierOf('file:a')).toBe('active');
    expect(tracker.update([item('file:a', 5_000, 2)]).broken).toEqual(['L3']);
    expect(tracker.itemsOf('active')).toMatchObject([{ key: 'file:a', unchangedRequests: 0 }]);
  });
});
