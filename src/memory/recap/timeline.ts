import { omitUndefined } from '../../record/object.ts';
import { compareText } from '../../text/compare-text.ts';
import type { SessionDigest } from '../digest/session-digest.ts';

/** The activity of one day. */
export interface TimelineDay {
  /** `2025-11-18`. */
  readonly date: string;
  readonly sessions: number;
  readonly successes: number;
  readonly failures: number;
  readonly commits: number;
}

/** The days with activity, the earliest first. */
export function timeline(digests: Iterable<SessionDigest>, span: TimeSpan = {}): readonly TimelineDay[] {
  const dayOf = dayFormatter(span.timeZone);
  const days = new Map<string, { ids: Set<string>; successes: number; failures: number; commits: number }>();
  const on = (timestamp: string, sessionId: string) => {
    const date = dayOf(timestamp);
    const day = days.get(date) ?? { ids: new Set(), successes: 0, failures: 0, commits: 0 };
    day.ids.add(sessionId);
    days.set(date, day);
    return day;
  };
  for (const digest of digests) {
    const { sessionId, commits, requests } = digest;
    for (const { at, successes, failures } of hoursInSpan(digest, span)) {
      const day = on(at, sessionId);
      day.successes += successes;
      day.failures += failures;
    }
    for (const { at } of commits) if (isInSpan(at, span)) on(at, sessionId).commits++;
    for (const { at } of requests) if (isInSpan(at, span)) on(at, sessionId);
  }
  return [...days]
    .sort(([a], [b]) => compareText(a, b))
    .map(([date, { ids, ...counts }]) => ({ date, sessions: ids.size, ...counts }));
}

/** A part of the history, and the time zone that its days are counted in. */
export interface TimeSpan {
  /** Epoch milliseconds, inclusive. Default: no limit. */
  readonly since?: number;
  /** Epoch milliseconds, exclusive. Default: no limit. */
  readonly until?: number;
  /** IANA time zone, e.g. `Europe/Berlin`. Default: `UTC`. */
  readonly timeZone?: string;
}

const HOUR_MS = 3_600_000;

/** The activity of a session by hour, including hours that are only partly in the span. */
export function hoursInSpan({ hours }: Pick<SessionDigest, 'hours'>, span: TimeSpan): SessionDigest['hours'] {
  const since = span.since === undefined ? undefined : span.since - HOUR_MS + 1;
  return hours.filter(({ at }) => isInSpan(at, { ...span, ...omitUndefined({ since }) }));
}

/** Whether a timestamp is in the span. */
export function isInSpan(timestamp: string, { since, until }: TimeSpan): boolean {
  const time = Date.parse(timestamp);
  if (Number.isNaN(time)) return false;
  return (since === undefined || time >= since) && (until === undefined || time < until);
}

/** Returns a function that formats a timestamp as its day (`2025-11-18`) in the time zone. An unknown zone is UTC. */
export function dayFormatter(timeZone = 'UTC'): (timestamp: string) => string {
  if (timeZone === 'UTC') return utcDay;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    });
  } catch {
    return utcDay;
  }
  return (timestamp) => {
    const time = Date.parse(timestamp);
    return Number.isNaN(time) ? utcDay(timestamp) : format.format(time);
  };
}

function utcDay(timestamp: string): string {
  const end = timestamp.indexOf('T');
  return end < 0 ? timestamp : timestamp.slice(0, end);
}
