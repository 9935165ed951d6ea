import { compareText } from '../../text/compare-text.ts';
import type { ModelInfo } from '../tokens/models.ts';

/** Parts of a prompt by how long they have been unchanged. L0 is the most stable and sent first; `active` is not cached. */
export type Tier = 'L0' | 'L1' | 'L2' | 'L3' | 'active';

/** The cached tiers, in the order in which they are sent. */
export const CACHED_TIERS = ['L0', 'L1', 'L2', 'L3'] as const;

/** A tier that is cached. */
export type CachedTier = (typeof CACHED_TIERS)[number];

/** All tiers, in the order in which they are sent. */
export const TIERS: readonly Tier[] = [...CACHED_TIERS, 'active'];

/** How many consecutive requests an item must have been unchanged for before it may enter a tier. */
export const MIN_UNCHANGED_REQUESTS: Readonly<Record<Tier, number>> = { L0: 12, L1: 9, L2: 6, L3: 3, active: 0 };

/** Something whose changes are tracked: a file, the symbols of a file, or one message of the history. */
export type ItemKey = `file:${string}` | `symbol:${string}` | `history:${number}`;

/** An item as it is in one request. */
export interface TrackedItem {
  readonly key: ItemKey;
  /** Any string that differs when the content differs. */
  readonly hash: string;
  readonly tokens: number;
  /** For a message: whether an exchange begins with it. Default: true for an even index. */
  readonly startsExchange?: boolean;
}

/**
 * A place in a prompt after which a cache marker may be set: a file, a message of the history, the symbols of a tier, the
 * system message, or the user's prompt.
 */
export type MarkerKey = ItemKey | `symbols:${Tier}` | 'system' | 'prompt';

/** Where each item of a prompt is sent. */
export interface Placement {
  /** `active` for an unknown item. */
  tierOf(key: ItemKey): Tier;
  /** The position of a file within its tier, lowest first. Files without a rank, or with equal ranks, are sorted by path. */
  rankOf?(key: ItemKey): number;
  /** Where cache markers save the most. Default: at the end of each cached tier. */
  readonly markers?: ReadonlySet<MarkerKey> | undefined;
}

/** Creates a placement from lists of keys; items in none of them are active. */
export function placementOf(tiers: { readonly [tier in Tier]?: readonly ItemKey[] }): Placement {
  const placed = new Map<ItemKey, Tier>();
  for (const [tier, keys] of Object.entries(tiers)) for (const key of keys) placed.set(key, tier as Tier);
  return { tierOf: (key) => placed.get(key) ?? 'active' };
}

const MIN_TARGET_TOKENS = 1_024;
const TARGET_MARGIN = 1.1;

/** Tokens that a cached tier should hold for a model: a tenth more than the shortest prefix its provider caches. */
export function defaultCacheTarget(model: Pick<ModelInfo, 'minCacheableTokens'>): number {
  return Math.ceil(Math.max(MIN_TARGET_TOKENS, model.minCacheableTokens) * TARGET_MARGIN);
}

/** The state of an item between requests. Only the tracker and the layout change it. */
export interface ItemState {
  readonly key: ItemKey;
  readonly kind: 'file' | 'symbol' | 'history';
  /** The path of a file or its symbols; empty for a message. */
  readonly path: string;
  /** The index of a message; -1 for other items. */
  readonly index: number;
  hash: string;
  tokens: number;
  startsExchange: boolean;
  /** Consecutive requests without a change. */
  unchangedRequests: number;
  /** How often it has changed so far. */
  changes: number;
  /** Whether it was added or changed since the last update; the next update then starts its count at 0. */
  isNew: boolean;
  /** The tier it has earned. */
  tier: Tier;
  /** The tier it had before the current update. */
  tierBefore: Tier;
  /** Whether it is in the current request. Symbols are remembered while their file is sent in full. */
  isPresent: boolean;
  /** The tier it is sent in; undefined before it was sent. */
  sentIn: Tier | undefined;
  /** Its position in that tier. */
  rank: number;
  /** The number of the last scan that found it. */
  lastScan: number;
}

/** The state of a new item: active, and not yet counted as unchanged. */
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
    unchangedRequests: 0,
    changes: 0,
    isNew: true,
    tier: 'active',
    tierBefore: 'active',
    isPresent: true,
    sentIn: undefined,
    rank: 0,
    lastScan: 0,
  };
}

/** The path of a file or symbol key; the index of a message key. */
export function nameOfKey(key: ItemKey): string {
  return key.slice(key.indexOf(':') + 1);
}

/** Tokens of all items together. */
export function sumTokens(items: readonly { readonly tokens: number }[]): number {
  return items.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** An item in a {@link TierReport}. */
export interface ReportedItem {
  readonly key: ItemKey;
  /** Consecutive requests without a change. */
  readonly unchangedRequests: number;
  readonly tokens: number;
  /** The tier it is sent in. It differs from the tier it has earned as long as moving it would cost more. */
  readonly sentIn: Tier;
}

/** The content of a tier. */
export interface ReportedTier {
  readonly tokens: number;
  /** Whether the provider caches it: false for `active` and for an empty tier. */
  readonly cached: boolean;
  /** The most stable first. */
  readonly items: readonly ReportedItem[];
}

/** An item that moved to another tier. */
export interface TierMove {
  readonly key: ItemKey;
  readonly from: Tier;
  readonly to: Tier;
}

/** The content of each tier, and the moves of the last update. */
export interface TierReport {
  readonly tiers: Readonly<Record<Tier, ReportedTier>>;
  readonly moves: readonly TierMove[];
}

/** Reports items under the tiers they have earned. */
export function reportTiers(
  states: readonly ItemState[],
  moves: readonly TierMove[],
  sentIn: (key: ItemKey) => Tier,
): TierReport {
  const describe = (tier: Tier): ReportedTier => {
    const items = states
      .filter((state) => state.tier === tier)
      .sort((a, b) => b.unchangedRequests - a.unchangedRequests || compareText(a.key, b.key));
    return {
      tokens: sumTokens(items),
      cached: tier !== 'active' && items.length > 0,
      items: items.map(({ key, unchangedRequests, tokens }) => ({
        key,
        unchangedRequests,
        tokens,
        sentIn: sentIn(key),
      })),
    };
  };
  const tiers = Object.fromEntries(TIERS.map((tier) => [tier, describe(tier)]));
  return { tiers: tiers as Record<Tier, ReportedTier>, moves };
}

/** The files and messages of a tier in a prompt that was sent. */
export interface SentTier {
  readonly tokens: number;
  readonly items: number;
  /** Whether the provider was asked to cache it: false for `active`, an empty tier, and a prompt that is too short. */
  readonly cached: boolean;
}

/** Reports where the items of a prompt were placed. `hasMarkers`: whether the prompt has cache markers. */
export function reportSentTiers(
  items: readonly TrackedItem[],
  placement: Placement,
  hasMarkers: boolean,
): Readonly<Record<Tier, SentTier>> {
  const entries = TIERS.map((tier) => {
    const placed = items.filter(({ key }) => placement.tierOf(key) === tier);
    const cached = hasMarkers && tier !== 'active' && placed.length > 0;
    return [tier, { tokens: sumTokens(placed), items: placed.length, cached }] as const;
  });
  return Object.fromEntries(entries) as Record<Tier, SentTier>;
}
