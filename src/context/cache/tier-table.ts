import type { ItemState } from './item-state.ts';
import type { Tier } from './tier.ts';

/** Items by the tier they have earned, with the tokens of each tier, while items move. */
export class TierTable {
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
