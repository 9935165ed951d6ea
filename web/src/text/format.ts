/** Escape sequences of terminals: colours, titles, cursor moves. */
const TERMINAL = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_]?)/g;
/** The other control characters, except tab and line feed. */
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/** Characters that change the text direction, and can make a text show something else than it says. */
const DIRECTION = /[\u202a-\u202e\u2066-\u2069]/g;

/** Recorded text that is safe to show: without control characters, and with direction changes spelled out. */
export function cleanText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(TERMINAL, '')
    .replace(CONTROL, '')
    .replace(DIRECTION, (character) => `⟨U+${character.charCodeAt(0).toString(16).toUpperCase()}⟩`);
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
/** Names of the months. */
export const MONTHS: readonly string[] = [
  'Jan',
  'Feb',
  'Mar',
  'Apr',
  'May',
  'Jun',
  'Jul',
  'Aug',
  'Sep',
  'Oct',
  'Nov',
  'Dec',
];

/** A relative time: `now`, `5 min`, `3 h`, `2 d` by the calendar, `Nov 3`, `Nov 3, 2024`. Empty for an invalid time. */
export function agoText(timestamp: string, now: number): string {
  const then = Date.parse(timestamp);
  if (Number.isNaN(then)) return '';
  const age = now - then;
  if (age < MINUTE) return age < -MINUTE ? formatDate(then, now) : 'now';
  if (age < HOUR) return `${Math.floor(age / MINUTE)} min`;
  if (age < DAY) return `${Math.floor(age / HOUR)} h`;
  if (age < WEEK) return `${Math.round((startOfDay(now) - startOfDay(then)) / DAY)} d`;
  return formatDate(then, now);
}

function startOfDay(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0);
}

/** Date and time in the user's locale and time zone, for tooltips. */
export function fullTime(timestamp: string): string {
  const then = Date.parse(timestamp);
  return Number.isNaN(then) ? timestamp : new Date(then).toLocaleString();
}

/** Day and time in the user's time zone: `Nov 3, 14:05`. */
export function formatDayAndTime(timestamp: string, now: number): string {
  const then = Date.parse(timestamp);
  if (Number.isNaN(then)) return timestamp;
  const date = new Date(then);
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  return `${formatDate(then, now)}, ${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
}

/** `1 session`, `1,234 sessions`. */
export function formatQuantity(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString()} ${count === 1 ? one : many}`;
}

/** A rounded number: `950`, `1.2 k`, `34 k`, `1.5 M`. */
export function shortNumber(count: number): string {
  if (count < 1000) return String(Math.round(count));
  if (count < 999_500) return `${formatDecimal(count / 1000)} k`;
  return `${formatDecimal(count / 1_000_000)} M`;
}

/** US dollars: `$0`, `<$0.01`, `$12.34`, `$1,234`. */
export function costText(dollars: number): string {
  if (dollars === 0) return '$0';
  if (dollars < 0.005) return '<$0.01';
  return dollars < 999.995 ? `$${dollars.toFixed(2)}` : `$${Math.round(dollars).toLocaleString()}`;
}

/** A share as a percentage, rounded down, so that only all is 100 %. */
export function shareText(share: number): string {
  return share > 0 && share < 0.01 ? '<1 %' : `${Math.floor(share * 100)} %`;
}

/** A duration: `120 ms`, `4.2 s`, `3 min`, `5 h`, `2 d`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < MINUTE) return `${formatDecimal(ms / 1000)} s`;
  if (ms < HOUR) return `${Math.round(ms / MINUTE)} min`;
  return ms < 2 * DAY ? `${formatDecimal(ms / HOUR)} h` : `${Math.round(ms / DAY)} d`;
}

function formatDecimal(value: number): string {
  return value < 9.95 ? value.toFixed(1).replace(/\.0$/, '') : String(Math.round(value));
}

/** A text with its ISO dates as the app writes days: `last on 2026-11-03` becomes `last on Nov 3`. */
export function formatDays(text: string, now: number): string {
  return text.replace(/\b\d{4}-\d\d-\d\d\b/g, (day) => {
    const noon = Date.parse(`${day}T12:00`);
    return Number.isNaN(noon) ? day : formatDate(noon, now);
  });
}

function formatDate(then: number, now: number): string {
  const date = new Date(then);
  const day = `${MONTHS[date.getMonth()]} ${date.getDate()}`;
  return date.getFullYear() === new Date(now).getFullYear() ? day : `${day}, ${date.getFullYear()}`;
}
