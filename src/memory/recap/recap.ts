import { omitUndefined } from '../../record/object.ts';
import { compareText } from '../../text/compare-text.ts';
import { formatCount } from '../../text/format-count.ts';
import { quote, quoteCode, quoteId } from '../../text/recorded-text.ts';
import { titleFromRequest } from '../../text/session-title.ts';
import type { DigestCommit, DigestRequest, SessionDigest, SessionFailure } from '../digest/session-digest.ts';
import { dayFormatter, hoursInSpan, isInSpan, type TimeSpan } from './timeline.ts';

/** What was worked on, by day and session. */
export interface Recap {
  /** The latest first. */
  readonly days: readonly RecapDay[];
  readonly totals: {
    readonly sessions: number;
    readonly requests: number;
    readonly commits: number;
    /** Failed calls, as the timeline counts them. Sessions list the most informative ones. */
    readonly failures: number;
    readonly files: number;
  };
}

/** One day. */
export interface RecapDay {
  /** `2025-11-18`. */
  readonly date: string;
  /** In order of their start. */
  readonly sessions: readonly RecapSession[];
}

/** The work of a session on one day; its times are those of the whole session. */
export type RecapSession = Omit<SessionDigest, 'commands' | 'counts' | 'hours'>;

/** Options of {@link recap}. */
export interface RecapOptions extends TimeSpan {
  /** Maximum number of days, the latest ones. Default: all. */
  readonly days?: number;
}

/** Groups the work of sessions by day: requests with their outcome, files, commits and failures. */
export function recap(digests: Iterable<SessionDigest>, options: RecapOptions = {}): Recap {
  const dayOf = dayFormatter(options.timeZone);
  const byDay = new Map<string, RecapSession[]>();
  const failures = new Map<string, number>();
  for (const digest of digests) {
    for (const { at, failures: count } of hoursInSpan(digest, options)) {
      failures.set(dayOf(at), (failures.get(dayOf(at)) ?? 0) + count);
    }
    for (const [date, session] of splitByDay(digest, options, dayOf)) {
      const sessions = byDay.get(date);
      if (sessions) sessions.push(session);
      else byDay.set(date, [session]);
    }
  }
  const days = [...byDay]
    .sort(([a], [b]) => compareText(b, a))
    .slice(0, options.days)
    .map(([date, sessions]): RecapDay => ({ date, sessions: sessions.sort(compareStart) }));
  return { days, totals: countTotals(days, failures) };
}

function splitByDay(
  digest: SessionDigest,
  span: TimeSpan,
  dayOf: (timestamp: string) => string,
): ReadonlyMap<string, RecapSession> {
  const days = new Map<string, { requests: DigestRequest[]; commits: DigestCommit[]; failures: SessionFailure[] }>();
  const on = (timestamp: string) => {
    const date = dayOf(timestamp);
    const known = days.get(date) ?? { requests: [], commits: [], failures: [] };
    days.set(date, known);
    return known;
  };
  for (const request of digest.requests) if (isInSpan(request.at, span)) on(request.at).requests.push(request);
  for (const commit of digest.commits) if (isInSpan(commit.at, span)) on(commit.at).commits.push(commit);
  for (const failure of digest.failures) if (isInSpan(failure.at, span)) on(failure.at).failures.push(failure);
  if (days.size === 0 && isInSpan(digest.endedAt, span)) on(digest.endedAt);
  const { sessionId, agent, branch, startedAt, endedAt, requests } = digest;
  // A title that was made from a request only repeats it.
  const title = requests.some(({ text }) => titleFromRequest(text) === digest.title) ? undefined : digest.title;
  const identity = omitUndefined({ sessionId, title, agent, branch, startedAt, endedAt });
  const isOneDay = dayOf(startedAt) === dayOf(endedAt);
  return new Map(
    Array.from(days, ([date, parts]) => [
      date,
      { ...identity, ...parts, files: isOneDay ? digest.files : filesOn(digest, date, dayOf) },
    ]),
  );
}

