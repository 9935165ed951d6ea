import type { StabilityTracker, TierChanges } from '../../../src/context/cache/stability-tracker.ts';
import type { ItemKey, TrackedItem } from '../../../src/context/cache/tiers.ts';

/** An item with this key; its hash depends on its version. */
export function item(key: ItemKey, tokens = 1_000, version = 1): TrackedItem {
  return { key, hash: `${key} ${version}`, tokens };
}

/** The messages of `exchanges` questions and answers, of `tokens` each. */
export function exchanges(count: number, tokens = 500): TrackedItem[] {
  return Array.from({ length: count * 2 }, (_, index) => item(`history:${index}`, tokens));
}

/** Sends the same items in several requests. Returns the changes of the last one. */
export function repeat(tracker: StabilityTracker, times: number, ...items: TrackedItem[]): TierChanges {
  let changes = tracker.update(items);
  for (let request = 1; request < times; request++) changes = tracker.update(items);
  return changes;
}
