import { type ItemState, MIN_UNCHANGED_REQUESTS, sumTokens, TIERS, type Tier } from './tiers.ts';

/**
 * Moves items between tiers after a request: into a tier only if it is empty or rewritten anyway, one step at a time, and
 * never so that a tier falls below `target` tokens; a thin L1 or L2 moves down one step. `broken` are the tiers that lost
 * an item. With a target of 0, tiers may have any size.
 */
export function promote(states: readonly ItemState[], broken: ReadonlySet<Tier>, target: number): void {
  const moved = new Set<ItemState>();
  // Providers cache prefixes: every tier after the first one that changes is rewritten.
  let rewrittenFrom = TIERS.findIndex((tier) => broken.has(tier));
  if (rewrittenFrom === -1) rewrittenFrom = TIERS.length;
  for (let index = 0; index < TIERS.length - 1; index++) {
    const tier = TIERS[index] as Tier;
    const below = TIERS[index + 1] as Tier;
    const hadItems = states.some((state) => state.tier === tier);
    if (index < rewrittenFrom && hadItems) continue;
    const promoted = selectPromotions(states, below, tier, target).filter((state) => !moved.has(state));
    for (const state of promoted) {
      state.tier = tier;
      moved.add(state);
    }
    if (promoted.length > 0) rewrittenFrom = Math.min(rewrittenFrom, index);
    if (tier === 'L3' && (promoted.length > 0 || hadItems)) {
      for (const state of selectExchanges(itemsOf(states, 'active'), target)) state.tier = 'L3';
    }
  }
  if (target > 0) demoteThinTiers(states, target);
}

/** The items of the tier below that may move up, the most stable first. Messages move along with others, never alone. */
function selectPromotions(states: readonly ItemState[], below: Tier, tier: Tier, target: number): ItemState[] {
  const candidates = itemsOf(states, below);
  const stable = candidates
    .filter(({ kind, unchangedRequests }) => kind !== 'history' && unchangedRequests >= MIN_UNCHANGED_REQUESTS[tier])
    .sort((a, b) => b.unchangedRequests - a.unchangedRequests);
  if (below === 'active') return stable;
  const before = sumTokens(candidates);
  let left = before;
  const promoted = stable.filter(({ tokens }) => {
    if (left - tokens < target) return false;
    left -= tokens;
    return true;
  });
  // A thin tier would be demoted again at once, and everything after it would have been rewritten for nothing.
  const isThin = tier !== 'L0' && sumTokens(itemsOf(states, tier)) + before - left < target;
  return isThin ? [] : promoted;
}

/** From below, so that each tier moves down one step only. */
function demoteThinTiers(states: readonly ItemState[], target: number): void {
  for (const [tier, below] of [
    ['L2', 'L3'],
    ['L1', 'L2'],
  ] as const) {
    const items = itemsOf(states, tier);
    if (sumTokens(items) < target) for (const state of items) state.tier = below;
  }
}

/** The messages that may leave `active`: the oldest stable whole exchanges, but not the newest `keep` tokens. */
function selectExchanges(active: readonly ItemState[], keep: number): ItemState[] {
  const messages = active.filter(({ kind }) => kind === 'history').sort((a, b) => a.index - b.index);
  let end = messages.length;
  let kept = 0;
  while (end > 0 && kept < keep) kept += messages[--end]?.tokens ?? 0;
  const unstable = messages.findIndex(({ unchangedRequests }) => unchangedRequests < MIN_UNCHANGED_REQUESTS.L3);
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

/** The items that have earned a tier. */
function itemsOf(states: readonly ItemState[], tier: Tier): ItemState[] {
  return states.filter((state) => state.tier === tier);
}
