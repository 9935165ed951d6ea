import type { SessionDigest } from '../digest/session-digest.ts';
import { dayFinder, isWithin, type TimeSpan } from './time-span.ts';

/** What happened on a day. */
export interface TimelineDay {
  /** `2025-11-18`. */
  readonly date: string;
  readonly sessions: number;
  readonly successes: number;
  readonly failures: number;
  readonly commits: number;
}

/** The days on which something happened, the earliest first. */
export function timeline(digests: Iterable<SessionDigest>, span: TimeSpan = {}): readonly TimelineDay[] {
  const dayOf = dayFinder(span.timeZone);
  const days = new Map<string, { ids: Set<string>; successes: number; failures: number; commits: number }>();
  const on = (timestamp: string, sessionId: string) => {
    const date = dayOf(timestamp);
    const day = days.get(date) ?? { ids: new Set(), successes: 0, failures: 0, commits: 0 };
    day.ids.add(sessionId);
    days.set(date, day);
    return day;
  };
  for (const { sessionId, hours, commits, requests } of digests) {
    for (const { at, successes, failures } of hours) {
      if (!isWithin(at, span)) continue;
      const day = on(at, sessionId);
      day.successes += successes;
      day.failures += failures;
    }
    for (const { at } of commits) if (isWithin(at, span)) on(at, sessionId).commits++;
    for (const { at } of requests) if (isWithin(at, span)) on(at, sessionId);
  }
  return [...days]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([date, { ids, ...counts }]) => ({ date, sessions: ids.size, ...counts }));
}
