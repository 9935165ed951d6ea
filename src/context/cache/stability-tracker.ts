import { YoreError } from '../../record/index.ts';
import { assignInitialTiers, type InitialTierOptions } from './initial-tiers.ts';
import { promote } from './promotion.ts';
import { PromptLayout } from './prompt-layout.ts';
import {
  createItemState,
  ENTRY_N,
  type ItemKey,
  type ItemState,
  type Placement,
  reportTiers,
  type Tier,
  type TierMove,
  type TierReport,
  type TrackedItem,
} from './tiers.ts';

/** How a tracker is made. */
export interface TrackerOptions {
  /** Tokens that a cached tier should hold; 0 means that any amount will do. */
  readonly cacheTargetTokens: number;
}

/** What is known of files besides their content. */
export interface UpdateOptions {
  /** Paths that were changed, whether their hash tells it or not. */
  readonly modified?: readonly string[];
  /** Paths that are no longer in the repository. */
  readonly deleted?: readonly string[];
}

/** What an update did. */
export interface TierChanges {
  readonly moves: readonly TierMove[];
  /** Items that are no longer followed. */
  readonly removed: readonly ItemKey[];
  /** Cached tiers that lost an item because it changed or went. */
  readonly broken: readonly Tier[];
}

/**
 * Follows which parts of a prompt last from request to request, so that what does not change is sent first and cached.
 * Holds nothing but numbers; is not persisted. `tierOf` is the tier that an item has earned; `placement` is where items are
 * sent, which follows the tiers as soon as moving costs nothing.
 */
export class StabilityTracker {
  readonly cacheTargetTokens: number;
  readonly #states = new Map<ItemKey, ItemState>();
  #sent: PromptLayout;
  #moves: readonly TierMove[] = [];
  #isFresh = true;
  #looks = 0;
  /** Tiers that lost an item since the last update. */
  readonly #broken = new Set<Tier>();

  constructor({ cacheTargetTokens }: TrackerOptions) {
    if (!Number.isFinite(cacheTargetTokens) || cacheTargetTokens < 0) {
      throw new YoreError(
        'USAGE',
        `cacheTargetTokens is ${cacheTargetTokens}; give a number of tokens, or 0 for tiers of any size.`,
      );
    }
    this.cacheTargetTokens = cacheTargetTokens;
    this.#sent = new PromptLayout(this.#states);
  }

  /**
   * To be called before each request, with everything that is about to be sent: what the user has selected, changed or
   * dropped since the reply is then placed where it costs least. Leaves N and the tiers of all else alone.
   */
  prepare(items: readonly TrackedItem[], options: UpdateOptions = {}): void {
    this.#isFresh = false;
    const { changed } = this.#take(items, options);
    this.#sent.follow(this.#present(), changed);
  }

