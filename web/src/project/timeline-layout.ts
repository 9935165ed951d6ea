import type { DayCount, TimelineMark, TimelineSession } from '../../../src/server/rpc/api.ts';

/** Items of a lane that would overlap, drawn as one. */
export interface Cluster {
  /** Middle, in pixels from the left of the axis. */
  readonly x: number;
  /** Half of its width. */
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
const MIN_BAR_WIDTH = 5;

/** Joins items that would overlap, also outside of the visible window, so that nothing jumps when it moves. */
export function clusterItems(items: readonly LaneItem[], x: (time: number) => number): readonly Cluster[] {
  const clusters: Growing[] = [];
  for (const item of items) {
    let last: Growing = { sum: x(item.at) * item.weight, count: item.weight, items: [item] };
    for (let before = clusters.at(-1); before !== undefined; before = clusters.at(-1)) {
      if (middle(last) - middle(before) >= halfWidth(last) + halfWidth(before) + GAP) break;
      clusters.pop();
      last = joined(before, last);
    }
    clusters.push(last);
  }
  return clusters.map((cluster) => ({
    x: middle(cluster),
    half: halfWidth(cluster),
    count: cluster.count,
    items: cluster.items,
  }));
}

interface Growing {
  readonly sum: number;
  readonly count: number;
  readonly items: LaneItem[];
}

/** Appends to the earlier one, so that joining takes linear time. */
function joined(before: Growing, last: Growing): Growing {
  const items = before.items;
  for (const item of last.items) items.push(item);
  return { sum: before.sum + last.sum, count: before.count + last.count, items };
}

function middle({ sum, count }: Growing): number {
  return sum / count;
}

/** A single item is a sign, more are a number. */
function halfWidth({ count }: Growing): number {
  return count === 1 ? SINGLE_HALF : Math.max(SINGLE_HALF + 2, (shortCount(count).length * DIGIT) / 2 + 5);
}

/** A count on the axis: `7`, `120`, `1.2k`. */
export function shortCount(count: number): string {
  return count < 1000 ? String(count) : `${(count / 1000).toFixed(count < 9950 ? 1 : 0)}k`;
}

/** Arranges sessions in rows without overlap; undefined when they need more than `maxRows`. */
export function packBars(
  spans: readonly SessionSpan[],
  x: (time: number) => number,
  maxRows: number,
): readonly Bar[] | undefined {
  const ends: number[] = [];
  const bars: Bar[] = [];
  for (const span of spans) {
    const left = x(span.from);
    const width = Math.max(x(span.to) - left, MIN_BAR_WIDTH);
    const free = ends.findIndex((end) => end + GAP <= left);
    const row = free < 0 ? ends.length : free;
    if (row >= maxRows) return undefined;
    ends[row] = left + width;
    bars.push({ span, x: left, width, row });
  }
  return bars;
}

/** The number of sessions in a part of the axis. */
export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** Counts sessions by their start. */
export function countBins(
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

/** A bin length of about `ms` that does not change when the axis moves. */
export function binSize(ms: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(ms, 1)));
}

/** The lanes below the sessions, from top to bottom. */
export const MARK_LANES = ['request', 'failure', 'resolution', 'commit'] as const;
export type MarkLane = (typeof MARK_LANES)[number];

/** A session with parsed times. */
export interface SessionSpan {
  readonly session: TimelineSession;
  readonly from: number;
  readonly to: number;
}

/** An item of a lane. */
export interface LaneItem {
  readonly at: number;
  /** How many items it stands for; more than one for a day with known counts only. */
  readonly weight: number;
  /** Absent for a day with known counts only. */
  readonly mark?: TimelineMark;
  readonly session?: TimelineSession;
  /** Of a resolution: the time of the failure that it resolved. */
  readonly failedAt?: number;
}

/** Everything that the timeline shows, in chronological order. */
export interface TimelineItems {
  readonly sessions: readonly SessionSpan[];
  /** Days whose sessions were not fetched. */
  readonly otherDays: readonly DayCount[];
  readonly lanes: Readonly<Record<MarkLane, readonly LaneItem[]>>;
}

/** Sorts the content of a timeline into lanes. */
export function timelineItems(sessions: readonly TimelineSession[], days: readonly DayCount[]): TimelineItems {
  const spans = sessions
    .map((session) => ({ session, from: Date.parse(session.from), to: Date.parse(session.to) }))
    .filter(({ from, to }) => Number.isFinite(from) && Number.isFinite(to))
    .sort((a, b) => a.from - b.from);
  const otherDays = daysWithout(spans, days);
  const marks = spans.flatMap(({ session }) => toLaneItems(session));
  const lane = (type: MarkLane) =>
    [...marks.filter(({ mark }) => mark?.type === type), ...dayItems(otherDays, type)].sort((a, b) => a.at - b.at);
  return {
    sessions: spans,
    otherDays,
    lanes: {
      request: lane('request'),
      failure: lane('failure'),
      resolution: lane('resolution'),
      commit: lane('commit'),
    },
  };
}

function toLaneItems(session: TimelineSession): readonly LaneItem[] {
  const failures = new Map(
    session.marks.filter(({ type }) => type === 'failure').map(({ id, at }) => [id, Date.parse(at)]),
  );
  return session.marks.flatMap((mark) => {
    const at = Date.parse(mark.at);
    if (!Number.isFinite(at)) return [];
    const failedAt = mark.resolves === undefined ? undefined : failures.get(mark.resolves);
    return [{ at, weight: 1, mark, session, ...(failedAt === undefined ? {} : { failedAt }) }];
  });
}

function daysWithout(spans: readonly SessionSpan[], days: readonly DayCount[]): readonly DayCount[] {
  const known = new Set<string>();
  for (const { session } of spans) {
    known.add(session.from.slice(0, 10));
    known.add(session.to.slice(0, 10));
  }
  const first = days.findIndex(({ day }) => known.has(day));
  // Days between fetched sessions may belong to a long one.
  return days.filter(({ day, sessions }, index) => sessions > 0 && !known.has(day) && index < first);
}

const NOON_MS = 12 * 3_600_000;

function dayItems(days: readonly DayCount[], lane: MarkLane): readonly LaneItem[] {
  if (lane !== 'failure' && lane !== 'commit') return [];
  return days
    .map((day) => ({
      at: Date.parse(day.day) + NOON_MS,
      weight: lane === 'failure' ? day.failures : day.commits,
    }))
    .filter(({ weight }) => weight > 0);
}
