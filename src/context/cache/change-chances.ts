import type { ItemState } from './item-state.ts';

/** By how often an item has changed already: never, once, twice, more. */
const WEIGHTS = [0.06, 0.2, 0.25, 0.3] as const;
const HIGHEST = 0.5;
/** How much of what was seen still counts one request later. */
const MEMORY = 0.9;

/**
 * How likely it is that parts of a prompt differ in the next request. What has just changed changes again, what has never
 * changed hardly ever does, and both fade with the requests that have passed since. How often items are dropped and added
 * is learned from the session.
 */
export class ChangeChances {
  #requests = 2;
  #withNew = 0.4;
  #items = 20;
  #dropped = 0.2;

  /** Takes what happened between two requests: whether an item came, and how many of how many went. */
  learn({ hasNew, dropped, items }: { hasNew: boolean; dropped: number; items: number }): void {
    this.#requests = MEMORY * this.#requests + 1;
    this.#withNew = MEMORY * this.#withNew + (hasNew ? 1 : 0);
    this.#items = MEMORY * this.#items + items;
    this.#dropped = MEMORY * this.#dropped + dropped;
  }

  /** That an item is added. */
  ofNew(): number {
    return Math.min(HIGHEST, this.#withNew / this.#requests);
  }

  /** That an item changes or goes. */
  of({ n, changes }: Pick<ItemState, 'n' | 'changes'>): number {
    const weight = WEIGHTS[Math.min(changes, WEIGHTS.length - 1)] ?? HIGHEST;
    return Math.min(HIGHEST, weight / (n + 1) + this.#dropped / this.#items);
  }

  /** That any of them does. */
  ofAny(states: readonly ItemState[]): number {
    return 1 - states.reduce((none, state) => none * (1 - this.of(state)), 1);
  }
}
