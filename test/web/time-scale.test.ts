import fc from 'fast-check';
import { expect, test } from 'vitest';
import { followWindow, moveWindow, timeTicks, windowAround, zoomWindow } from '../../web/src/project/time-scale.ts';

const DAY = 86_400_000;
const WHOLE = { from: 0, to: 100 * DAY };

test('the window stays within the whole, however it is zoomed and moved', () => {
  const step = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    by: fc.double({ min: 0.1, max: 5, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      let window = WHOLE;
      for (const { at, by } of steps) {
        const place = window.from + at * (window.to - window.from);
        window = by > 3 ? moveWindow(window, by - 4, WHOLE) : zoomWindow(window, place, by, WHOLE);
        expect(window.from).toBeGreaterThanOrEqual(WHOLE.from);
        expect(window.to).toBeLessThanOrEqual(WHOLE.to + 1);
        expect(window.to - window.from).toBeGreaterThanOrEqual(299_999);
      }
    }),
  );
});

test('zooming keeps the point under the pointer in place', () => {
  const window = zoomWindow(WHOLE, WHOLE.to / 4, 0.5, WHOLE);
  expect((WHOLE.to / 4 - window.from) / (window.to - window.from)).toBeCloseTo(0.25);
});

test('windowAround leaves room on both sides', () => {
  const window = windowAround(10 * DAY, 12 * DAY, WHOLE);
  expect(window).toEqual({ from: 9.5 * DAY, to: 12.5 * DAY });
  expect(windowAround(10 * DAY, 10 * DAY, WHOLE).from).toBeLessThan(10 * DAY);
});

test('a window of everything grows with it; a smaller one stays', () => {
  const longer = { from: 0, to: 101 * DAY };
  expect(followWindow(WHOLE, WHOLE, longer)).toBe(longer);
  const window = { from: 3 * DAY, to: 5 * DAY };
  expect(followWindow(window, WHOLE, longer)).toEqual(window);
});

test('ticks are few, ordered, within the window and unique, from minutes to centuries', () => {
  const length = fc.double({ min: Math.log(5 * 60_000), max: Math.log(300 * 365 * DAY), noNaN: true });
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 2_000_000_000_000 }),
      length,
      fc.integer({ min: 2, max: 20 }),
      (from, log, most) => {
        const window = { from, to: from + Math.exp(log) };
        const ticks = timeTicks(window, most);
        expect(ticks.length).toBeLessThanOrEqual(most + 1);
        const times = ticks.map(({ at }) => at);
        expect(times.every((at) => at >= window.from && at <= window.to)).toBe(true);
        expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
        // Adjacent ticks never look the same.
        const names = ticks.map(({ name, context = '' }) => `${context} ${name}`);
        for (const [index, name] of names.entries()) expect(name).not.toBe(names[index + 1]);
      },
    ),
  );
});

test('tick labels omit what the previous label already says', () => {
  const from = new Date(2026, 10, 3, 22).getTime();
  const ticks = timeTicks({ from, to: from + 5 * 3_600_000 }, 6);
  expect(ticks.map(({ name, context }) => [name, context])).toEqual([
    ['22:00', 'Tue, Nov 3'],
    ['23:00', undefined],
    ['00:00', 'Wed, Nov 4'],
    ['01:00', undefined],
    ['02:00', undefined],
    ['03:00', undefined],
  ]);
  const years = timeTicks({ from: new Date(2019, 5, 1).getTime(), to: new Date(2026, 5, 1).getTime() }, 8);
  expect(years.map(({ name }) => name)).toEqual(['2020', '2021', '2022', '2023', '2024', '2025', '2026']);
});