/** The files that a session of several days changed on one of them. */
function filesOn(digest: SessionDigest, date: string, dayOf: (timestamp: string) => string): readonly string[] {
  const changed = digest.requests.flatMap(({ steps }) =>
    steps
      .filter(({ kind, at }) => (kind === 'edit' || kind === 'create') && dayOf(at) === date)
      .map(({ text }) => text),
  );
  return [...new Set(changed)];
}

function countTotals(days: readonly RecapDay[], failures: ReadonlyMap<string, number>): Recap['totals'] {
  const sessions = days.flatMap((day) => day.sessions);
  const sum = (count: (session: RecapSession) => number) => sessions.reduce((total, one) => total + count(one), 0);
  return {
    sessions: new Set(sessions.map(({ sessionId }) => sessionId)).size,
    requests: sum(({ requests }) => requests.length),
    commits: sum(({ commits }) => commits.length),
    failures: days.reduce((total, { date }) => total + (failures.get(date) ?? 0), 0),
    files: new Set(sessions.flatMap(({ files }) => files)).size,
  };
}

function compareStart(a: RecapSession, b: RecapSession): number {
  return compareText(a.startedAt, b.startedAt) || compareText(a.sessionId, b.sessionId);
}

const MAX_FILES = 6;

/** Formats a recap as plain text for an agent: whole lines, at most `maxSize` characters. */
export function formatRecap(recap: Recap, maxSize: number): string {
  if (recap.days.length === 0) return fitLines(['Nothing was recorded in that period.'], maxSize);
  const { sessions, requests, commits, failures } = recap.totals;
  const lines = [
    `${formatCount(sessions, 'session')}, ${formatCount(requests, 'request')}, ${formatCount(commits, 'commit')}, ${formatCount(failures, 'failure')} on ${formatCount(recap.days.length, 'day')}.`,
  ];
  for (const { date, sessions: ofDay } of recap.days) {
    lines.push(`## ${date}`);
    for (const session of ofDay) lines.push(...formatSession(session));
  }
  return fitLines(lines, maxSize);
}

function formatSession({ sessionId, title, agent, branch, ...work }: RecapSession): readonly string[] {
  const where = [
    ...(agent === undefined ? [] : [quoteId(agent, 60)]),
    ...(branch === undefined ? [] : [quote(branch, 60)]),
  ];
  const more = work.files.length - MAX_FILES;
  const files = work.files.slice(0, MAX_FILES).map((file) => quoteCode(file));
  return [
    `Session ${title === undefined ? '' : `${quote(title, 120)} `}${quoteId(sessionId, 80)}${where.length > 0 ? ` (${where.join(', ')})` : ''}`,
    ...work.requests.filter(({ text }) => text !== '').map(formatRequest),
    ...work.commits.map(({ message }) => `  commit: ${quote(message, 160)}`),
    ...(files.length === 0 ? [] : [`  files: ${files.join(', ')}${more > 0 ? ` and ${more} more` : ''}`]),
    ...work.failures.map(formatFailure),
  ];
}

function formatRequest({ text, outcome, decision }: DigestRequest): string {
  const feedback = outcome === undefined ? '' : ` (${outcome})`;
  return `- ${quote(text, 160)}${feedback}${decision === undefined ? '' : ` → ${quote(decision, 160)}`}`;
}

function formatFailure({ what, error, resolution, open }: SessionFailure): string {
  const status = open ? 'open' : 'worked later';
  const ending = resolution === undefined ? status : `resolved by ${quoteCode(resolution)}`;
  return `  failed: ${quoteCode(what)}${error === '' ? '' : `: ${quote(error, 120)}`} (${ending})`;
}

function fitLines(lines: readonly string[], maxSize: number): string {
  let text = '';
  for (const line of lines) {
    const next = text === '' ? line : `${text}\n${line}`;
    if (next.length > maxSize) break;
    text = next;
  }
  return text;
}