  /** To be called once after each reply, with everything that was sent and the reply. */
  update(items: readonly TrackedItem[], options: UpdateOptions = {}): TierChanges {
    this.#isFresh = false;
    this.#sent.commit();
    for (const state of this.#states.values()) state.tierBefore = state.tier;
    const { changed, removed } = this.#take(items, options);
    const present = this.#present();
    for (const state of present) {
      if (!state.isNew) state.n++;
      state.isNew = false;
    }
    const broken = new Set(this.#broken);
    this.#broken.clear();
    promote(present, broken, this.cacheTargetTokens);
    this.#sent.follow(present, changed);
    this.#moves = movesOf(this.#states.values());
    return { moves: this.#moves, removed, broken: [...broken] };
  }

  /** The tier an item has earned; `active` for one that is not known. */
  tierOf(key: ItemKey): Tier {
    return this.#states.get(key)?.tier ?? 'active';
  }

  /** The items of a tier, each with its N. */
  itemsOf(tier: Tier): (TrackedItem & { readonly n: number })[] {
    return this.#present()
      .filter((state) => state.tier === tier)
      .map(({ key, hash, tokens, n }) => ({ key, hash, tokens, n }));
  }

  /** Where items are sent, for the next prompt. */
  placement(): Placement {
    return this.#sent;
  }

  /** Forgets the history, which then counts as new. */
  purgeHistory(): void {
    for (const { key, kind, tier } of this.#states.values()) {
      if (kind !== 'history') continue;
      this.#states.delete(key);
      if (tier !== 'active') this.#broken.add(tier);
    }
    this.#sent.forgetHistory();
  }

  /**
   * Gives items that are not known yet a tier to begin with; the N of each is the least of its tier. Messages are left out.
   * To be called before the first request: later on, new items begin as active ones wherever they are sent.
   */
  placeInitially(items: readonly TrackedItem[], options: InitialTierOptions = {}): void {
    const unknown = items.filter(({ key }) => !this.#states.has(key));
    for (const [item, tier] of assignInitialTiers(unknown, options)) {
      this.#states.set(item.key, { ...createItemState(item), tier, n: ENTRY_N[tier], isNew: false });
    }
    if (this.#isFresh) this.#sent.begin();
  }

  report(): TierReport {
    return reportTiers(this.#present(), this.#moves, (key) => this.#sent.tierOf(key));
  }

  /** Forgets everything. */
  clear(): void {
    this.#states.clear();
    this.#sent = new PromptLayout(this.#states);
    this.#moves = [];
    this.#broken.clear();
    this.#isFresh = true;
  }

  #present(): ItemState[] {
    return [...this.#states.values()].filter((state) => state.present);
  }

  #take(
    items: readonly TrackedItem[],
    { modified = [], deleted = [] }: UpdateOptions,
  ): { changed: ReadonlySet<ItemState>; removed: ItemKey[] } {
    const changed = new Set<ItemState>();
    const gone = new Set(deleted);
    const touched = new Set(modified);
    const look = ++this.#looks;
    for (const item of items) {
      if (gone.size > 0 && gone.has(pathOf(item.key))) continue;
      const state = this.#states.get(item.key) ?? this.#add(item);
      if (state.seenAt === look) continue;
      state.seenAt = look;
      if (this.#refresh(state, item, touched)) changed.add(state);
    }
    return { changed, removed: this.#dropMissing(look, gone) };
  }

  #add(item: TrackedItem): ItemState {
    const state = createItemState(item);
    this.#states.set(item.key, state);
    return state;
  }

  /** Whether the item is another than before. */
  #refresh(state: ItemState, item: TrackedItem, touched: ReadonlySet<string>): boolean {
    state.present = true;
    state.tokens = item.tokens;
    if (state.hash === item.hash && !touched.has(state.path)) return false;
    if (state.tier !== 'active') this.#broken.add(state.tier);
    state.hash = item.hash;
    state.tier = 'active';
    state.n = 0;
    state.changes++;
    state.isNew = true;
    return true;
  }

  /** Symbols are remembered when they are not sent: their file is sent in full. */
  #dropMissing(look: number, gone: ReadonlySet<string>): ItemKey[] {
    const removed: ItemKey[] = [];
    for (const state of this.#states.values()) {
      if (state.seenAt === look) continue;
      if (state.present && state.tier !== 'active') this.#broken.add(state.tier);
      state.present = false;
      state.sentIn = undefined;
      if (state.kind === 'symbol' && !gone.has(state.path)) continue;
      this.#states.delete(state.key);
      removed.push(state.key);
    }
    return removed;
  }
}

function movesOf(states: Iterable<ItemState>): TierMove[] {
  const moves: TierMove[] = [];
  for (const { key, tierBefore, tier } of states) {
    if (tierBefore !== tier) moves.push({ key, from: tierBefore, to: tier });
  }
  return moves;
}

function pathOf(key: ItemKey): string {
  return key.slice(key.indexOf(':') + 1);
}
