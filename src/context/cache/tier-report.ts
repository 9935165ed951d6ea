import type { ItemState } from './item-state.ts';
import { type ItemKey, TIERS, type Tier } from './tier.ts';

/** An item of a tier. */
export interface ReportedItem {
  readonly key: ItemKey;
  /** Requests in a row without a change. */
  readonly n: number;
  readonly tokens: number;
  /** The tier it is sent in: another than it has earned as long as moving it would cost more. */
  readonly sentIn: Tier;
}

/** What a tier holds. */
export interface ReportedTier {
  readonly tokens: number;
  /** Does the provider keep it? False for the active part and for an empty tier. */
  readonly cached: boolean;
  /** The most stable first. */
  readonly items: readonly ReportedItem[];
}

/** An item that went from one tier to another. */
export interface TierMove {
  readonly key: ItemKey;
  readonly from: Tier;
  readonly to: Tier;
}

/** What each tier holds, and what the last update moved. */
export interface TierReport {
  readonly tiers: Readonly<Record<Tier, ReportedTier>>;
  readonly moves: readonly TierMove[];
}

/** Describes the tiers as the items have earned them. */
export function reportTiers(
  states: Iterable<ItemState>,
  moves: readonly TierMove[],
  sentIn: (key: ItemKey) => Tier,
): TierReport {
  const byTier = new Map<Tier, ItemState[]>(TIERS.map((tier) => [tier, []]));
  for (const state of states) byTier.get(state.tier)?.push(state);
  const describe = (tier: Tier): ReportedTier => {
    const items = (byTier.get(tier) ?? []).sort((a, b) => b.n - a.n || (a.key < b.key ? -1 : 1));
    return {
      tokens: items.reduce((sum, { tokens }) => sum + tokens, 0),
      cached: tier !== 'active' && items.length > 0,
      items: items.map(({ key, n, tokens }) => ({ key, n, tokens, sentIn: sentIn(key) })),
    };
  };
  const tiers = Object.fromEntries(TIERS.map((tier) => [tier, describe(tier)]));
  return { tiers: tiers as Record<Tier, ReportedTier>, moves };
}
