import type { MarkKey } from './placement.ts';

/** A piece of a prompt in the order in which it is sent, as far as its cost goes. */
export interface Slot {
  readonly key: MarkKey;
  readonly tokens: number;
  /** That it differs in the next request. */
  readonly chance: number;
  /** May a marker stand behind it? */
  readonly markable: boolean;
}

/** How many markers a prompt may carry. */
export const MOST_MARKERS = 4;
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
export function chooseMarks(slots: readonly Slot[], cached: ReadonlySet<MarkKey>): Set<MarkKey> {
  const search = new MarkSearch(slots, cached);
  while (search.room > 0) {
    const best = search.best();
    if (best === undefined) break;
    search.mark(best);
  }
  search.reachCached();
  search.refreshCached();
  return search.keys();
}

class MarkSearch {
  readonly #slots: readonly Slot[];
  /** Tokens up to the end of each slot. */
  readonly #ends: number[] = [];
  /** Chance that the first change is in a slot before this one; one more than there are slots. */
  readonly #brokenBefore: number[] = [0];
  /** The last slot that is in the cache now; -1 when none is. */
  readonly #hit: number;
  /** Slots that can be read by the next request, in order. */
  readonly #readable: number[];
  readonly #marked = new Set<number>();

  constructor(slots: readonly Slot[], cached: ReadonlySet<MarkKey>) {
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
    return MOST_MARKERS - this.#marked.size - (this.#reachesCached() ? 0 : 1);
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
    if (this.#marked.size >= MOST_MARKERS) return;
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

  keys(): Set<MarkKey> {
    return new Set([...this.#marked].sort((a, b) => a - b).map((index) => (this.#slots[index] as Slot).key));
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
