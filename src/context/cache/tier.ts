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
