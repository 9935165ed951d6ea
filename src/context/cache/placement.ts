import type { ItemKey, Tier } from './tier.ts';

/**
 * A place in a prompt behind which a cache marker may stand: a file, a message of the history, the symbols of a tier, the
 * system message, or the prompt of the user.
 */
export type MarkKey = ItemKey | `symbols:${Tier}` | 'system' | 'prompt';

/** Where each item of a prompt is sent. */
export interface Placement {
  /** `active` for an item that is not known. */
  tierOf(key: ItemKey): Tier;
  /** Where a file stands among those of its tier, lowest first. Default, and among equals: by path. */
  rankOf?(key: ItemKey): number;
  /** Where the markers are worth most. Default: at the end of each cached tier. */
  readonly marks?: ReadonlySet<MarkKey> | undefined;
}

/** A placement by lists of keys; what is in none of them is active. */
export function placementOf(tiers: { readonly [tier in Tier]?: readonly ItemKey[] }): Placement {
  const placed = new Map<ItemKey, Tier>();
  for (const [tier, keys] of Object.entries(tiers)) for (const key of keys) placed.set(key, tier as Tier);
  return { tierOf: (key) => placed.get(key) ?? 'active' };
}
