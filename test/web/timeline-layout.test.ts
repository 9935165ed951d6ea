import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TimelineSession } from '../../src/server/rpc/api.ts';
import { clusterItems, countBins, packBars, timelineItems } from '../../web/src/project/timeline-layout.ts';

const times = fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 60 });
const spans = fc.array(fc.tuple(fc.integer({ min: 0, max: 5_000 }), fc.integer({ min: 0, max: 500 })), {
  maxLength: 60,
});

const session = (from: number, to: number, marks: TimelineSession['marks'] = []): TimelineSession => ({
  sessionId: `s${from}`,
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
  preview: '',
  failures: 0,
  marks,
});

test('clusters never overlap, and each item is in one cluster', () => {
  fc.assert(
    fc.property(times, fc.double({ min: 0.01, max: 3, noNaN: true }), (list, scale) => {
      const items = list.sort((a, b) => a - b).map((at) => ({ at, weight: 1 }));
      const clusters = clusterItems(items, (time) => time * scale);
      expect(clusters.flatMap((cluster) => cluster.items)).toEqual(items);
      for (const [index, { x, half, count, items: joined }] of clusters.entries()) {
        expect(count).toBe(joined.length);
        const next = clusters[index + 1];
        if (next !== undefined) expect(next.x - next.half).toBeGreaterThanOrEqual(x + half);
      }
    }),
  );
});

test('sessions in the same row never overlap', () => {
  fc.assert(
    fc.property(spans, (list) => {
      const sorted = list
        .sort(([a], [b]) => a - b)
        .map(([from, length]) => ({ session: session(from, from + length), from, to: from + length }));
      const bars = packBars(sorted, (time) => time / 10, 1000) ?? [];
      expect(bars).toHaveLength(list.length);
      for (const bar of bars)
        for (const other of bars)
          if (bar !== other && bar.row === other.row)
            expect(bar.x + bar.width <= other.x || other.x + other.width <= bar.x).toBe(true);
    }),
  );
});

test('sessions that do not fit into the rows are counted', () => {
  const many = Array.from({ length: 10 }, () => ({ session: session(0, 900), from: 0, to: 900 }));
  expect(packBars(many, (time) => time, 9)).toBeUndefined();
  const counted = many.map(({ from }) => ({ from, weight: 1 }));
  expect(countBins([...counted, { from: 1500, weight: 7 }], 1000)).toEqual([
    { from: 0, to: 1000, count: 10 },
    { from: 1000, to: 2000, count: 7 },
  ]);
});

test('a resolution belongs to the failure of its own session, even if another session has the same id', () => {
  const marks = (at: number): TimelineSession['marks'] => [
    { type: 'failure', id: 'failure-0', at: new Date(at).toISOString(), text: 'failed' },
    { type: 'resolution', id: 'r', at: new Date(at + 5).toISOString(), text: 'works', resolves: 'failure-0' },
  ];
  const { lanes } = timelineItems([session(0, 10, marks(0)), session(100, 110, marks(100))], []);
  expect(lanes.resolution.map(({ failedAt }) => failedAt)).toEqual([0, 100]);
});

test('days before the fetched sessions are shown as counts', () => {
  const day = (name: string) => ({ day: name, sessions: 2, failures: 3, successes: 1, commits: 0 });
  const from = Date.parse('2026-03-05T08:00:00Z');
  const { otherDays, lanes } = timelineItems(
    [session(from, from + 1000)],
    [day('2026-03-01'), day('2026-03-05'), day('2026-03-06')],
  );
  expect(otherDays.map(({ day: name }) => name)).toEqual(['2026-03-01']);
  expect(lanes.failure.map(({ weight }) => weight)).toEqual([3]);
  expect(lanes.commit).toEqual([]);
});
