import { ENTRY_N, type ItemState, TIERS, type Tier } from './tiers.ts';

/**
 * Moves items between tiers after a request: into a tier only if it is empty or rewritten anyway, one step at a time, and
 * never so that a tier falls below `target` tokens; a thin L1 or L2 moves down one step. `broken` are the tiers that lost
 * an item. With a target of 0, tiers may have any size.
 */
export function promote(states: readonly ItemState[], broken: ReadonlySet<Tier>, target: number): void {
  const table = new TierTable(states);
  const moved = new Set<ItemState>();
  // Providers cache prefixes: every tier after the first one that changes is rewritten.
  let rewrittenFrom = TIERS.findIndex((tier) => broken.has(tier));
  if (rewrittenFrom === -1) rewrittenFrom = TIERS.length;
  for (let index = 0; index < TIERS.length - 1; index++) {
    const tier = TIERS[index] as Tier;
    const below = TIERS[index + 1] as Tier;
    const hadItems = !table.isEmpty(tier);
    if (index < rewrittenFrom && hadItems) continue;
    const promoted = selectPromotions(table, below, tier, target).filter((state) => !moved.has(state));
    for (const state of promoted) {
      table.move(state, tier);
      moved.add(state);
    }
    if (promoted.length > 0) rewrittenFrom = Math.min(rewrittenFrom, index);
    if (tier === 'L3' && (promoted.length > 0 || hadItems)) {
      for (const state of selectExchanges(table.itemsOf('active'), target)) table.move(state, 'L3');
    }
  }
  if (target > 0) demoteThinTiers(table, target);
}

/** The items of the tier below that may move up, the most stable first. Messages move along with others, never alone. */
function selectPromotions(table: TierTable, below: Tier, tier: Tier, target: number): ItemState[] {
  const stable = table
    .itemsOf(below)
    .filter(({ kind, n }) => kind !== 'history' && n >= ENTRY_N[tier])
    .sort((a, b) => b.n - a.n);
  if (below === 'active') return stable;
  const before = table.tokensOf(below);
  let left = before;
  const promoted = stable.filter(({ tokens }) => {
    if (left - tokens < target) return false;
    left -= tokens;
    return true;
  });
  // A thin tier would be demoted again at once, and everything after it would have been rewritten for nothing.
  const isThin = tier !== 'L0' && table.tokensOf(tier) + before - left < target;
  return isThin ? [] : promoted;
}

/** From below, so that each tier moves down one step only. */
function demoteThinTiers(table: TierTable, target: number): void {
  for (const [tier, below] of [
    ['L2', 'L3'],
    ['L1', 'L2'],
  ] as const) {
    if (table.tokensOf(tier) >= target) continue;
    for (const state of table.itemsOf(tier)) table.move(state, below);
  }
}

/** The messages that may leave `active`: the oldest stable whole exchanges, but not the newest `keep` tokens. */
function selectExchanges(active: readonly ItemState[], keep: number): ItemState[] {
  const messages = active.filter(({ kind }) => kind === 'history').sort((a, b) => a.index - b.index);
  let end = messages.length;
  let kept = 0;
  while (end > 0 && kept < keep) kept += messages[--end]?.tokens ?? 0;
  const unstable = messages.findIndex(({ n }) => n < ENTRY_N.L3);
  if (unstable !== -1) end = Math.min(end, unstable);
  return messages.slice(0, countWholeExchanges(messages, end));
}

/** How many of the first `end` messages are whole exchanges. A question without a reply is not one. */
export function countWholeExchanges(messages: readonly ItemState[], end: number): number {
  let whole = end;
  if (whole > 0 && whole === messages.length && messages[whole - 1]?.startsExchange) whole--;
  while (whole > 0 && whole < messages.length && !messages[whole]?.startsExchange) whole--;
  return whole;
}

/** Items by the tier they have earned, with running totals per tier while items move. */
class TierTable {
  readonly #states: readonly ItemState[];
  readonly #counts: Record<Tier, number> = { L0: 0, L1: 0, L2: 0, L3: 0, active: 0 };
  readonly #tokens: Record<Tier, number> = { L0: 0, L1: 0, L2: 0, L3: 0, active: 0 };

  constructor(states: readonly ItemState[]) {
    this.#states = states;
    for (const { tier, tokens } of states) this.#count(tier, 1, tokens);
  }

  itemsOf(tier: Tier): ItemState[] {
    return this.isEmpty(tier) ? [] : this.#states.filter((state) => state.tier === tier);
  }

  tokensOf(tier: Tier): number {
    return this.#tokens[tier];
  }

  isEmpty(tier: Tier): boolean {
    return this.#counts[tier] === 0;
  }

  move(state: ItemState, tier: Tier): void {
    this.#count(state.tier, -1, -state.tokens);
    state.tier = tier;
    this.#count(tier, 1, state.tokens);
  }

  #count(tier: Tier, items: number, tokens: number): void {
    this.#counts[tier] += items;
    this.#tokens[tier] += tokens;
  }
}
