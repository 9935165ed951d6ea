import { type ItemState, type MarkerKey, sumTokens, TIERS, type Tier } from './tiers.ts';

/** A part of a prompt, in the order in which it is sent, as far as its cost goes. */
export interface PromptSlot {
  readonly key: MarkerKey;
  readonly tokens: number;
  /** The probability that it differs in the next request. */
  readonly changeProbability: number;
  /** Whether a cache marker may follow it. */
  readonly isMarkable: boolean;
}

/** How many cache markers a prompt may carry. */
export const MAX_CACHE_MARKERS = 4;
/** Providers look about 20 blocks back from a marker for a cached prefix; not every block is a slot. */
const LOOK_BACK_SLOTS = 12;
/** Extra cost of a token that is written to the cache, compared with one that is not cached. */
const WRITE_EXTRA = 0.25;
/** Savings for a token that is read from the cache: between 1 - 0.1 and 1.25 - 0.1. */
const READ_SAVINGS = 1.05;

/**
 * Chooses the slots, at most four, after which a cache marker saves the most. A marker lets the next request read the
 * prompt up to it if nothing before it changes. `cached` are the slots that end a prefix cached by earlier requests: these
 * need no marker of their own, only one within the provider's look-back.
 */
export function chooseMarkers(slots: readonly PromptSlot[], cached: ReadonlySet<MarkerKey>): Set<MarkerKey> {
  const search = new MarkerSearch(slots, cached);
  while (search.remaining > 0) {
    const best = search.findBest();
    if (best === undefined) break;
    search.mark(best);
  }
  search.reachCached();
  search.refreshCached();
  return search.keys();
}

/** Greedy search: adds the marker with the highest expected savings until none is left or none pays off. */
class MarkerSearch {
  readonly #slots: readonly PromptSlot[];
  /** Tokens up to the end of each slot. */
  readonly #ends: number[] = [];
  /** Probability that something before this slot changes; one element more than there are slots. */
  readonly #brokenBefore: number[] = [0];
  /** The last slot of the cached prefix; -1 without one. */
  readonly #hit: number;
  /** Slots up to which the next request can read, in order. */
  readonly #readable: number[];
  readonly #marked = new Set<number>();

  constructor(slots: readonly PromptSlot[], cached: ReadonlySet<MarkerKey>) {
    this.#slots = slots;
    let intact = 1;
    let end = 0;
    for (const { tokens, changeProbability } of slots) {
      end += tokens;
      this.#ends.push(end);
      intact *= 1 - changeProbability;
      this.#brokenBefore.push(1 - intact);
    }
    this.#readable = slots.flatMap(({ key }, index) => (cached.has(key) ? [index] : []));
    this.#hit = this.#readable.at(-1) ?? -1;
  }

  /** How many markers are left. One is reserved while none is near enough to the cached prefix. */
  get remaining(): number {
    return MAX_CACHE_MARKERS - this.#marked.size - (this.#reachesCached() ? 0 : 1);
  }

