import { compareText } from '../../text/compare-text.ts';
import { ChangeEstimator, chooseMarkers, layOutSlots } from './markers.ts';
import { countWholeExchanges } from './promotion.ts';
import {
  type ItemKey,
  type ItemState,
  type MarkerKey,
  nameOfKey,
  type Placement,
  sumTokens,
  TIERS,
  type Tier,
} from './tiers.ts';

/** The first place in the last prompt that has changed. */
interface ChangePoint {
  /** An index of TIERS. */
  readonly section: number;
  /** How many items of that section come before it. */
  readonly position: number;
}

const L3 = TIERS.indexOf('L3');
const ACTIVE = TIERS.indexOf('active');
/** History moves ahead of the active files once it was resent for this many times their tokens. */
const RESEND_FACTOR = 2;

/**
 * The order in which items are sent. An item stays where it was sent as long as nothing before it changes, because moving
 * it would mean paying for it again. When something changes, everything after it is paid for anyway, so only that part is
 * reordered: each item goes to the tier it has earned, and within a tier large and stable files come first.
 */
export class PromptLayout implements Placement {
  readonly #states: ReadonlyMap<ItemKey, ItemState>;
  #sections: ItemState[][] = TIERS.map(() => []);
  #history: readonly ItemState[] = [];
  /** How many messages are sent with L3. */
  #promotedMessages = 0;
  /** Tokens of history that were sent again since history last moved up. */
  #resentTokens = 0;
  readonly #estimator = new ChangeEstimator();
  #versions: readonly unknown[] = [];
  #cached: ReadonlySet<MarkerKey> = new Set();
  #markers: ReadonlySet<MarkerKey> = new Set<MarkerKey>(['system', 'prompt']);
  #hasBegun = false;
  /** Whether an item was added since the last request. */
  #hasNew = false;
  /** How many items were dropped since the last request. */
  #dropped = 0;

  /** `states` are the items that the tracker knows. */
  constructor(states: ReadonlyMap<ItemKey, ItemState>) {
    this.#states = states;
  }

  get markers(): ReadonlySet<MarkerKey> {
    return this.#markers;
  }

  tierOf(key: ItemKey): Tier {
    if (!key.startsWith('history:')) return this.#states.get(key)?.sentIn ?? 'active';
    return Number(nameOfKey(key)) < this.#promotedMessages ? 'L3' : 'active';
  }

  rankOf(key: ItemKey): number {
    const state = this.#states.get(key);
    return state?.sentIn === undefined ? Number.POSITIVE_INFINITY : state.rank;
  }

