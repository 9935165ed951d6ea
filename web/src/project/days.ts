import type { DayCount } from '../../../src/server/rpc/api.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The last `most` days up to the last active one, with those on which nothing happened. */
export function filledDays(days: readonly DayCount[], most: number): readonly DayCount[] {
  const last = Date.parse(days.at(-1)?.day ?? '');
  const first = Date.parse(days[0]?.day ?? '');
  if (Number.isNaN(last) || Number.isNaN(first)) return [];
  const known = new Map(days.map((day) => [day.day, day]));
  const count = Math.min(Math.floor((last - first) / DAY_MS) + 1, most);
  return Array.from({ length: count }, (_, index) => {
    const day = new Date(last - (count - 1 - index) * DAY_MS).toISOString().slice(0, 10);
    return known.get(day) ?? { day, sessions: 0, failures: 0, successes: 0, commits: 0 };
  });
}
