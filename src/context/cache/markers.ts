import { type ItemState, type MarkerKey, TIERS, type Tier } from './tiers.ts';

/** A piece of a prompt in the order in which it is sent, as far as its cost goes. */
export interface PromptSlot {
  readonly key: MarkerKey;
  readonly tokens: number;
  /** That it differs in the next request. */
  readonly chance: number;
  /** May a marker stand behind it? */
  readonly markable: boolean;
}

/** How many markers a prompt may carry. */
export const MAX_CACHE_MARKERS = 4;
/** Providers look some 20 blocks back from a marker for what is cached; some blocks are no slots. */
const LOOK_BACK = 12;
/** What a token costs more when it is written to the cache than when it is sent without. */
const EXTRA_OF_WRITE = 0.25;
/** What a token costs less when it is read from the cache: between 1 - 0.1 and 1.25 - 0.1. */
const GAIN_OF_READ = 1.05;

/**
 * Behind which slots markers save most, at most four. A marker makes the prompt up to it readable for the next request,
 * if nothing before it changes by then; `cached` are the slots where earlier requests have left such a prefix, which
 * costs no marker but must be within reach of one.
 */
export function chooseMarkers(slots: readonly PromptSlot[], cached: ReadonlySet<MarkerKey>): Set<MarkerKey> {
  const search = new MarkerSearch(slots, cached);
  while (search.room > 0) {
    const best = search.best();
    if (best === undefined) break;
    search.mark(best);
  }
  search.reachCached();
  search.refreshCached();
  return search.keys();
}

class MarkerSearch {
  readonly #slots: readonly PromptSlot[];
  /** Tokens up to the end of each slot. */
  readonly #ends: number[] = [];
  /** Chance that the first change is in a slot before this one; one more than there are slots. */
  readonly #brokenBefore: number[] = [0];
  /** The last slot that is in the cache now; -1 when none is. */
  readonly #hit: number;
  /** Slots that can be read by the next request, in order. */
  readonly #readable: number[];
  readonly #marked = new Set<number>();

  constructor(slots: readonly PromptSlot[], cached: ReadonlySet<MarkerKey>) {
    this.#slots = slots;
    let intact = 1;
    let end = 0;
    for (const { tokens, chance } of slots) {
      end += tokens;
      this.#ends.push(end);
      intact *= 1 - chance;
      this.#brokenBefore.push(1 - intact);
    }
    this.#readable = slots.flatMap(({ key }, index) => (cached.has(key) ? [index] : []));
    this.#hit = this.#readable.at(-1) ?? -1;
  }

  /** One marker is kept back while none is near enough to what is cached. */
  get room(): number {
    return MAX_CACHE_MARKERS - this.#marked.size - (this.#reachesCached() ? 0 : 1);
  }

