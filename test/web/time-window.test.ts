import fc from 'fast-check';
import { expect, test } from 'vitest';
import { filledDays } from '../../web/src/project/days.ts';
import { moved, ticks, zoomed } from '../../web/src/project/time-window.ts';

const WHOLE = { from: 0, to: 100 * 86_400_000 };

test('however the axis is zoomed and moved, it stays within the project', () => {
  const step = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    by: fc.double({ min: 0.1, max: 5, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      let window = WHOLE;
      for (const { at, by } of steps) {
        const around = window.from + at * (window.to - window.from);
        window = by > 3 ? moved(window, by - 4, WHOLE) : zoomed(window, around, by, WHOLE);
        expect(window.from).toBeGreaterThanOrEqual(WHOLE.from);
        expect(window.to).toBeLessThanOrEqual(WHOLE.to + 1);
        expect(window.to - window.from).toBeGreaterThanOrEqual(59_999);
        const names = ticks(window, 6);
        expect(names.length).toBeLessThanOrEqual(8);
        expect(names.every((time) => time >= window.from && time <= window.to)).toBe(true);
      }
    }),
  );
});

test('what is pointed at stays where it is when the axis is zoomed', () => {
  const window = zoomed(WHOLE, WHOLE.to / 4, 0.5, WHOLE);
  expect((WHOLE.to / 4 - window.from) / (window.to - window.from)).toBeCloseTo(0.25);
});

test('days on which nothing happened are shown as such', () => {
  const day = (name: string) => ({ day: name, sessions: 1, failures: 0, successes: 0, commits: 0 });
  const days = filledDays([day('2026-02-26'), day('2026-03-02')], 90);
  expect(days.map(({ day: name, sessions }) => [name, sessions])).toEqual([
    ['2026-02-26', 1],
    ['2026-02-27', 0],
    ['2026-02-28', 0],
    ['2026-03-01', 0],
    ['2026-03-02', 1],
  ]);
  expect(filledDays([day('2020-01-01'), day('2026-03-02')], 90)).toHaveLength(90);
  expect(filledDays([], 90)).toEqual([]);
});