  findBest(): number | undefined {
    let best: number | undefined;
    let highest = 0;
    const written = Math.max(this.#endOf(this.#hit), ...[...this.#marked].map((index) => this.#endOf(index)));
    let gap = 0;
    for (const [index, { isMarkable }] of this.#slots.entries()) {
      while (gap < this.#readable.length && (this.#readable[gap] as number) < index) gap++;
      if (!isMarkable || this.#readable[gap] === index) continue;
      const before = this.#endOf(this.#readable[gap - 1] ?? -1);
      const next = this.#readable[gap];
      const useful = this.#intactUntil(index) - (next === undefined ? 0 : this.#intactUntil(next));
      const savings = READ_SAVINGS * useful * (this.#endOf(index) - before);
      const value = savings - WRITE_EXTRA * Math.max(0, this.#endOf(index) - written);
      if (value > highest) {
        highest = value;
        best = index;
      }
    }
    return best;
  }

  mark(index: number): void {
    this.#marked.add(index);
    if (this.#readable.includes(index)) return;
    this.#readable.push(index);
    this.#readable.sort((a, b) => a - b);
  }

  /** Makes sure that a marker is within the look-back of the cached prefix. */
  reachCached(): void {
    if (!this.#reachesCached()) this.mark(this.#hit);
  }

  /** Providers evict what is not used, so a spare marker goes to the most useful cached prefix. */
  refreshCached(): void {
    if (this.#marked.size >= MAX_CACHE_MARKERS) return;
    let best: number | undefined;
    let highest = 0;
    for (const [position, index] of this.#readable.entries()) {
      if (this.#marked.has(index) || !this.#slots[index]?.isMarkable) continue;
      const next = this.#readable[position + 1];
      const useful = this.#intactUntil(index) - (next === undefined ? 0 : this.#intactUntil(next));
      const value = useful * (this.#endOf(index) - this.#endOf(this.#readable[position - 1] ?? -1));
      if (value <= highest) continue;
      highest = value;
      best = index;
    }
    if (best !== undefined) this.#marked.add(best);
  }

  keys(): Set<MarkerKey> {
    const sorted = [...this.#marked].sort((a, b) => a - b);
    return new Set(sorted.map((index) => (this.#slots[index] as PromptSlot).key));
  }

  #reachesCached(): boolean {
    if (this.#hit === -1) return true;
    return [...this.#marked].some((index) => index >= this.#hit && index < this.#hit + LOOK_BACK_SLOTS);
  }

  #endOf(index: number): number {
    return this.#ends[index] ?? 0;
  }

  /** The probability that everything up to and including this slot is the same in the next request. */
  #intactUntil(index: number): number {
    return 1 - (this.#brokenBefore[index + 1] ?? 1);
  }
}

/** The tracker does not know the size of the system prompt and of what is not tracked. */
const ASSUMED_SYSTEM_TOKENS = 3_000;
const ASSUMED_PROMPT_TOKENS = 100;

interface SlotInput {
  /** Symbols and files of each tier, in order. */
  readonly sections: readonly (readonly ItemState[])[];
  readonly history: readonly ItemState[];
  /** How many messages are sent with L3. */
  readonly promotedMessages: number;
  readonly estimator: ChangeEstimator;
}

interface SlotLayout {
  readonly slots: readonly PromptSlot[];
  /** Keys and hashes in the order sent: two prompts share a prefix as far as these are equal. */
  readonly versions: readonly unknown[];
  /** For each slot, the length of `versions` at its end. */
  readonly ends: readonly number[];
}

/** Lists the slots of a prompt in the order in which they are sent. */
export function layOutSlots({ sections, history, promotedMessages, estimator }: SlotInput): SlotLayout {
  const slots: PromptSlot[] = [];
  const versions: unknown[] = [];
  const ends: number[] = [];
  const add = (slot: PromptSlot, states: readonly ItemState[] = []) => {
    for (const state of states) versions.push(state.key, state.hash);
    slots.push(slot);
    ends.push(versions.length);
  };
  const addGroup = (key: MarkerKey, states: readonly ItemState[], extraTokens = 0) => {
    const tokens = extraTokens + sumTokens(states);
    add({ key, tokens, changeProbability: estimator.anyChanges(states), isMarkable: true }, states);
  };
  const addMessages = (messages: readonly ItemState[], isMarkableAtEnd: boolean) => {
    for (const [index, state] of messages.entries()) {
      const isMarkable = isMarkableAtEnd && index === messages.length - 1;
      add({ key: state.key, tokens: state.tokens, changeProbability: 0, isMarkable }, [state]);
    }
  };
  const addPrompt = (changeProbability: number) =>
    add({ key: 'prompt', tokens: ASSUMED_PROMPT_TOKENS, changeProbability, isMarkable: true });

  // L0 is one text with the system prompt.
  const [system = [], ...others] = sections;
  addGroup('system', system, ASSUMED_SYSTEM_TOKENS);
  for (const [index, items] of others.entries()) {
    const tier = TIERS[index + 1] as Tier;
    // Each tier has its own heading, so the same file in another tier is a different text.
    versions.push(tier);
    const symbols = items.filter(({ kind }) => kind === 'symbol');
    if (symbols.length > 0) addGroup(`symbols:${tier}`, symbols);
    for (const state of items) if (state.kind === 'file') addGroup(state.key, [state]);
    if (tier === 'L3') addMessages(history.slice(0, promotedMessages), true);
  }
  const [firstActive, ...newest] = history.slice(promotedMessages);
  // A new file would be sent before the active messages.
  const additionProbability = estimator.itemIsAdded();
  if (firstActive === undefined) {
    addPrompt(additionProbability);
    return { slots, versions, ends };
  }
  const { key, tokens } = firstActive;
  add({ key, tokens, changeProbability: additionProbability, isMarkable: false }, [firstActive]);
  addMessages(newest, false);
  addPrompt(0);
  return { slots, versions, ends };
}

/** By how often an item has changed already: never, once, twice, more often. */
const CHANGE_WEIGHTS = [0.06, 0.2, 0.25, 0.3] as const;
const MAX_PROBABILITY = 0.5;
/** How much an observation still counts one request later. */
const DECAY = 0.9;

/**
 * Estimates how likely parts of a prompt are to change before the next request. What has just changed tends to change
 * again, what has never changed rarely does, and both fade with each request. How often items are added and dropped is
 * learned from the session.
 */
export class ChangeEstimator {
  #requests = 2;
  #additions = 0.4;
  #items = 20;
  #drops = 0.2;

  /** Records what happened between two requests. */
  learn({ hasNew, dropped, items }: { hasNew: boolean; dropped: number; items: number }): void {
    this.#requests = DECAY * this.#requests + 1;
    this.#additions = DECAY * this.#additions + (hasNew ? 1 : 0);
    this.#items = DECAY * this.#items + items;
    this.#drops = DECAY * this.#drops + dropped;
  }

  /** The probability that an item is added. */
  itemIsAdded(): number {
    return Math.min(MAX_PROBABILITY, this.#additions / this.#requests);
  }

  /** The probability that an item changes or is dropped. */
  changes({ unchangedRequests, changes }: Pick<ItemState, 'unchangedRequests' | 'changes'>): number {
    const weight = CHANGE_WEIGHTS[Math.min(changes, CHANGE_WEIGHTS.length - 1)] ?? MAX_PROBABILITY;
    return Math.min(MAX_PROBABILITY, weight / (unchangedRequests + 1) + this.#drops / this.#items);
  }

  /** The probability that at least one of the items changes or is dropped. */
  anyChanges(states: readonly ItemState[]): number {
    return 1 - states.reduce((none, state) => none * (1 - this.changes(state)), 1);
  }
}
