/** A range of days that is chosen by its name. */
interface DatePreset {
  readonly name: string;
  readonly label: string;
  /** The days of the range as of now, in the user's time zone; empty for an open end. */
  readonly range: (now: number) => { readonly since: string; readonly until: string };
}

/** The ranges that filters offer. */
export const DATE_PRESETS: readonly DatePreset[] = [
  { name: 'any', label: 'Any time', range: () => ({ since: '', until: '' }) },
  { name: 'today', label: 'Today', range: (now) => ({ since: dayBefore(now, 0), until: '' }) },
  {
    name: 'yesterday',
    label: 'Yesterday',
    range: (now) => ({ since: dayBefore(now, 1), until: dayBefore(now, 1) }),
  },
  { name: 'week', label: 'Last 7 days', range: (now) => ({ since: dayBefore(now, 6), until: '' }) },
  { name: 'month', label: 'Last 30 days', range: (now) => ({ since: dayBefore(now, 29), until: '' }) },
  { name: 'quarter', label: 'Last 90 days', range: (now) => ({ since: dayBefore(now, 89), until: '' }) },
];

/** The name of the preset that these days are, if they are one. */
export function findPreset(since: string, until: string, now: number): string | undefined {
  return DATE_PRESETS.find(({ range }) => {
    const days = range(now);
    return days.since === since && days.until === until;
  })?.name;
}

/** The day so many days before now, in the user's time zone: `2026-11-15`. */
export function dayBefore(now: number, days: number): string {
  const date = new Date(now);
  date.setDate(date.getDate() - days);
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
}
