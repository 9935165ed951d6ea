import type { ModelInfo } from '../tokens/models.ts';

/** Parts of a prompt by how long they have not changed: L0 comes first and is the most stable; `active` is not cached. */
export type Tier = 'L0' | 'L1' | 'L2' | 'L3' | 'active';

/** The tiers that are cached, in the order in which they are sent. */
export const CACHED_TIERS = ['L0', 'L1', 'L2', 'L3'] as const;

/** One of the tiers that are cached. */
export type CachedTier = (typeof CACHED_TIERS)[number];

/** All tiers, in the order in which they are sent. */
export const TIERS: readonly Tier[] = [...CACHED_TIERS, 'active'];

/** N, the requests in a row without a change, from which an item may be in a tier. */
export const ENTRY_N: Readonly<Record<Tier, number>> = { L0: 12, L1: 9, L2: 6, L3: 3, active: 0 };

/** Something whose changes are followed: a file, the symbols of a file, or one message of the history. */
export type ItemKey = `file:${string}` | `symbol:${string}` | `history:${number}`;

/** An item as it stands in one request. */
export interface TrackedItem {
  readonly key: ItemKey;
  /** Anything that differs when the content differs. */
  readonly hash: string;
  readonly tokens: number;
  /** Of a message: does an exchange begin with it? Default: those with an even index do. */
  readonly startsExchange?: boolean;
}

/**
 * A place in a prompt behind which a cache marker may stand: a file, a message of the history, the symbols of a tier, the
 * system message, or the prompt of the user.
 */
export type MarkerKey = ItemKey | `symbols:${Tier}` | 'system' | 'prompt';

/** Where each item of a prompt is sent. */
export interface Placement {
  /** `active` for an item that is not known. */
  tierOf(key: ItemKey): Tier;
  /** Where a file stands among those of its tier, lowest first. Default, and among equals: by path. */
  rankOf?(key: ItemKey): number;
  /** Where the markers are worth most. Default: at the end of each cached tier. */
  readonly markers?: ReadonlySet<MarkerKey> | undefined;
}

/** A placement by lists of keys; what is in none of them is active. */
export function placementOf(tiers: { readonly [tier in Tier]?: readonly ItemKey[] }): Placement {
  const placed = new Map<ItemKey, Tier>();
  for (const [tier, keys] of Object.entries(tiers)) for (const key of keys) placed.set(key, tier as Tier);
  return { tierOf: (key) => placed.get(key) ?? 'active' };
}

/** An item of a tier. */
export interface ReportedItem {
  readonly key: ItemKey;
  /** Requests in a row without a change. */
  readonly n: number;
  readonly tokens: number;
  /** The tier it is sent in: another than it has earned as long as moving it would cost more. */
  readonly sentIn: Tier;
}

/** What a tier holds. */
export interface ReportedTier {
  readonly tokens: number;
  /** Does the provider keep it? False for the active part and for an empty tier. */
  readonly cached: boolean;
  /** The most stable first. */
  readonly items: readonly ReportedItem[];
}

/** An item that went from one tier to another. */
export interface TierMove {
  readonly key: ItemKey;
  readonly from: Tier;
  readonly to: Tier;
}

/** What each tier holds, and what the last update moved. */
export interface TierReport {
  readonly tiers: Readonly<Record<Tier, ReportedTier>>;
  readonly moves: readonly TierMove[];
}

/** Describes the tiers as the items have earned them. */
export function reportTiers(
  states: Iterable<ItemState>,
  moves: readonly TierMove[],
  sentIn: (key: ItemKey) => Tier,
): TierReport {
  const byTier = new Map<Tier, ItemState[]>(TIERS.map((tier) => [tier, []]));
  for (const state of states) byTier.get(state.tier)?.push(state);
  const describe = (tier: Tier): ReportedTier => {
    const items = (byTier.get(tier) ?? []).sort((a, b) => b.n - a.n || (a.key < b.key ? -1 : 1));
    return {
      tokens: items.reduce((sum, { tokens }) => sum + tokens, 0),
      cached: tier !== 'active' && items.length > 0,
      items: items.map(({ key, n, tokens }) => ({ key, n, tokens, sentIn: sentIn(key) })),
    };
  };
  const tiers = Object.fromEntries(TIERS.map((tier) => [tier, describe(tier)]));
  return { tiers: tiers as Record<Tier, ReportedTier>, moves };
}

const MIN_TARGET_TOKENS = 1_024;
const TARGET_MARGIN = 1.1;

/** Tokens that a cached tier should hold for a model: a tenth above the shortest prefix that its provider caches. */
export function defaultCacheTarget(model: Pick<ModelInfo, 'minCacheableTokens'>): number {
  return Math.ceil(Math.max(MIN_TARGET_TOKENS, model.minCacheableTokens) * TARGET_MARGIN);
}

/** What is known of an item between two requests. Changed in place by the tracker alone. */
export interface ItemState {
  readonly key: ItemKey;
  readonly kind: 'file' | 'symbol' | 'history';
  /** Of a file or its symbols; empty for a message. */
  readonly path: string;
  /** Of a message; -1 for others. */
  readonly index: number;
  hash: string;
  tokens: number;
  startsExchange: boolean;
  /** Requests in a row without a change. */
  n: number;
  /** How often it has changed since it is known. */
  changes: number;
  /** Did it come or change since the last update? It then begins with N = 0 at the next. */
  isNew: boolean;
  /** The tier it has earned. */
  tier: Tier;
  /** The tier it had before the present update. */
  tierBefore: Tier;
  /** Is it in the present request? Symbols are remembered while their file is sent in full. */
  present: boolean;
  /** The tier it is sent in; undefined before it was sent. */
  sentIn: Tier | undefined;
  /** Where it stands among the items of that tier. */
  rank: number;
  /** The last look at the items of a request in which it was there. */
  seenAt: number;
}

/** An item that was not known before: active, N = 0. */
export function createItemState(item: TrackedItem): ItemState {
  const colon = item.key.indexOf(':');
  const name = item.key.slice(colon + 1);
  const kind = item.key.slice(0, colon) as ItemState['kind'];
  const index = kind === 'history' ? Number(name) : -1;
  return {
    key: item.key,
    kind,
    path: kind === 'history' ? '' : name,
    index,
    hash: item.hash,
    tokens: item.tokens,
    startsExchange: item.startsExchange ?? index % 2 === 0,
    n: 0,
    changes: 0,
    isNew: true,
    tier: 'active',
    tierBefore: 'active',
    present: true,
    sentIn: undefined,
    rank: 0,
    seenAt: 0,
  };
}
