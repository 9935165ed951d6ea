import { MONTHS } from '../text/format.ts';

/** A day or a week, with the items of it. */
export interface Bucket<T> {
  /** First and last day, `2026-11-15`, UTC. */
  readonly from: string;
  readonly to: string;
  /** `Nov 15`, or `Nov 9 – 15`, with the year where it is not this one. */
  readonly name: string;
  readonly items: readonly T[];
}

const DAY_MS = 24 * 60 * 60 * 1000;
const WEEK_MS = 7 * DAY_MS;
/** 1970-01-05 was a Monday. */
const MONDAY_MS = 4 * DAY_MS;
/** Up to this many days there is a bucket per day; beyond that there are weeks, the latest ones. */
const MAX_DAYS = 92;
const MAX_WEEKS = 156;
/** Fewer buckets would make very wide bars. */
const MIN_BUCKETS = 21;

/**
 * Groups items by day, or by week when there are many days. Includes days without items, and all days of `span`, the days
 * that were asked for.
 */
export function dayBuckets<T>(
  items: readonly T[],
  dayOf: (item: T) => string,
  span: { readonly from?: string; readonly to?: string } = {},
): readonly Bucket<T>[] {
  const dated = items
    .map((item) => ({ item, time: Date.parse(dayOf(item).slice(0, 10)) }))
    .filter(({ time }) => Number.isFinite(time));
  if (dated.length === 0) return [];
  const times = [...dated.map(({ time }) => time), ...[span.from, span.to].map((day) => Date.parse(day ?? ''))];
  const known = times.filter(Number.isFinite);
  const first = known.reduce((least, time) => Math.min(least, time));
  const last = known.reduce((most, time) => Math.max(most, time));
  const isWeeks = (last - first) / DAY_MS >= MAX_DAYS;
  const step = isWeeks ? WEEK_MS : DAY_MS;
  const start = (time: number) => Math.floor((time - MONDAY_MS) / step) * step + MONDAY_MS;
  const maxBuckets = isWeeks ? MAX_WEEKS : MAX_DAYS;
  const earliest = Math.min(start(first), start(last) - (MIN_BUCKETS - 1) * step);
  const begin = Math.max(earliest, start(last) - (maxBuckets - 1) * step);
  const byStart = new Map<number, T[]>();
  for (const { item, time } of dated) {
    const list = byStart.get(start(time)) ?? [];
    list.push(item);
    byStart.set(start(time), list);
  }
  const count = Math.round((start(last) - begin) / step) + 1;
  return Array.from({ length: count }, (_, index) => {
    const from = begin + index * step;
    return createBucket(from, from + step - DAY_MS, byStart.get(from) ?? [], last);
  });
}

/** Whether the buckets are weeks. */
export function isWeekly(buckets: readonly Bucket<unknown>[]): boolean {
  return buckets[0] !== undefined && buckets[0].from !== buckets[0].to;
}

function createBucket<T>(from: number, to: number, items: readonly T[], last: number): Bucket<T> {
  const name = from === to ? dayName(from, last) : `${dayName(from, to)} – ${dayName(to, last)}`;
  return { from: isoDay(from), to: isoDay(to), name, items };
}

/** A day, with its year when it differs from that of `reference`. */
function dayName(time: number, reference: number): string {
  const date = new Date(time);
  const day = `${MONTHS[date.getUTCMonth()]} ${date.getUTCDate()}`;
  const year = date.getUTCFullYear();
  return year === new Date(reference).getUTCFullYear() ? day : `${day}, ${year}`;
}

function isoDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Round axis values from 0 to at least `highest`: at most five; integers, or any with a smallest step below 1. */
export function axisSteps(highest: number, smallest = 1): readonly number[] {
  const wanted = Math.max(highest, smallest) / 4;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const step = Math.max(
    [1, 2, 5, 10].map((times) => times * power).find((size) => size >= wanted) ?? smallest,
    smallest,
  );
  const count = Math.max(Math.ceil(highest / step), 1);
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}
