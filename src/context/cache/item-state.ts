import type { ItemKey, Tier, TrackedItem } from './tier.ts';

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
export function newState(item: TrackedItem): ItemState {
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
