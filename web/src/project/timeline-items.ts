import type { DayCount, TimelineMark, TimelineSession } from '../../../src/server/rpc/api.ts';

/** The lanes of the timeline below its sessions, from top to bottom. */
export const MARK_LANES = ['request', 'failure', 'resolution', 'commit'] as const;
export type MarkLane = (typeof MARK_LANES)[number];

/** A session with its times as numbers. */
export interface SessionSpan {
  readonly session: TimelineSession;
  readonly from: number;
  readonly to: number;
}

/** Something on a lane. */
export interface LaneItem {
  readonly at: number;
  /** How many it stands for: more than one for a day of which only counts are known. */
  readonly weight: number;
  /** Left out for a day of which only counts are known. */
  readonly mark?: TimelineMark;
  readonly session?: TimelineSession;
  /** For a resolution: when the failure that it put right happened. */
  readonly failedAt?: number;
}

/** Everything that the timeline shows, in the order of time. */
export interface TimelineItems {
  readonly sessions: readonly SessionSpan[];
  /** Days of which the sessions were not fetched. */
  readonly otherDays: readonly DayCount[];
  readonly lanes: Readonly<Record<MarkLane, readonly LaneItem[]>>;
}

/** What of a timeline goes where. */
export function timelineItems(
  sessions: readonly TimelineSession[],
  days: readonly DayCount[],
): TimelineItems {
  const spans = sessions
    .map((session) => ({ session, from: Date.parse(session.from), to: Date.parse(session.to) }))
    .filter(({ from, to }) => Number.isFinite(from) && Number.isFinite(to))
    .sort((a, b) => a.from - b.from);
  const otherDays = daysWithout(spans, days);
  const marks = spans.flatMap(({ session }) => marksOf(session));
  const lane = (type: MarkLane) =>
    [...marks.filter(({ mark }) => mark?.type === type), ...dayItems(otherDays, type)].sort(
      (a, b) => a.at - b.at,
    );
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

function marksOf(session: TimelineSession): readonly LaneItem[] {
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
  // Between the fetched sessions there may be days that belong to one that took longer.
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
