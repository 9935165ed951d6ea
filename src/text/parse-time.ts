const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Whether a day stands for its start or its end. */
export type TimeEdge = 'since' | 'until';

const UNITS: Readonly<Record<string, number>> = { m: MINUTE, min: MINUTE, h: HOUR, d: DAY, w: 7 * DAY };

/**
 * Parses a time as people and agents write it: `30m`, `12h`, `7d`, `2w` (ago), `today`, `yesterday`, a local date, or a
 * date with a time. With `until`, a day is included. Undefined for anything else.
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
