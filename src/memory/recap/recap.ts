import type { DigestCommit, DigestRequest, SessionDigest, SessionFailure } from '../digest/session-digest.ts';
import { dayFinder, isWithin, type TimeSpan } from './time-span.ts';

/** What was worked on, by day and session. */
export interface Recap {
  /** The latest first. */
  readonly days: readonly RecapDay[];
  readonly totals: {
    readonly sessions: number;
    readonly requests: number;
    readonly commits: number;
    readonly failures: number;
    readonly files: number;
  };
}

/** One day. */
export interface RecapDay {
  /** `2025-11-18`. */
  readonly date: string;
  /** Those that began first first. */
  readonly sessions: readonly RecapSession[];
}

/** What a session did on a day. */
export interface RecapSession {
  readonly sessionId: string;
  readonly agent?: string;
  readonly branch?: string;
  /** Of the whole session. */
  readonly startedAt: string;
  readonly endedAt: string;
  readonly requests: readonly DigestRequest[];
  readonly files: readonly string[];
  readonly commits: readonly DigestCommit[];
  readonly failures: readonly SessionFailure[];
}

/** What {@link recap} is about. */
export interface RecapOptions extends TimeSpan {
  /** Most days, the latest ones. Default: all. */
  readonly days?: number;
}

/** What was worked on: requests and their outcome, files, commits, failures and how they were solved. */
export function recap(digests: Iterable<SessionDigest>, options: RecapOptions = {}): Recap {
  const dayOf = dayFinder(options.timeZone);
  const byDay = new Map<string, RecapSession[]>();
  for (const digest of digests) {
    for (const [date, session] of sessionDays(digest, options, dayOf)) {
      const sessions = byDay.get(date);
      if (sessions) sessions.push(session);
      else byDay.set(date, [session]);
    }
  }
  const days = [...byDay]
    .sort(([a], [b]) => (a < b ? 1 : -1))
    .slice(0, options.days)
    .map(([date, sessions]): RecapDay => ({ date, sessions: sessions.sort(byStart) }));
  return { days, totals: totalsOf(days) };
}

function sessionDays(
  digest: SessionDigest,
  span: TimeSpan,
  dayOf: (timestamp: string) => string,
): ReadonlyMap<string, RecapSession> {
  const days = new Map<
    string,
    { requests: DigestRequest[]; commits: DigestCommit[]; failures: SessionFailure[] }
  >();
  const on = (timestamp: string) => {
    const date = dayOf(timestamp);
    const known = days.get(date) ?? { requests: [], commits: [], failures: [] };
    days.set(date, known);
    return known;
  };
  for (const request of digest.requests)
    if (isWithin(request.at, span)) on(request.at).requests.push(request);
  for (const commit of digest.commits) if (isWithin(commit.at, span)) on(commit.at).commits.push(commit);
  for (const failure of digest.failures)
    if (isWithin(failure.at, span)) on(failure.at).failures.push(failure);
  if (days.size === 0 && digest.files.length > 0 && isWithin(digest.endedAt, span)) on(digest.endedAt);
  const { sessionId, agent, branch, startedAt, endedAt } = digest;
  const identity = {
    sessionId,
    ...(agent === undefined ? {} : { agent }),
    ...(branch === undefined ? {} : { branch }),
  };
  const isOneDay = dayOf(startedAt) === dayOf(endedAt);
  return new Map(
    Array.from(days, ([date, parts]) => [
      date,
      {
        ...identity,
        startedAt,
        endedAt,
        ...parts,
        files: isOneDay ? digest.files : filesOn(digest, date, dayOf),
      },
    ]),
  );
}

/** Of a session of several days, the files that its steps on one of them changed. */
function filesOn(
  digest: SessionDigest,
  date: string,
  dayOf: (timestamp: string) => string,
): readonly string[] {
  const changed = digest.requests.flatMap(({ steps }) =>
    steps
      .filter(({ kind, at }) => (kind === 'edit' || kind === 'create') && dayOf(at) === date)
      .map(({ text }) => text),
  );
  return [...new Set(changed)];
}

function totalsOf(days: readonly RecapDay[]): Recap['totals'] {
  const sessions = days.flatMap((day) => day.sessions);
  const sum = (count: (session: RecapSession) => number) =>
    sessions.reduce((total, one) => total + count(one), 0);
  return {
    sessions: new Set(sessions.map(({ sessionId }) => sessionId)).size,
    requests: sum(({ requests }) => requests.length),
    commits: sum(({ commits }) => commits.length),
    failures: sum(({ failures }) => failures.length),
    files: new Set(sessions.flatMap(({ files }) => files)).size,
  };
}

function byStart(a: RecapSession, b: RecapSession): number {
  if (a.startedAt !== b.startedAt) return a.startedAt < b.startedAt ? -1 : 1;
  return a.sessionId < b.sessionId ? -1 : 1;
}
