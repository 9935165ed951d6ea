/** How often something happened, by hour (`2025-11-18T15`). */
export type HourCounts = Record<string, number>;

const HOUR_LENGTH = 'YYYY-MM-DDThh'.length;
/** Other years than those of four digits are a clock's mistake. */
const TIME_LENGTH = 24;
const MOST_HOURS = 200;

/** Counts one more at a time. Past {@link MOST_HOURS} hours, what is new is counted in the last of them. */
export function countHour(counts: HourCounts, timestamp: string): void {
  if (timestamp.length !== TIME_LENGTH) return;
  const hour = timestamp.slice(0, HOUR_LENGTH);
  const known = counts[hour];
  if (known !== undefined) {
    counts[hour] = known + 1;
    return;
  }
  const hours = Object.keys(counts);
  const last = hours.at(-1);
  if (hours.length < MOST_HOURS || last === undefined) counts[hour] = 1;
  else counts[last] = (counts[last] ?? 0) + 1;
}
