import { YoreError } from '../../record/index.ts';
import { getOrAdd } from '../../record/once.ts';
import { assignInitialTiers, type InitialTierOptions } from './initial-tiers.ts';
import { promote } from './promotion.ts';
import { PromptLayout } from './prompt-layout.ts';
import {
  createItemState,
  type ItemKey,
  type ItemState,
  MIN_UNCHANGED_REQUESTS,
  nameOfKey,
  type Placement,
  reportTiers,
  type Tier,
  type TierMove,
  type TierReport,
  type TrackedItem,
} from './tiers.ts';

/** Options of a {@link StabilityTracker}. */
export interface TrackerOptions {
  /** Tokens that a cached tier should hold; 0 allows tiers of any size. */
  readonly cacheTargetTokens: number;
}

/** What is known about files besides their content. */
export interface UpdateOptions {
  /** Paths that were changed, even if their hash is the same. */
  readonly modified?: readonly string[];
  /** Paths that are no longer in the repository. */
  readonly deleted?: readonly string[];
}

/** The effects of an update. */
export interface TierChanges {
  readonly moves: readonly TierMove[];
  /** Items that are no longer tracked. */
  readonly removed: readonly ItemKey[];
  /** Cached tiers that lost an item because it changed or was removed. */
  readonly broken: readonly Tier[];
}

/**
 * Tracks which parts of a prompt stay the same from request to request, so that they are sent first and cached. Keeps only
 * hashes and counters, and is never persisted. `tierOf` is the tier that an item has earned; `placement` is where items
 * are sent, which follows the tiers as soon as moving costs nothing.
 */
export class StabilityTracker {
  readonly cacheTargetTokens: number;
  readonly #states = new Map<ItemKey, ItemState>();
  #layout: PromptLayout;
  #moves: readonly TierMove[] = [];
  #isFresh = true;
  #scans = 0;
  /** Tiers that lost an item since the last update. */
  readonly #broken = new Set<Tier>();

  constructor({ cacheTargetTokens }: TrackerOptions) {
    if (!Number.isFinite(cacheTargetTokens) || cacheTargetTokens < 0) {
      throw new YoreError(
        'USAGE',
        `cacheTargetTokens is ${cacheTargetTokens}. Give a number of tokens, or 0 for tiers of any size.`,
      );
    }
    this.cacheTargetTokens = cacheTargetTokens;
    this.#layout = new PromptLayout(this.#states);
  }

  /**
   * Call before each request, with everything that is about to be sent: what was added, changed or dropped since the last
   * reply is then placed where it costs least. Does not count as a request: other items keep their counts and tiers.
   */
  prepare(items: readonly TrackedItem[], options: UpdateOptions = {}): void {
    this.#isFresh = false;
    const { changed } = this.#scan(items, options);
    this.#layout.update(this.#presentItems(), changed);
  }

