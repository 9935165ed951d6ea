import { ChangeEstimator, chooseMarkers, layOutSlots } from './markers.ts';
import { countWholeExchanges } from './promotion.ts';
import { type ItemKey, type ItemState, type MarkerKey, type Placement, TIERS, type Tier } from './tiers.ts';

/** Where in the order that was sent something first differs now. */
interface Break {
  /** An index of TIERS. */
  readonly section: number;
  /** How many items of that section stand before it. */
  readonly position: number;
}

const L3 = TIERS.indexOf('L3');
const HISTORY = 'history:';
const ACTIVE = TIERS.indexOf('active');
/** History moves ahead of the active files when it was sent again for this many times their tokens. */
const RESEND_FACTOR = 2;

/**
 * The order in which items are sent. What was sent stays where it is as long as nothing before it changes: moving it would
 * mean paying for it again. When something changes, everything behind it is paid for anyway, and only that is put in a
 * better order: each item where it has earned to be, and in each tier the items that cost most when they are behind others
 * that change first.
 */
export class PromptLayout implements Placement {
  readonly #states: ReadonlyMap<ItemKey, ItemState>;
  #sections: ItemState[][] = TIERS.map(() => []);
  #history: readonly ItemState[] = [];
  /** How many messages are sent with L3. */
  #settled = 0;
  /** Tokens of history that were sent again since history last moved up. */
  #sentAgain = 0;
  readonly #chances = new ChangeEstimator();
  #versions: readonly unknown[] = [];
  #cached: ReadonlySet<MarkerKey> = new Set();
  #marks: ReadonlySet<MarkerKey> = new Set<MarkerKey>(['system', 'prompt']);
  #hasBegun = false;
  /** Was an item added since the last request? */
  #hasNew = false;
  /** How many items went since the last request. */
  #dropped = 0;

  /** `states` are the items that the tracker knows. */
  constructor(states: ReadonlyMap<ItemKey, ItemState>) {
    this.#states = states;
  }

  get markers(): ReadonlySet<MarkerKey> {
    return this.#marks;
  }

  tierOf(key: ItemKey): Tier {
    if (!key.startsWith(HISTORY)) return this.#states.get(key)?.sentIn ?? 'active';
    return Number(key.slice(HISTORY.length)) < this.#settled ? 'L3' : 'active';
  }

  rankOf(key: ItemKey): number {
    const state = this.#states.get(key);
    return state?.sentIn === undefined ? Number.POSITIVE_INFINITY : state.rank;
  }

  /** Takes the items as they were placed before anything was sent. */
  begin(): void {
    this.#replaceFrom(
      0,
      0,
      [...this.#states.values()].filter((state) => state.kind !== 'history'),
    );
  }

