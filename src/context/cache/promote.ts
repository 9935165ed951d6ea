import { exchangesToGraduate } from './exchanges-to-graduate.ts';
import type { ItemState } from './item-state.ts';
import { ENTRY_N, TIERS, type Tier } from './tier.ts';
import { TierTable } from './tier-table.ts';

/**
 * Moves items between tiers after a request, to the letter of the table: into a tier only when it is empty or rewritten
 * anyway, one step at a time, and never so that a tier falls below `target` tokens; a thin L1 or L2 goes down a step.
 * `broken` are the tiers that lost an item. A target of 0 means no anchoring and no thin tiers.
 */
export function promote(states: readonly ItemState[], broken: ReadonlySet<Tier>, target: number): void {
  const table = new TierTable(states);
  const moved = new Set<ItemState>();
  // A prompt is cached by its beginning: after the first tier that changes, all are rewritten.
  let rewrittenFrom = TIERS.findIndex((tier) => broken.has(tier));
  if (rewrittenFrom === -1) rewrittenFrom = TIERS.length;
  for (let index = 0; index < TIERS.length - 1; index++) {
    const tier = TIERS[index] as Tier;
    const below = TIERS[index + 1] as Tier;
    if (index < rewrittenFrom && !table.isEmpty(tier)) continue;
    const hadItems = !table.isEmpty(tier);
    const rising = risingFrom(table, below, tier, target).filter((state) => !moved.has(state));
    for (const state of rising) {
      table.move(state, tier);
      moved.add(state);
    }
    if (rising.length > 0) rewrittenFrom = Math.min(rewrittenFrom, index);
    if (tier === 'L3' && (rising.length > 0 || hadItems)) {
      for (const state of exchangesToGraduate(table.itemsOf('active'), target)) table.move(state, 'L3');
    }
  }
  if (target > 0) sinkThinTiers(table, target);
}

/** Those of the tier below that may go up, the most stable first. History goes with them, but never by itself. */
function risingFrom(table: TierTable, below: Tier, tier: Tier, target: number): ItemState[] {
  const stable = table
    .itemsOf(below)
    .filter(({ kind, n }) => kind !== 'history' && n >= ENTRY_N[tier])
    .sort((a, b) => b.n - a.n);
  if (below === 'active') return stable;
  const before = table.tokensOf(below);
  let left = before;
  const rising = stable.filter(({ tokens }) => {
    if (left - tokens < target) return false;
    left -= tokens;
    return true;
  });
  // They would sink again at once, and everything behind them would have been rewritten for nothing.
  const isThin = tier !== 'L0' && table.tokensOf(tier) + before - left < target;
  return isThin ? [] : rising;
}

/** From below, so that each goes down one step only. */
function sinkThinTiers(table: TierTable, target: number): void {
  for (const [tier, below] of [
    ['L2', 'L3'],
    ['L1', 'L2'],
  ] as const) {
    if (table.tokensOf(tier) >= target) continue;
    for (const state of table.itemsOf(tier)) table.move(state, below);
  }
}