  /** Call once after each reply, with everything that was sent and the reply. */
  update(items: readonly TrackedItem[], options: UpdateOptions = {}): TierChanges {
    this.#isFresh = false;
    this.#layout.commit();
    for (const state of this.#states.values()) state.tierBefore = state.tier;
    const { changed, removed } = this.#scan(items, options);
    const present = this.#presentItems();
    for (const state of present) {
      if (!state.isNew) state.unchangedRequests++;
      state.isNew = false;
    }
    const broken = new Set(this.#broken);
    this.#broken.clear();
    promote(present, broken, this.cacheTargetTokens);
    this.#layout.update(present, changed);
    this.#moves = [...this.#states.values()]
      .filter(({ tierBefore, tier }) => tierBefore !== tier)
      .map(({ key, tierBefore, tier }) => ({ key, from: tierBefore, to: tier }));
    return { moves: this.#moves, removed, broken: [...broken] };
  }

  /** The tier an item has earned; `active` for an unknown one. */
  tierOf(key: ItemKey): Tier {
    return this.#states.get(key)?.tier ?? 'active';
  }

  /** The items of a tier, each with its count of unchanged requests. */
  itemsOf(tier: Tier): (TrackedItem & { readonly unchangedRequests: number })[] {
    return this.#presentItems()
      .filter((state) => state.tier === tier)
      .map(({ key, hash, tokens, unchangedRequests }) => ({ key, hash, tokens, unchangedRequests }));
  }

  /** Where items are sent in the next prompt. */
  placement(): Placement {
    return this.#layout;
  }

  /** Forgets the history, which then counts as new. */
  purgeHistory(): void {
    for (const { key, kind, tier } of this.#states.values()) {
      if (kind !== 'history') continue;
      this.#states.delete(key);
      if (tier !== 'active') this.#broken.add(tier);
    }
    this.#layout.forgetHistory();
  }

  /**
   * Gives unknown items an initial tier, with the lowest count that this tier takes. Messages are skipped. Call it before
   * the first request: later on, new items start as active wherever they are sent.
   */
  placeInitially(items: readonly TrackedItem[], options: InitialTierOptions = {}): void {
    const unknown = items.filter(({ key }) => !this.#states.has(key));
    for (const [item, tier] of assignInitialTiers(unknown, options)) {
      this.#states.set(item.key, {
        ...createItemState(item),
        tier,
        unchangedRequests: MIN_UNCHANGED_REQUESTS[tier],
        isNew: false,
      });
    }
    if (this.#isFresh) this.#layout.begin();
  }

  report(): TierReport {
    return reportTiers(this.#presentItems(), this.#moves, (key) => this.#layout.tierOf(key));
  }

  clear(): void {
    this.#states.clear();
    this.#layout = new PromptLayout(this.#states);
    this.#moves = [];
    this.#broken.clear();
    this.#isFresh = true;
  }

  #presentItems(): ItemState[] {
    return [...this.#states.values()].filter((state) => state.isPresent);
  }

  #scan(
    items: readonly TrackedItem[],
    { modified = [], deleted = [] }: UpdateOptions,
  ): { changed: ReadonlySet<ItemState>; removed: ItemKey[] } {
    const changed = new Set<ItemState>();
    const deletedPaths = new Set(deleted);
    const modifiedPaths = new Set(modified);
    const scan = ++this.#scans;
    for (const item of items) {
      if (deletedPaths.size > 0 && deletedPaths.has(nameOfKey(item.key))) continue;
      const state = getOrAdd(this.#states, item.key, () => createItemState(item));
      if (state.lastScan === scan) continue;
      state.lastScan = scan;
      if (this.#refresh(state, item, modifiedPaths)) changed.add(state);
    }
    return { changed, removed: this.#dropMissing(scan, deletedPaths) };
  }

  /** Returns whether the item has changed. */
  #refresh(state: ItemState, item: TrackedItem, modifiedPaths: ReadonlySet<string>): boolean {
    state.isPresent = true;
    state.tokens = item.tokens;
    if (state.hash === item.hash && !modifiedPaths.has(state.path)) return false;
    if (state.tier !== 'active') this.#broken.add(state.tier);
    state.hash = item.hash;
    state.tier = 'active';
    state.unchangedRequests = 0;
    state.changes++;
    state.isNew = true;
    return true;
  }

  /** Symbols that are missing are remembered, because their file may be sent in full for a while. */
  #dropMissing(scan: number, deletedPaths: ReadonlySet<string>): ItemKey[] {
    const removed: ItemKey[] = [];
    for (const state of this.#states.values()) {
      if (state.lastScan === scan) continue;
      if (state.isPresent && state.tier !== 'active') this.#broken.add(state.tier);
      state.isPresent = false;
      state.sentIn = undefined;
      if (state.kind === 'symbol' && !deletedPaths.has(state.path)) continue;
      this.#states.delete(state.key);
      removed.push(state.key);
    }
    return removed;
  }
}