  /** The prompt was sent with the present marks. */
  commit(): void {
    const prompt: MarkerKey = `history:${this.#history.length}`;
    const sent = [...this.#marks].map((key) => (key === 'prompt' ? prompt : key));
    this.#cached = new Set([...this.#cached, ...sent]);
    const items = this.#sections.reduce((sum, { length }) => sum + length, 0);
    this.#chances.learn({ hasNew: this.#hasNew, dropped: this.#dropped, items });
    this.#hasNew = false;
    this.#dropped = 0;
  }

  /** Follows what has changed since it was last called: `changed` are items with another content. */
  follow(present: readonly ItemState[], changed: ReadonlySet<ItemState>): void {
    const history = present.filter(({ kind }) => kind === 'history').sort((a, b) => a.index - b.index);
    const items = present.filter(({ kind }) => kind !== 'history');
    const isNew = items.some(({ sentIn }) => sentIn === undefined);
    this.#hasNew ||= isNew && this.#hasBegun;
    for (const sent of this.#sections) for (const { present } of sent) if (!present) this.#dropped++;
    const first = this.#hasBegun ? this.#findBreak(changed, history, isNew) : undefined;
    this.#history = history;
    this.#settled = Math.min(this.#settled, history.length);
    // What the first request held was sent, whether it was told before or not.
    const isFirst = !this.#hasBegun;
    this.#hasBegun = true;
    if (isFirst) this.#replaceFrom(ACTIVE, 0, items);
    if (first !== undefined && first.section < ACTIVE) {
      this.#settleHistory();
      this.#replaceFrom(first.section, first.position, items);
    } else if (first !== undefined) this.#reorderActive(first.position, items);
    this.#placeMarks(isFirst);
  }

  /**
   * The history is another from now on. What stood behind the old one is paid for again, so it is ordered now: the next
   * prompt is sent before the next update.
   */
  forgetHistory(): void {
    const wasSettled = this.#settled > 0;
    this.#history = [];
    this.#settled = 0;
    this.#sentAgain = 0;
    if (!wasSettled) return;
    const sent = [...this.#states.values()].filter(
      ({ kind, sentIn }) => kind !== 'history' && sentIn !== undefined,
    );
    this.#replaceFrom(L3, this.#sections[L3]?.length ?? 0, sent);
    this.#placeMarks();
  }

  #findBreak(
    changed: ReadonlySet<ItemState>,
    history: readonly ItemState[],
    isNew: boolean,
  ): Break | undefined {
    const differs = (state: ItemState) => !state.present || changed.has(state);
    for (const [section, items] of this.#sections.entries()) {
      const position = items.findIndex(differs);
      if (position !== -1) return { section, position };
      if (section === L3 && this.#historyDiffers(history, 0, this.#settled, changed)) {
        return { section, position: items.length };
      }
    }
    const end = { section: ACTIVE, position: this.#sections[ACTIVE]?.length ?? 0 };
    if (isNew) return end;
    return this.#historyDiffers(history, this.#settled, this.#history.length, changed) ? end : undefined;
  }

  #historyDiffers(
    history: readonly ItemState[],
    from: number,
    to: number,
    changed: ReadonlySet<ItemState>,
  ): boolean {
    for (let index = from; index < to; index++) {
      const state = this.#history[index];
      if (state === undefined || state !== history[index] || changed.has(state)) return true;
    }
    return false;
  }

  /** Something among the active files is new or different; the files before it stay, unless history moves ahead. */
  #reorderActive(position: number, present: readonly ItemState[]): void {
    const before = (this.#sections[ACTIVE] ?? []).slice(0, position);
    this.#sentAgain += tokensOf(this.#history.slice(this.#settled));
    if (this.#sentAgain < RESEND_FACTOR * tokensOf(before)) {
      this.#replaceFrom(ACTIVE, position, present);
      return;
    }
    const isOpen = this.#settled === 0;
    this.#settleHistory();
    // As long as no history follows them, files that have lasted can join L3 at its end.
    if (isOpen) this.#replaceFrom(L3, this.#sections[L3]?.length ?? 0, present);
    else this.#replaceFrom(ACTIVE, 0, present);
  }

  #settleHistory(): void {
    this.#settled = countWholeExchanges(this.#history, this.#history.length);
    this.#sentAgain = 0;
  }

  /** Orders everything anew that does not stand before this place. */
  #replaceFrom(section: number, position: number, present: readonly ItemState[]): void {
    const kept = this.#sections.map((items, index) => {
      if (index > section) return [];
      return index < section ? items : items.slice(0, position);
    });
    const staying = new Set<ItemState>();
    for (const items of kept) for (const state of items) staying.add(state);
    const free = present.filter((state) => !staying.has(state));
    // Symbols of a tier are one text, sorted by path wherever they come from.
    const symbols = free.filter(({ kind }) => kind === 'symbol');
    const files = free.filter(({ kind }) => kind === 'file');
    for (const state of files) state.rank = this.#weight(state);
    files.sort((a, b) => difference(a.rank, b.rank) || (a.key < b.key ? -1 : 1));
    for (const state of [...symbols, ...files])
      kept[Math.max(section, TIERS.indexOf(state.tier))]?.push(state);
    this.#sections = kept;
    for (const [index, items] of kept.entries()) {
      for (const [place, state] of items.entries()) {
        state.sentIn = TIERS[index] as Tier;
        state.rank = place;
      }
    }
  }

  /**
   * What changes often and is small goes last. New items are ordered by path: so they were sent if they came with the last
   * request.
   */
  #weight(state: ItemState): number {
    if (state.sentIn === undefined) return Number.POSITIVE_INFINITY;
    return this.#chances.of(state) / Math.max(1, state.tokens);
  }

  #placeMarks(isFirst = false): void {
    const { slots, versions, ends } = layOutSlots({
      sections: this.#sections,
      history: this.#history,
      settled: this.#settled,
      chances: this.#chances,
    });
    const same = isFirst ? versions.length : firstDifference(this.#versions, versions);
    const old = this.#cached;
    this.#cached = new Set(
      slots.flatMap(({ key }, index) => ((ends[index] ?? 0) <= same && old.has(key) ? [key] : [])),
    );
    this.#marks = chooseMarkers(slots, this.#cached);
    this.#versions = versions;
  }
}

/** Of two numbers, of which both may be infinite. */
function difference(a: number, b: number): number {
  return a === b ? 0 : a - b;
}

function tokensOf(states: readonly ItemState[]): number {
  return states.reduce((sum, { tokens }) => sum + tokens, 0);
}

function firstDifference(before: readonly unknown[], after: readonly unknown[]): number {
  let index = 0;
  while (index < before.length && index < after.length && before[index] === after[index]) index++;
  return index;
}
