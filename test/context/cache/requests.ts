import type { StabilityTracker, TierChanges } from '../../../src/context/cache/stability-tracker.ts';
import type { ItemKey, TrackedItem } from '../../../src/context/cache/tiers.ts';

/** An item with that key; its content is another when its version is. */
export function item(key: ItemKey, tokens = 1_000, version = 1): TrackedItem {
  return { key, hash: `${key} ${version}`, tokens };
}

/** Messages of `exchanges` questions and answers, each of that many tokens. */
export function exchanges(count: number, tokens = 500): TrackedItem[] {
  return Array.from({ length: count * 2 }, (_, index) => item(`history:${index}`, tokens));
}

/** The same items in several requests. Returns what the last one changed. */
export function repeat(tracker: StabilityTracker, times: number, ...items: TrackedItem[]): TierChanges {
  let changes = tracker.update(items);
  for (let request = 1; request < times; request++) changes = tracker.update(items);
  return changes;
}
