import type { LaneItem, SessionSpan } from './timeline-items.ts';

/** Items of a lane that are so near to each other that they are drawn as one. */
export interface Cluster {
  /** Middle, in pixels from the left of the axis. */
  readonly x: number;
  /** Half of what it takes on the axis. */
  readonly half: number;
  readonly count: number;
  readonly items: readonly LaneItem[];
}

/** A session as a bar. */
export interface Bar {
  readonly span: SessionSpan;
  readonly x: number;
  readonly width: number;
  readonly row: number;
}

const SINGLE_HALF = 6;
const DIGIT = 7;
const GAP = 2;
const NARROWEST_BAR = 5;

/** Joins what would cover each other. What is not in view is joined too, so that nothing jumps when it comes. */
export function clustered(items: readonly LaneItem[], x: (time: number) => number): readonly Cluster[] {
  const clusters: Growing[] = [];
  for (const item of items) {
    let last: Growing = { sum: x(item.at) * item.weight, count: item.weight, items: [item] };
    for (let before = clusters.at(-1); before !== undefined; before = clusters.at(-1)) {
      if (middle(last) - middle(before) >= halfOf(last) + halfOf(before) + GAP) break;
      clusters.pop();
      last = joined(before, last);
    }
    clusters.push(last);
  }
  return clusters.map((cluster) => ({
    x: middle(cluster),
    half: halfOf(cluster),
    count: cluster.count,
    items: cluster.items,
  }));
}

interface Growing {
  readonly sum: number;
  readonly count: number;
  readonly items: LaneItem[];
}

/** The larger one takes the other in, so that joining many costs no more than the number of them. */
function joined(before: Growing, last: Growing): Growing {
  const items = before.items;
  for (const item of last.items) items.push(item);
  return { sum: before.sum + last.sum, count: before.count + last.count, items };
}

function middle({ sum, count }: Growing): number {
  return sum / count;
}

/** A single one is a sign, more are a number. */
function halfOf({ count }: Growing): number {
  return count === 1 ? SINGLE_HALF : Math.max(SINGLE_HALF + 2, (nameOfCount(count).length * DIGIT) / 2 + 5);
}

/** A count as it is written on the axis: 7, 120, 1.2k. */
export function nameOfCount(count: number): string {
  return count < 1000 ? String(count) : `${(count / 1000).toFixed(count < 9950 ? 1 : 0)}k`;
}

/** Puts sessions into rows so that none covers another; undefined when they do not fit into `most` rows. */
export function packed(
  spans: readonly SessionSpan[],
  x: (time: number) => number,
  most: number,
): readonly Bar[] | undefined {
  const ends: number[] = [];
  const bars: Bar[] = [];
  for (const span of spans) {
    const left = x(span.from);
    const width = Math.max(x(span.to) - left, NARROWEST_BAR);
    const free = ends.findIndex((end) => end + GAP <= left);
    const row = free < 0 ? ends.length : free;
    if (row >= most) return undefined;
    ends[row] = left + width;
    bars.push({ span, x: left, width, row });
  }
  return bars;
}

/** How many sessions there are in each piece of the axis. */
export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** Counts what is too many to be drawn one by one, each where it began. */
export function binned(
  counted: readonly { readonly from: number; readonly weight: number }[],
  binMs: number,
): readonly Bin[] {
  const counts = new Map<number, number>();
  for (const { from, weight } of counted) {
    const bin = Math.floor(from / binMs);
    counts.set(bin, (counts.get(bin) ?? 0) + weight);
  }
  return [...counts].map(([bin, count]) => ({ from: bin * binMs, to: (bin + 1) * binMs, count }));
}

/** A length of time that is about `ms`, and stays the same while one moves along the axis. */
export function steadyBin(ms: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(ms, 1)));
}