  best(): number | undefined {
    let best: number | undefined;
    let most = 0;
    const written = Math.max(this.#endOf(this.#hit), ...[...this.#marked].map((index) => this.#endOf(index)));
    let gap = 0;
    for (const [index, { markable }] of this.#slots.entries()) {
      while (gap < this.#readable.length && (this.#readable[gap] as number) < index) gap++;
      if (!markable || this.#readable[gap] === index) continue;
      const before = this.#endOf(this.#readable[gap - 1] ?? -1);
      const next = this.#readable[gap] ?? this.#slots.length;
      const useful = this.#intactUntil(index) - (gap < this.#readable.length ? this.#intactUntil(next) : 0);
      const gain = GAIN_OF_READ * useful * (this.#endOf(index) - before);
      const value = gain - EXTRA_OF_WRITE * Math.max(0, this.#endOf(index) - written);
      if (value > most) {
        most = value;
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

  reachCached(): void {
    if (!this.#reachesCached()) this.mark(this.#hit);
  }

  /** What is cached is forgotten in time unless it is used: a marker to spare keeps the most useful prefix. */
  refreshCached(): void {
    if (this.#marked.size >= MAX_CACHE_MARKERS) return;
    let best: number | undefined;
    let most = 0;
    for (const [place, index] of this.#readable.entries()) {
      if (this.#marked.has(index) || !this.#slots[index]?.markable) continue;
      const next = this.#readable[place + 1];
      const useful = this.#intactUntil(index) - (next === undefined ? 0 : this.#intactUntil(next));
      const value = useful * (this.#endOf(index) - this.#endOf(this.#readable[place - 1] ?? -1));
      if (value <= most) continue;
      most = value;
      best = index;
    }
    if (best !== undefined) this.#marked.add(best);
  }

  keys(): Set<MarkerKey> {
    return new Set(
      [...this.#marked].sort((a, b) => a - b).map((index) => (this.#slots[index] as PromptSlot).key),
    );
  }

  #reachesCached(): boolean {
    if (this.#hit === -1) return true;
    return [...this.#marked].some((index) => index >= this.#hit && index < this.#hit + LOOK_BACK);
  }

  #endOf(index: number): number {
    return this.#ends[index] ?? 0;
  }

  /** The chance that everything up to and with this slot is the same in the next request. */
  #intactUntil(index: number): number {
    return 1 - (this.#brokenBefore[index + 1] ?? 1);
  }
}

/** What the tracker does not know the size of: the system prompt and what is beside the files. */
const SYSTEM_TOKENS = 3_000;
const PROMPT_TOKENS = 100;

/** A prompt as the tracker knows it. */
interface SlotInput {
  /** Symbols and files of each tier, in order. */
  readonly sections: readonly (readonly ItemState[])[];
  readonly history: readonly ItemState[];
  /** How many messages are sent with L3. */
  readonly settled: number;
  readonly chances: ChangeEstimator;
}

/** The slots of a prompt; what tells whether two prompts begin alike, and how much of that each slot ends with. */
interface SlotLayout {
  readonly slots: readonly PromptSlot[];
  readonly versions: readonly unknown[];
  readonly ends: readonly number[];
}

/** Lays a prompt out in the order in which it is sent. */
export function layOutSlots({ sections, history, settled, chances }: SlotInput): SlotLayout {
  const slots: PromptSlot[] = [];
  const versions: unknown[] = [];
  const ends: number[] = [];
  const add = (slot: PromptSlot, states: readonly ItemState[] = []) => {
    for (const state of states) versions.push(state.key, state.hash);
    slots.push(slot);
    ends.push(versions.length);
  };
  const addMessages = (messages: readonly ItemState[], isEnd: boolean) => {
    for (const [index, state] of messages.entries()) {
      const markable = isEnd && index === messages.length - 1;
      add({ key: state.key, tokens: state.tokens, chance: 0, markable }, [state]);
    }
  };
  // L0 is one text with the system prompt.
  const [system = [], ...others] = sections;
  add(
    {
      key: 'system',
      tokens: SYSTEM_TOKENS + tokensOf(system),
      chance: chances.ofAny(system),
      markable: true,
    },
    system,
  );
  for (const [index, items] of others.entries()) {
    const tier = TIERS[index + 1] as Tier;
    // A heading of its own: the same file in another tier is another text.
    versions.push(tier);
    const symbols = items.filter(({ kind }) => kind === 'symbol');
    if (symbols.length > 0) {
      add(
        { key: `symbols:${tier}`, tokens: tokensOf(symbols), chance: chances.ofAny(symbols), markable: true },
        symbols,
      );
    }
    for (const state of items) {
      if (state.kind !== 'file') continue;
      add({ key: state.key, tokens: state.tokens, chance: chances.of(state), markable: true }, [state]);
    }
    if (tier === 'L3') addMessages(history.slice(0, settled), true);
  }
  const newest = history.slice(settled);
  const firstNew = newest[0];
  // A new file comes before the newest messages.
  if (firstNew === undefined) {
    add({ key: 'prompt', tokens: PROMPT_TOKENS, chance: chances.ofNew(), markable: true });
    return { slots, versions, ends };
  }
  add({ key: firstNew.key, tokens: firstNew.tokens, chance: chances.ofNew(), markable: false }, [firstNew]);
  addMessages(newest.slice(1), false);
  add({ key: 'prompt', tokens: PROMPT_TOKENS, chance: 0, markable: true });
  return { slots, versions, ends };
}

function tokensOf(states: readonly ItemState[]): number {
  return states.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** By how often an item has changed already: never, once, twice, more. */
const CHANGE_WEIGHTS = [0.06, 0.2, 0.25, 0.3] as const;
const MAX_PROBABILITY = 0.5;
/** How much of what was seen still counts one request later. */
const DECAY = 0.9;

/**
 * How likely it is that parts of a prompt differ in the next request. What has just changed changes again, what has never
 * changed hardly ever does, and both fade with the requests that have passed since. How often items are dropped and added
 * is learned from the session.
 */
export class ChangeEstimator {
  #requests = 2;
  #withNew = 0.4;
  #items = 20;
  #dropped = 0.2;

  /** Takes what happened between two requests: whether an item came, and how many of how many went. */
  learn({ hasNew, dropped, items }: { hasNew: boolean; dropped: number; items: number }): void {
    this.#requests = DECAY * this.#requests + 1;
    this.#withNew = DECAY * this.#withNew + (hasNew ? 1 : 0);
    this.#items = DECAY * this.#items + items;
    this.#dropped = DECAY * this.#dropped + dropped;
  }

  /** That an item is added. */
  ofNew(): number {
    return Math.min(MAX_PROBABILITY, this.#withNew / this.#requests);
  }

  /** That an item changes or goes. */
  of({ n, changes }: Pick<ItemState, 'n' | 'changes'>): number {
    const weight = CHANGE_WEIGHTS[Math.min(changes, CHANGE_WEIGHTS.length - 1)] ?? MAX_PROBABILITY;
    return Math.min(MAX_PROBABILITY, weight / (n + 1) + this.#dropped / this.#items);
  }

  /** That any of them does. */
  ofAny(states: readonly ItemState[]): number {
    return 1 - states.reduce((none, state) => none * (1 - this.of(state)), 1);
  }
}
