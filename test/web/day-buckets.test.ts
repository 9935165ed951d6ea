import fc from 'fast-check';
import { expect, test } from 'vitest';
import { axisSteps, dayBuckets, isWeekly } from '../../web/src/project/day-buckets.ts';

const buckets = (days: readonly string[]) => dayBuckets(days, (day) => day);

test('days without items are included', () => {
  const found = buckets(['2026-02-26', '2026-03-02', '2026-03-02']);
  expect(found.slice(-5).map(({ name, items }) => [name, items.length])).toEqual([
    ['Feb 26', 1],
    ['Feb 27', 0],
    ['Feb 28', 0],
    ['Mar 1', 0],
    ['Mar 2', 2],
  ]);
  expect(isWeekly(found)).toBe(false);
  expect(buckets([])).toEqual([]);
  expect(buckets(['no day'])).toEqual([]);
});

test('the days that were asked for are all there, also those before the first item and after the last', () => {
  const found = dayBuckets(['2026-11-05', 'no day'], (day) => day, { from: '2026-10-20', to: '2026-11-18' });
  expect(found).toHaveLength(30);
  expect(found[0]).toMatchObject({ from: '2026-10-20', items: [] });
  expect(found.at(-1)).toMatchObject({ from: '2026-11-18', items: [] });
  expect(found.filter(({ items }) => items.length > 0).map(({ from }) => from)).toEqual(['2026-11-05']);
});

test('a long time is split into weeks that start on Mondays', () => {
  const found = buckets(['2025-12-31', '2026-11-15']);
  expect(isWeekly(found)).toBe(true);
  expect(found[0]).toMatchObject({ from: '2025-12-29', to: '2026-01-04', name: 'Dec 29, 2025 – Jan 4' });
  expect(found.at(-1)).toMatchObject({ from: '2026-11-09', to: '2026-11-15', name: 'Nov 9 – Nov 15' });
});

test('the number of buckets is bounded, and they are consecutive', () => {
  const day = fc.integer({ min: 0, max: 20_000 }).map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10));
  fc.assert(
    fc.property(fc.array(day, { minLength: 1, maxLength: 20 }), (days) => {
      const found = buckets(days);
      expect(found.length).toBeGreaterThanOrEqual(21);
      expect(found.length).toBeLessThanOrEqual(156);
      for (const [index, { to }] of found.entries()) {
        const next = found[index + 1];
        if (next !== undefined) expect(Date.parse(next.from) - Date.parse(to)).toBe(86_400_000);
      }
      const last = days.toSorted().at(-1) ?? '';
      expect(found.at(-1)?.items).toContain(last);
    }),
  );
});

test('axis steps are round, few and reach the highest bar', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000_000 }), (highest) => {
      const steps = axisSteps(highest);
      expect(steps.length).toBeLessThanOrEqual(6);
      expect(steps.at(-1)).toBeGreaterThanOrEqual(highest);
      expect(steps.every(Number.isInteger)).toBe(true);
    }),
  );
  expect(axisSteps(19)).toEqual([0, 5, 10, 15, 20]);
  expect(axisSteps(1)).toEqual([0, 1]);
});
