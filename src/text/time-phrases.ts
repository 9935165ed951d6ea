/** A time that a text names: "on Feb 10", "in May 2023", "last Tuesday". */
export interface TimePhrase {
  /** Where it is in the text. */
  readonly start: number;
  readonly end: number;
  /** The latest period that it may mean, in epoch milliseconds; `until` is exclusive. */
  readonly since: number;
  readonly until: number;
  /** Whether a time is meant by it. Without a year, any year is. */
  readonly includes: (time: number) => boolean;
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const WEEKDAYS = 'sun mon tue wed thu fri sat'.split(' ');
const MONTH =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?';
const DAY = '(\\d{1,2})(?:st|nd|rd|th)?';
const YEAR = '(\\d{4})';
const WEEKDAY = '(sun(?:day)?|mon(?:day)?|tue(?:s|sday)?|wed(?:nesday)?|thu(?:rs|rsday)?|fri(?:day)?|sat(?:urday)?)';

/** Wordings, the most specific first. What one matches is not looked at by the next. */
const WORDINGS: readonly (readonly [
  pattern: RegExp,
  parse: (groups: readonly (string | undefined)[], now: Date) => Period,
])[] = [
  [
    /\b(\d{4})-(\d{2})-(\d{2})\b/g,
    ([year, month, day], now) => calendar(now, Number(year), Number(month) - 1, Number(day)),
  ],
  [
    new RegExp(`\\b${MONTH} ${DAY}(?:,? ${YEAR})?\\b(?![:.]\\d)`, 'gi'),
    ([month, day, year], now) => calendar(now, numberOf(year), monthOf(month), Number(day)),
  ],
  [
    new RegExp(`\\b${DAY}(?: of)? ${MONTH}(?:,? ${YEAR})?\\b`, 'gi'),
    ([day, month, year], now) => calendar(now, numberOf(year), monthOf(month), Number(day)),
  ],
  [new RegExp(`\\b${MONTH},? ${YEAR}\\b`, 'gi'), ([month, year], now) => calendar(now, Number(year), monthOf(month))],
  [
    new RegExp(`\\b(?:in|during|since|until|of|last|early|late) ${MONTH}(?=\\W|$)`, 'gi'),
    ([month], now) => calendar(now, undefined, monthOf(month)),
  ],
  [/\b(?:in|during|since|until|of) ((?:19|20)\d{2})(?=[^\w\s]|$)/gi, ([year], now) => wholeYear(now, Number(year))],
  [/\btoday\b/gi, (_, now) => days(now, 0, 1)],
  [/\byesterday\b/gi, (_, now) => days(now, -1, 1)],
  [/\bthis week\b/gi, (_, now) => days(now, -weekday(now), 7)],
  [/\blast week\b/gi, (_, now) => days(now, -weekday(now) - 7, 7)],
  [/\bthis month\b/gi, (_, now) => calendar(now, now.getFullYear(), now.getMonth())],
  [
    /\blast month\b/gi,
    (_, now) =>
      calendar(now, now.getMonth() === 0 ? now.getFullYear() - 1 : now.getFullYear(), (now.getMonth() + 11) % 12),
  ],
  [/\b(\d{1,3}) days? ago\b/gi, ([count], now) => days(now, -Number(count), 1)],
  [/\b(\d{1,2}) weeks? ago\b/gi, ([count], now) => days(now, -weekday(now) - 7 * Number(count), 7)],
  [
    new RegExp(`\\b(?:on|last|this) ${WEEKDAY}\\b`, 'gi'),
    ([name = ''], now) =>
      days(now, -((now.getDay() - WEEKDAYS.indexOf(name.slice(0, 3).toLowerCase()) + 6) % 7) - 1, 1),
  ],
];

/** Every wording has a digit or one of these. */
const HINT = /\d|today|yesterday|week|month|days?\b|\b(?:in|during|since|until|of|last|early|late|on|this) [a-z]{3}/i;

type Period = Omit<TimePhrase, 'start' | 'end'> | undefined;

/** The times that a text names, in the time zone of this machine. English wordings. */
export function findTimePhrases(text: string, now: number): readonly TimePhrase[] {
  if (!HINT.test(text)) return [];
  const today = new Date(now);
  const found: TimePhrase[] = [];
  for (const [pattern, parse] of WORDINGS) {
    for (const match of text.matchAll(pattern)) {
      const [whole, ...groups] = match;
      const [start, end] = [match.index, match.index + whole.length];
      const period = parse(groups, today);
      if (period && found.every((other) => end <= other.start || start >= other.end))
        found.push({ start, end, ...period });
    }
  }
  return found;
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

function monthOf(name: string | undefined): number {
  return MONTHS.indexOf((name ?? '').slice(0, 3).toLowerCase());
}

/** Days since Monday. */
function weekday(date: Date): number {
  return (date.getDay() + 6) % 7;
}

/** A day or, without one, a month. Without a year the latest that is not in the future, and that of any year. */
function calendar(now: Date, year: number | undefined, month: number, day?: number): Period {
  const last = new Date(year ?? 2000, month + 1, 0).getDate();
  if (month < 0 || month > 11 || (day !== undefined && (day < 1 || day > last))) return undefined;
  const startIn = (one: number): Date => new Date(one, month, day ?? 1);
  const shown = year ?? (startIn(now.getFullYear()) <= now ? now.getFullYear() : now.getFullYear() - 1);
  const since = startIn(shown).getTime();
  const until = new Date(shown, day === undefined ? month + 1 : month, day === undefined ? 1 : day + 1).getTime();
  const includes = (time: number): boolean => {
    const date = new Date(time);
    return (
      date.getMonth() === month &&
      (day === undefined || date.getDate() === day) &&
      (year === undefined || date.getFullYear() === year)
    );
  };
  return { since, until, includes };
}

/** A year that is not in the future. */
function wholeYear(now: Date, year: number): Period {
  if (year > now.getFullYear()) return undefined;
  const [since, until] = [new Date(year, 0, 1).getTime(), new Date(year + 1, 0, 1).getTime()];
  return { since, until, includes: (time) => time >= since && time < until };
}

/** `count` days from `offset` days after a date on. */
function days(date: Date, offset: number, count: number): Period {
  const startAt = (shift: number): number =>
    new Date(date.getFullYear(), date.getMonth(), date.getDate() + shift).getTime();
  const [since, until] = [startAt(offset), startAt(offset + count)];
  return { since, until, includes: (time) => time >= since && time < until };
}
