import fc from 'fast-check';
import { expect, it } from 'vitest';
import { StabilityTracker } from '../../../src/context/cache/stability-tracker.ts';
import {
  type ItemKey,
  MIN_UNCHANGED_REQUESTS,
  TIERS,
  type Tier,
  type TrackedItem,
} from '../../../src/context/cache/tiers.ts';

interface Request {
  readonly files: readonly { readonly name: string; readonly version: number }[];
  readonly exchanges: number;
  readonly isPurged: boolean;
}

const request: fc.Arbitrary<Request> = fc.record({
  files: fc.uniqueArray(
    fc.record({
      name: fc.constantFrom('file:a', 'file:b', 'file:c', 'file:d', 'symbol:e', 'symbol:f'),
      version: fc.constantFrom(1, 1, 1, 1, 1, 1, 2),
    }),
    { selector: ({ name }) => name, minLength: 2 },
  ),
  exchanges: fc.nat(3),
  isPurged: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
});
// Repeats each request, so that items are stable long enough to move.
const requests = fc
  .array(fc.tuple(request, fc.integer({ min: 1, max: 9 })), { minLength: 1, maxLength: 8 })
  .map((list) => list.flatMap(([each, times]) => Array.from({ length: times }, () => each)));
const target = fc.constantFrom(0, 500, 1_126);

function itemsOf({ files, exchanges }: Request): TrackedItem[] {
  const named = files.map(({ name, version }) => ({
    key: name as ItemKey,
    hash: `${version}`,
    tokens: 100 + (name.charCodeAt(name.length - 1) % 5) * 400,
  }));
  const messages = Array.from({ length: exchanges * 2 }, (_, index) => ({
    key: `history:${index}` as const,
    hash: `${index}`,
    tokens: 150 * (1 + (index % 4)),
  }));
  return [...named, ...messages];
}

/** Plays requests and yields the state before each and its changes. */
function play(
  list: readonly Request[],
  cacheTargetTokens: number,
  check: (step: {
    tracker: StabilityTracker;
    items: readonly TrackedItem[];
    before: ReadonlyMap<ItemKey, Tier>;
    changes: ReturnType<StabilityTracker['update']>;
  }) => void,
): void {
  const tracker = new StabilityTracker({ cacheTargetTokens });
  for (const each of list) {
    const { tiers } = tracker.report();
    const before = new Map(TIERS.flatMap((tier) => tiers[tier].items.map(({ key }) => [key, tier] as const)));
    if (each.isPurged) tracker.purgeHistory();
    const items = itemsOf(each);
    tracker.prepare(items);
    check({ tracker, items, before, changes: tracker.update(items) });
  }
}

it('promotes by one step, not before the count that the tier requires, and only into tiers that are rewritten', () => {
  fc.assert(
    fc.property(requests, target, (list, cacheTargetTokens) => {
      play(list, cacheTargetTokens, ({ tracker, before, changes }) => {
        const ups = changes.moves.filter(({ from, to }) => TIERS.indexOf(to) < TIERS.indexOf(from));
        for (const { key, from, to } of ups) {
          expect(TIERS.indexOf(from) - TIERS.indexOf(to)).toBe(1);
          const count = tracker.itemsOf(to).find((each) => each.key === key)?.unchangedRequests ?? -1;
          expect(count).toBeGreaterThanOrEqual(MIN_UNCHANGED_REQUESTS[to]);
          const tiersBefore = [...before.values()];
          // Rewritten: it or an earlier tier lost an item, or an earlier empty tier gained one.
          const isRewritten = TIERS.slice(0, TIERS.indexOf(to) + 1).some(
            (tier) =>
              changes.broken.includes(tier) ||
              changes.moves.some((move) => move.from === tier) ||
              (!tiersBefore.includes(tier) && changes.moves.some((move) => move.to === tier)),
          );
          expect(isRewritten || !tiersBefore.includes(to)).toBe(true);
        }
      });
    }),
    { numRuns: 100 },
  );
});

it('keeps history in L3 or active, in whole exchanges, the newest tokens active', () => {
  fc.assert(
    fc.property(requests, target, (list, cacheTargetTokens) => {
      play(list, cacheTargetTokens, ({ tracker, items, changes }) => {
        const history = items.filter(({ key }) => key.startsWith('history:'));
        const tiers = history.map(({ key }) => tracker.tierOf(key));
        for (const tier of tiers) expect(['L3', 'active']).toContain(tier);
        const graduated = changes.moves.filter(({ key, to }) => key.startsWith('history:') && to === 'L3');
        if (graduated.length === 0) return;
        expect(tiers.lastIndexOf('L3') % 2).toBe(1);
        const kept = history.filter((_, index) => tiers[index] === 'active');
        expect(kept.reduce((sum, { tokens }) => sum + tokens, 0)).toBeGreaterThanOrEqual(cacheTargetTokens);
      });
    }),
    { numRuns: 100 },
  );
});

it('sends every item once, none above its earned tier, history at most in L3', () => {
  fc.assert(
    fc.property(requests, target, (list, cacheTargetTokens) => {
      play(list, cacheTargetTokens, ({ tracker, items, changes }) => {
        const placement = tracker.placement();
        const moved = new Set(changes.moves.map(({ key }) => key));
        for (const { key } of items) {
          const sent = TIERS.indexOf(placement.tierOf(key));
          if (key.startsWith('history:')) expect(sent).toBeGreaterThanOrEqual(TIERS.indexOf('L3'));
          // A thin tier is demoted; its items are sent where they were until something else changes.
          else if (!moved.has(key) && tracker.tierOf(key) === 'active') expect(TIERS[sent]).toBe('active');
        }
        const sentHistory = items.filter(({ key }) => key.startsWith('history:') && placement.tierOf(key) === 'L3');
        expect(sentHistory.length % 2).toBe(0);
        expect(placement.markers?.size ?? 0).toBeLessThanOrEqual(4);
      });
    }),
    { numRuns: 100 },
  );
});

it('moves nothing when nothing has changed', () => {
  fc.assert(
    fc.property(requests, target, request, (list, cacheTargetTokens, last) => {
      const tracker = new StabilityTracker({ cacheTargetTokens });
      for (const each of [...list, last]) tracker.update(itemsOf(each));
      const items = itemsOf(last);
      const order = () => items.map(({ key }) => [tracker.placement().tierOf(key), tracker.placement().rankOf?.(key)]);
      const before = order();
      for (let times = 0; times < 15; times++) {
        tracker.prepare(items);
        tracker.update(items);
        expect(order()).toEqual(before);
      }
    }),
    { numRuns: 100 },
  );
});
