import { getOrAdd } from '../record/once.ts';
import type { ProjectRows } from '../store/project-rows.ts';
import { IS_OWN_WORK } from '../store/session-rows.ts';
import { compareText } from '../text/compare-text.ts';

/** The activity of one day. */
export interface TimelineDay {
  /** `2025-11-18`. */
  readonly date: string;
  readonly sessions: number;
  readonly successes: number;
  readonly failures: number;
  readonly commits: number;
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

/** A day with the rows of its sessions. */
export interface WorkDay extends Omit<TimelineDay, 'sessions'> {
  readonly sessions: ReadonlySet<number>;
}

/** The days on which the user's sessions worked, the earliest first. Hours that are only partly in the span count. */
export function listWorkDays({ connection, project }: ProjectRows, span: TimeSpan): readonly WorkDay[] {
  const { since = -Infinity, until = Infinity, timeZone } = span;
  const hours = connection.all<Record<'session' | 'hour' | 'successes' | 'failures' | 'commits', number>>(
    `SELECT hour.* FROM session JOIN hour ON hour.session = session.id
     WHERE session.project = ? AND ${IS_OWN_WORK} AND hour.hour BETWEEN ? AND ?`,
    project,
    Math.max(Number.MIN_SAFE_INTEGER, Math.floor(since / HOUR_MS)),
    Math.min(Number.MAX_SAFE_INTEGER, Math.ceil(until / HOUR_MS) - 1),
  );
  const dayOf = hourFormatter(timeZone);
  const days = new Map<string, { sessions: Set<number>; successes: number; failures: number; commits: number }>();
  for (const { session, hour, successes, failures, commits } of hours) {
    const day = getOrAdd(days, dayOf(hour), () => ({ sessions: new Set(), successes: 0, failures: 0, commits: 0 }));
    day.sessions.add(session);
    day.successes += successes;
    day.failures += failures;
    day.commits += commits;
  }
  return [...days].sort(([a], [b]) => compareText(a, b)).map(([date, day]) => ({ date, ...day }));
}

/** The days with activity, the earliest first. */
export function timeline(rows: ProjectRows, span: TimeSpan = {}): readonly TimelineDay[] {
  return listWorkDays(rows, span).map((day) => ({ ...day, sessions: day.sessions.size }));
}

/** Whether a timestamp is in the span. */
export function isInSpan(timestamp: string, { since, until }: TimeSpan): boolean {
  const time = Date.parse(timestamp);
  if (Number.isNaN(time)) return false;
  return (since === undefined || time >= since) && (until === undefined || time < until);
}

/** Returns a function that formats an hour, counted from 1970, as its day in the time zone. */
export function hourFormatter(timeZone?: string): (hour: number) => string {
  const dayOf = dayFormatter(timeZone);
  const days = new Map<number, string>();
  return (hour) => getOrAdd(days, hour, () => dayOf(new Date(hour * HOUR_MS).toISOString()));
}

/** Returns a function that formats a timestamp as its day (`2025-11-18`) in the time zone. An unknown zone is UTC. */
export function dayFormatter(timeZone = 'UTC'): (timestamp: string) => string {
  if (timeZone === 'UTC') return utcDay;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
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