  /** Lays out the items in their initial tiers, before anything was sent. */
  begin(): void {
    const items = [...this.#states.values()].filter(({ kind }) => kind !== 'history');
    this.#reorderFrom(0, 0, items);
  }

  /** Records that the prompt was sent with the current markers. */
  commit(): void {
    const prompt: MarkerKey = `history:${this.#history.length}`;
    const sent = [...this.#markers].map((key) => (key === 'prompt' ? prompt : key));
    this.#cached = new Set([...this.#cached, ...sent]);
    const items = this.#sections.reduce((sum, { length }) => sum + length, 0);
    this.#estimator.learn({ hasNew: this.#hasNew, dropped: this.#dropped, items });
    this.#hasNew = false;
    this.#dropped = 0;
  }

  /** Adapts the layout to the items of the next request; `changed` are those with new content. */
  update(present: readonly ItemState[], changed: ReadonlySet<ItemState>): void {
    const history = present.filter(({ kind }) => kind === 'history').sort((a, b) => a.index - b.index);
    const items = present.filter(({ kind }) => kind !== 'history');
    const hasUnsent = items.some(({ sentIn }) => sentIn === undefined);
    const isFirst = !this.#hasBegun;
    this.#hasNew ||= hasUnsent && !isFirst;
    for (const sent of this.#sections) for (const { isPresent } of sent) if (!isPresent) this.#dropped++;
    const change = isFirst ? undefined : this.#findChange(changed, history, hasUnsent);
    this.#history = history;
    this.#promotedMessages = Math.min(this.#promotedMessages, history.length);
    this.#hasBegun = true;
    if (isFirst) this.#reorderFrom(ACTIVE, 0, items);
    if (change !== undefined && change.section < ACTIVE) {
      this.#promoteHistory();
      this.#reorderFrom(change.section, change.position, items);
    } else if (change !== undefined) this.#reorderActive(change.position, items);
    this.#placeMarkers(isFirst);
  }

  /**
   * Called when the history is replaced. Everything after the old history is paid for again, so it is reordered now: the
   * next prompt is sent before the next update.
   */
  forgetHistory(): void {
    const hadPromoted = this.#promotedMessages > 0;
    this.#history = [];
    this.#promotedMessages = 0;
    this.#resentTokens = 0;
    if (!hadPromoted) return;
    const sent = [...this.#states.values()].filter(({ kind, sentIn }) => kind !== 'history' && sentIn !== undefined);
    this.#reorderFrom(L3, this.#sections[L3]?.length ?? 0, sent);
    this.#placeMarkers();
  }

  #findChange(
    changed: ReadonlySet<ItemState>,
    history: readonly ItemState[],
    hasUnsent: boolean,
  ): ChangePoint | undefined {
    const differs = (state: ItemState) => !state.isPresent || changed.has(state);
    for (const [section, items] of this.#sections.entries()) {
      const position = items.findIndex(differs);
      if (position !== -1) return { section, position };
      if (section === L3 && this.#historyDiffers(history, 0, this.#promotedMessages, changed)) {
        return { section, position: items.length };
      }
    }
    const end = { section: ACTIVE, position: this.#sections[ACTIVE]?.length ?? 0 };
    if (hasUnsent) return end;
    return this.#historyDiffers(history, this.#promotedMessages, this.#history.length, changed) ? end : undefined;
  }

  #historyDiffers(history: readonly ItemState[], from: number, to: number, changed: ReadonlySet<ItemState>): boolean {
    for (let index = from; index < to; index++) {
      const state = this.#history[index];
      if (state === undefined || state !== history[index] || changed.has(state)) return true;
    }
    return false;
  }

  /** Handles a change among the active files. The files before it stay, unless history moves ahead of them. */
  #reorderActive(position: number, present: readonly ItemState[]): void {
    const before = (this.#sections[ACTIVE] ?? []).slice(0, position);
    this.#resentTokens += sumTokens(this.#history.slice(this.#promotedMessages));
    if (this.#resentTokens < RESEND_FACTOR * sumTokens(before)) {
      this.#reorderFrom(ACTIVE, position, present);
      return;
    }
    const isFirstPromotion = this.#promotedMessages === 0;
    this.#promoteHistory();
    // As long as no history follows them, stable files can be appended to L3.
    if (isFirstPromotion) this.#reorderFrom(L3, this.#sections[L3]?.length ?? 0, present);
    else this.#reorderFrom(ACTIVE, 0, present);
  }

  #promoteHistory(): void {
    this.#promotedMessages = countWholeExchanges(this.#history, this.#history.length);
    this.#resentTokens = 0;
  }

  /** Reorders everything from this place on. */
  #reorderFrom(section: number, position: number, present: readonly ItemState[]): void {
    const kept = this.#sections.map((items, index) => {
      if (index > section) return [];
      return index < section ? items : items.slice(0, position);
    });
    const staying = new Set<ItemState>();
    for (const items of kept) for (const state of items) staying.add(state);
    const free = present.filter((state) => !staying.has(state));
    // The symbols of a tier are one text, which is sorted by path when it is assembled.
    const symbols = free.filter(({ kind }) => kind === 'symbol');
    const files = free.filter(({ kind }) => kind === 'file');
    for (const state of files) state.rank = this.#changeDensity(state);
    files.sort((a, b) => compareRanks(a.rank, b.rank) || compareText(a.key, b.key));
    for (const state of [...symbols, ...files]) kept[Math.max(section, TIERS.indexOf(state.tier))]?.push(state);
    this.#sections = kept;
    for (const [index, items] of kept.entries()) {
      for (const [rank, state] of items.entries()) {
        state.sentIn = TIERS[index] as Tier;
        state.rank = rank;
      }
    }
  }

  /**
   * Probability of a change per token: small files that change often go last. New items sort by path, the order in which
   * they were sent if they came with the last request.
   */
  #changeDensity(state: ItemState): number {
    if (state.sentIn === undefined) return Number.POSITIVE_INFINITY;
    return this.#estimator.changes(state) / Math.max(1, state.tokens);
  }

  #placeMarkers(isFirst = false): void {
    const { slots, versions, ends } = layOutSlots({
      sections: this.#sections,
      history: this.#history,
      promotedMessages: this.#promotedMessages,
      estimator: this.#estimator,
    });
    const shared = isFirst ? versions.length : commonPrefixLength(this.#versions, versions);
    const old = this.#cached;
    this.#cached = new Set(
      slots.flatMap(({ key }, index) => ((ends[index] ?? 0) <= shared && old.has(key) ? [key] : [])),
    );
    this.#markers = chooseMarkers(slots, this.#cached);
    this.#versions = versions;
  }
}

/** Compares two ranks, both of which may be infinite. */
export function compareRanks(a: number, b: number): number {
  return a === b ? 0 : a - b;
}

function commonPrefixLength(before: readonly unknown[], after: readonly unknown[]): number {
  let index = 0;
  while (index < before.length && index < after.length && before[index] === after[index]) index++;
  return index;
}
