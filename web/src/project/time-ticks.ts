import type { TimeWindow } from './time-window.ts';

/** A named time on the axis. */
export interface Tick {
  readonly at: number;
  /** `14:30`, `Tue 3`, `Nov`, `2026`. */
  readonly name: string;
  /** What the name leaves out, where it changes: the day of an hour, the month of a day, the year of a month. */
  readonly context?: string;
}

type Unit = 'minute' | 'hour' | 'day' | 'month' | 'year';

interface Step {
  readonly unit: Unit;
  readonly count: number;
  readonly ms: number;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MONTH = 30.4 * DAY;
const YEAR = 365.25 * DAY;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

const STEPS: readonly Step[] = [
  ...[1, 2, 5, 10, 15, 30].map((count): Step => ({ unit: 'minute', count, ms: count * MINUTE })),
  ...[1, 2, 3, 6, 12].map((count): Step => ({ unit: 'hour', count, ms: count * HOUR })),
  ...[1, 2, 7, 14].map((count): Step => ({ unit: 'day', count, ms: count * DAY })),
  ...[1, 2, 3, 6].map((count): Step => ({ unit: 'month', count, ms: count * MONTH })),
  ...[1, 2, 5, 10, 20, 50, 100, 1000, 10_000].map(
    (count): Step => ({ unit: 'year', count, ms: count * YEAR }),
  ),
];

/** Round times of the user's own time zone within a window, at most `most` of them. */
export function timeTicks(window: TimeWindow, most: number): readonly Tick[] {
  const wanted = (window.to - window.from) / Math.max(most, 1);
  const step = STEPS.find(({ ms }) => ms >= wanted) ?? LONGEST;
  const ticks: Tick[] = [];
  let last = '';
  for (let at = floorTo(window.from, step); at <= window.to && ticks.length <= most; at = after(at, step)) {
    if (at < window.from) continue;
    const context = contextOf(at, step.unit);
    const isNew = context !== last && context !== '';
    ticks.push({ at, name: nameOf(at, step.unit), ...(isNew ? { context } : {}) });
    last = context;
  }
  return ticks;
}

const LONGEST: Step = { unit: 'year', count: 100_000, ms: 100_000 * YEAR };

function floorTo(time: number, { unit, count }: Step): number {
  const date = new Date(time);
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()];
  switch (unit) {
    case 'minute':
      return new Date(year, month, day, date.getHours(), down(date.getMinutes(), count)).getTime();
    case 'hour':
      return new Date(year, month, day, down(date.getHours(), count)).getTime();
    case 'day':
      // Weeks begin on Mondays; other steps with the month.
      return count < 7
        ? new Date(year, month, down(day - 1, count) + 1).getTime()
        : new Date(year, month, day - ((date.getDay() + 6) % 7)).getTime();
    case 'month':
      return new Date(year, down(month, count), 1).getTime();
    case 'year':
      return new Date(down(year, count), 0, 1).getTime();
  }
}

/** The next round time. Days and hours may be longer or shorter than others where clocks are changed. */
function after(at: number, step: Step): number {
  const date = new Date(at);
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()];
  switch (step.unit) {
    case 'minute':
    case 'hour': {
      const next = floorTo(at + step.ms, step);
      return next > at ? next : at + step.ms;
    }
    case 'day': {
      const next = new Date(year, month, day + step.count);
      // Steps of two days begin anew with each month; a stub of one day at its end would crowd the names.
      const isNewMonth = step.count === 2 && next.getMonth() !== month;
      return isNewMonth ? new Date(next.getFullYear(), next.getMonth(), 1).getTime() : next.getTime();
    }
    case 'month':
      return new Date(year, month + step.count, 1).getTime();
    case 'year':
      return new Date(year + step.count, 0, 1).getTime();
  }
}

function nameOf(at: number, unit: Unit): string {
  const date = new Date(at);
  if (unit === 'minute' || unit === 'hour') return `${two(date.getHours())}:${two(date.getMinutes())}`;
  if (unit === 'day') return `${WEEKDAYS[date.getDay()]} ${date.getDate()}`;
  return unit === 'month' ? (MONTHS[date.getMonth()] ?? '') : String(date.getFullYear());
}

function contextOf(at: number, unit: Unit): string {
  const date = new Date(at);
  const [month, year] = [MONTHS[date.getMonth()], date.getFullYear()];
  if (unit === 'year') return '';
  if (unit === 'month') return String(year);
  return unit === 'day' ? `${month} ${year}` : `${WEEKDAYS[date.getDay()]}, ${month} ${date.getDate()}`;
}

function down(value: number, step: number): number {
  return Math.floor(value / step) * step;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
