const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** How long ago, for people: `just now`, `5 min ago`, `2 h ago`, `3 days ago`, then the date. */
export function relativeTime(timestamp: string, now: number): string {
  const time = Date.parse(timestamp);
  if (Number.isNaN(time)) return 'unknown time';
  const age = now - time;
  if (age < -MINUTE) return shortDate(time, now);
  if (age < MINUTE) return 'just now';
  if (age < HOUR) return `${Math.floor(age / MINUTE)} min ago`;
  if (age < DAY) return `${Math.floor(age / HOUR)} h ago`;
  const days = Math.round(age / DAY);
  if (days < 2) return 'yesterday';
  if (days < 30) return `${days} days ago`;
  return shortDate(time, now);
}

function shortDate(time: number, now: number): string {
  const date = new Date(time);
  const day = `${MONTHS[date.getMonth()]} ${date.getDate()}`;
  return date.getFullYear() === new Date(now).getFullYear() ? day : `${day} ${date.getFullYear()}`;
}

/** Local date and minute: `2025-11-18 15:30`. */
export function localTime(timestamp: string): string {
  const date = new Date(timestamp);
  if (Number.isNaN(date.getTime())) return 'unknown time';
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** Which side of a span of time a text names: the start of a day or its end. */
export type TimeEdge = 'since' | 'until';

const UNITS: Readonly<Record<string, number>> = { m: MINUTE, min: MINUTE, h: HOUR, d: DAY, w: 7 * DAY };

/**
 * Reads what people type after `--since` and `--until`: `30m`, `12h`, `7d`, `2w` (ago), `today`, `yesterday`, a
 * local date, or a date with a time. A whole day given to `until` is included. Undefined when it is none of them.
 */
export function parseTime(text: string, now: number, edge: TimeEdge): string | undefined {
  const given = text.trim().toLowerCase();
  const span = /^(\d{1,6})\s*(min|m|h|d|w)(?: ago)?$/.exec(given);
  if (span) return new Date(now - Number(span[1]) * (UNITS[span[2] ?? ''] ?? 0)).toISOString();
  if (given === 'today') return dayEdge(new Date(now), edge);
  if (given === 'yesterday') return dayEdge(shiftDays(new Date(now), -1), edge);
  const day = /^(\d{4})-(\d{2})-(\d{2})$/.exec(given);
  if (day) return calendarDay(Number(day[1]), Number(day[2]), Number(day[3]), edge);
  if (!/^\d{4}-\d{2}-\d{2}[t ]\d{2}:\d{2}/.test(given)) return undefined;
  const time = Date.parse(text.trim());
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

function calendarDay(year: number, month: number, day: number, edge: TimeEdge): string | undefined {
  const date = new Date(year, month - 1, day);
  if (date.getMonth() !== month - 1 || date.getDate() !== day) return undefined;
  return dayEdge(date, edge);
}

function dayEdge(date: Date, edge: TimeEdge): string {
  const start = new Date(date.getFullYear(), date.getMonth(), date.getDate());
  return edge === 'since' ? start.toISOString() : new Date(shiftDays(start, 1).getTime() - 1).toISOString();
}

function shiftDays(date: Date, days: number): Date {
  const shifted = new Date(date);
  shifted.setDate(shifted.getDate() + days);
  return shifted;
}
