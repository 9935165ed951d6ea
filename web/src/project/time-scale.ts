import { MONTHS } from '../text/format.ts';

/** The visible part of the time axis, in epoch milliseconds. */
export interface TimeWindow {
  readonly from: number;
  readonly to: number;
}

const MIN_WINDOW_MS = 5 * 60_000;

/** Zooms by a factor around a point that stays in place, within `whole`. */
export function zoomWindow(window: TimeWindow, center: number, factor: number, whole: TimeWindow): TimeWindow {
  const length = Math.max((window.to - window.from) * factor, MIN_WINDOW_MS);
  const share = (center - window.from) / Math.max(window.to - window.from, 1);
  const from = center - share * length;
  return fitWindow({ from, to: from + length }, whole);
}

/** Moves the window by a share of its length. */
export function moveWindow(window: TimeWindow, share: number, whole: TimeWindow): TimeWindow {
  const by = (window.to - window.from) * share;
  return fitWindow({ from: window.from + by, to: window.to + by }, whole);
}

/** A window around a span, with some room on both sides. */
export function windowAround(from: number, to: number, whole: TimeWindow): TimeWindow {
  const room = Math.max((to - from) * 0.25, MIN_WINDOW_MS / 2);
  return fitWindow({ from: from - room, to: to + room }, whole);
}

/** The window after `whole` has changed: all of it if all was visible, else the same span. */
export function followWindow(window: TimeWindow, before: TimeWindow, whole: TimeWindow): TimeWindow {
  const wasAll = window.from <= before.from && window.to >= before.to;
  return wasAll ? whole : fitWindow(window, whole);
}

/** Whether the window cannot be zoomed in any further. */
export function isMaxZoom({ from, to }: TimeWindow): boolean {
  return to - from <= MIN_WINDOW_MS;
}

/** The window moved and shortened so that it is within `whole`. */
export function fitWindow({ from, to }: TimeWindow, whole: TimeWindow): TimeWindow {
  const length = Math.min(to - from, whole.to - whole.from);
  const start = Math.min(Math.max(from, whole.from), whole.to - length);
  return { from: start, to: start + length };
}

/** A labelled time on the axis. */
interface Tick {
  readonly at: number;
  /** `14:30`, `Tue 3`, `Nov`, `2026`. */
  readonly name: string;
  /** The larger unit, where it changes: the day of an hour, the month of a day, the year of a month. */
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
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

const STEPS: readonly Step[] = [
  ...[1, 2, 5, 10, 15, 30].map((count): Step => ({ unit: 'minute', count, ms: count * MINUTE })),
  ...[1, 2, 3, 6, 12].map((count): Step => ({ unit: 'hour', count, ms: count * HOUR })),
  ...[1, 2, 7, 14].map((count): Step => ({ unit: 'day', count, ms: count * DAY })),
  ...[1, 2, 3, 6].map((count): Step => ({ unit: 'month', count, ms: count * MONTH })),
  ...[1, 2, 5, 10, 20, 50, 100, 1000, 10_000].map((count): Step => ({ unit: 'year', count, ms: count * YEAR })),
];

/** At most `max` round times within a window, in the user's time zone. */
export function timeTicks(window: TimeWindow, max: number): readonly Tick[] {
  const wanted = (window.to - window.from) / Math.max(max, 1);
  const step = STEPS.find(({ ms }) => ms >= wanted) ?? LARGEST_STEP;
  const ticks: Tick[] = [];
  let last = '';
  for (let at = floorTo(window.from, step); at <= window.to && ticks.length <= max; at = after(at, step)) {
    if (at < window.from) continue;
    const context = tickContext(at, step.unit);
    const isNew = context !== last && context !== '';
    ticks.push({ at, name: tickName(at, step.unit), ...(isNew ? { context } : {}) });
    last = context;
  }
  return ticks;
}

const LARGEST_STEP: Step = { unit: 'year', count: 100_000, ms: 100_000 * YEAR };

function floorTo(time: number, { unit, count }: Step): number {
  const date = new Date(time);
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()];
  switch (unit) {
    case 'minute':
      return new Date(year, month, day, date.getHours(), down(date.getMinutes(), count)).getTime();
    case 'hour':
      return new Date(year, month, day, down(date.getHours(), count)).getTime();
    case 'day':
      // Weeks start on Mondays, other steps with the month.
      return count < 7
        ? new Date(year, month, down(day - 1, count) + 1).getTime()
        : new Date(year, month, day - ((date.getDay() + 6) % 7)).getTime();
    case 'month':
      return new Date(year, down(month, count), 1).getTime();
    case 'year':
      return new Date(down(year, count), 0, 1).getTime();
  }
}

/** The next round time. When clocks change, days and hours may be longer or shorter. */
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
      // Steps of two days restart with each month; a single day at its end would crowd the labels.
      const isNewMonth = step.count === 2 && next.getMonth() !== month;
      return isNewMonth ? new Date(next.getFullYear(), next.getMonth(), 1).getTime() : next.getTime();
    }
    case 'month':
      return new Date(year, month + step.count, 1).getTime();
    case 'year':
      return new Date(year + step.count, 0, 1).getTime();
  }
}

function tickName(at: number, unit: Unit): string {
  const date = new Date(at);
  if (unit === 'minute' || unit === 'hour') return `${two(date.getHours())}:${two(date.getMinutes())}`;
  if (unit === 'day') return `${WEEKDAYS[date.getDay()]} ${date.getDate()}`;
  return unit === 'month' ? (MONTHS[date.getMonth()] ?? '') : String(date.getFullYear());
}

function tickContext(at: number, unit: Unit): string {
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
