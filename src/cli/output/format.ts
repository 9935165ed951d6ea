/** A size on disk: `512 B`, `1.5 KB`, `12 MB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  for (const unit of ['B', 'KB', 'MB', 'GB']) {
    if (value < 1000) return `${value < 10 && unit !== 'B' ? value.toFixed(1) : Math.round(value)} ${unit}`;
    value /= 1000;
  }
  return `${value.toFixed(1)} TB`;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** How long ago: `just now`, `5 min ago`, `2 h ago`, `yesterday`, `3 days ago` by the calendar; the date after 30 days. */
export function relativeTime(timestamp: string, now: number): string {
  const time = Date.parse(timestamp);
  if (Number.isNaN(time)) return 'unknown time';
  const age = now - time;
  if (age < -MINUTE_MS) return shortDate(time, now);
  if (age < MINUTE_MS) return 'just now';
  if (age < HOUR_MS) return `${Math.floor(age / MINUTE_MS)} min ago`;
  if (age < DAY_MS) return `${Math.floor(age / HOUR_MS)} h ago`;
  const days = Math.round((startOfDay(now) - startOfDay(time)) / DAY_MS);
  if (days < 2) return 'yesterday';
  if (days < 30) return `${days} days ago`;
  return shortDate(time, now);
}

function startOfDay(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0);
}

/** The day, with its year unless it is this year's: `Feb 10`, `Feb 10 2025`. */
export function shortDate(time: number, now: number): string {
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

/** A number of tokens: `950`, `12.3k`, `4.56M`, `1.20B`. */
export function formatTokens(count: number): string {
  if (count < 1000) return String(Math.round(count));
  for (const [unit, size] of UNITS) if (count >= size * 0.9995) return `${threeDigits(count / size)}${unit}`;
  return `${threeDigits(count / 1000)}k`;
}

const UNITS = [
  ['B', 1e9],
  ['M', 1e6],
] as const;

function threeDigits(value: number): string {
  return value < 9.995 ? value.toFixed(2) : value < 99.95 ? value.toFixed(1) : value.toFixed(0);
}

/** US dollars: `$12.34`, `$1,234`; less than a cent is `<$0.01`. */
export function formatCost(dollars: number): string {
  if (dollars > 0 && dollars < 0.005) return '<$0.01';
  return dollars < 999.995
    ? `$${dollars.toFixed(2)}`
    : `$${Math.round(dollars)
        .toString()
        .replace(/\B(?=(\d{3})+$)/g, ',')}`;
}

/** A share as a percentage, rounded down, so that only all is 100 %. */
export function formatShare(share: number): string {
  return share > 0 && share < 0.01 ? '<1 %' : `${Math.floor(share * 100)} %`;
}

/** A length of time: `45 s`, `12 min`, `3 h 20 min`, `120 h`. */
export function formatActiveTime(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours >= 100 || minutes % 60 === 0 ? `${Math.round(minutes / 60)} h` : `${hours} h ${minutes % 60} min`;
}
