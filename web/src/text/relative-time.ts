const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A time as a person would say it: `now`, `5 min`, `3 h`, `2 d`, `Nov 3`, `Nov 3, 2024`. Not a time: nothing. */
export function relativeTime(timestamp: string, now: number): string {
  const then = Date.parse(timestamp);
  if (Number.isNaN(then)) return '';
  const age = now - then;
  if (age < MINUTE) return age < -MINUTE ? dateOf(then, now) : 'now';
  if (age < HOUR) return `${Math.floor(age / MINUTE)} min`;
  if (age < DAY) return `${Math.floor(age / HOUR)} h`;
  if (age < WEEK) return `${Math.floor(age / DAY)} d`;
  return dateOf(then, now);
}

/** A time in full, in the user's own time zone, for a tooltip. */
export function fullTime(timestamp: string): string {
  const then = Date.parse(timestamp);
  return Number.isNaN(then) ? timestamp : new Date(then).toLocaleString();
}

/** A day and the time of the day, in the user's own time zone: `Nov 3, 14:05`. */
export function dayAndTime(timestamp: string, now: number): string {
  const then = Date.parse(timestamp);
  if (Number.isNaN(then)) return timestamp;
  const date = new Date(then);
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  return `${dateOf(then, now)}, ${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
}

/** 950, 1.2 k, 34 k, 1.5 M. */
export function shortCount(count: number): string {
  if (count < 1000) return String(Math.round(count));
  if (count < 999_500) return `${trimmed(count / 1000)} k`;
  return `${trimmed(count / 1_000_000)} M`;
}

/** 120 ms, 4.2 s, 3 min, 5 h, 2 d. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < MINUTE) return `${trimmed(ms / 1000)} s`;
  if (ms < HOUR) return `${Math.round(ms / MINUTE)} min`;
  return ms < 2 * DAY ? `${trimmed(ms / HOUR)} h` : `${Math.round(ms / DAY)} d`;
}

function trimmed(value: number): string {
  return value < 9.95 ? value.toFixed(1).replace(/\.0$/, '') : String(Math.round(value));
}

function dateOf(then: number, now: number): string {
  const date = new Date(then);
  const day = `${MONTHS[date.getMonth()]} ${date.getDate()}`;
  return date.getFullYear() === new Date(now).getFullYear() ? day : `${day}, ${date.getFullYear()}`;
}
