import { titleFromRequest } from '../facts/session-title.ts';
import { omitUndefined } from '../record/object.ts';
import { getOrAdd } from '../record/once.ts';
import type { ProjectRows } from '../store/project-rows.ts';
import { compareText } from '../text/compare-text.ts';
import { formatCount } from '../text/format-count.ts';
import { quote, quoteCode, quoteId } from '../text/recorded-text.ts';
import type { WorkFailure } from './session-failures.ts';
import { readWorkOf, type SessionWork, type WorkCommit, type WorkRequest } from './session-work.ts';
import { dayFormatter, isInSpan, listWorkDays, type TimeSpan, type WorkDay } from './timeline.ts';

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

/** The work of a session on one day, with the times and the last branch of that day. */
export type RecapSession = Omit<SessionWork, 'commands' | 'counts'>;

/** Options of {@link recap}. */
export interface RecapOptions extends TimeSpan {
  /** Maximum number of days, the latest ones. Default: all. */
  readonly days?: number;
}

/** Groups the work of the user's sessions by day: requests with their outcome, files, commits and failures. */
export function recap(rows: ProjectRows, options: RecapOptions = {}): Recap {
  const dayOf = dayFormatter(options.timeZone);
  const latest = listWorkDays(rows, options).slice(-(options.days ?? Number.POSITIVE_INFINITY));
  const dates = new Set(latest.map(({ date }) => date));
  const byDay = new Map<string, RecapSession[]>();
  for (const id of new Set(latest.flatMap(({ sessions }) => [...sessions]))) {
    for (const session of readWorkOf(rows, [id])) {
      const parts = splitByDay(session, options, dayOf);
      const limits =
        parts.size > 1 || dayOf(session.startedAt) !== dayOf(session.endedAt)
          ? limitsByDay(rows, id, dayOf)
          : undefined;
      for (const [date, part] of parts)
        if (dates.has(date)) getOrAdd(byDay, date, () => []).push({ ...part, ...limits?.get(date) });
    }
  }
  const days = [...byDay]
    .sort(([a], [b]) => compareText(b, a))
    .map(([date, sessions]): RecapDay => ({ date, sessions: sessions.sort(compareStart) }));
  return {
    days,
    totals: countTotals(
      days,
      latest.filter(({ date }) => byDay.has(date)),
    ),
  };
}

/** When a session of several days began and ended on each of them, and the last branch that it was on. */
function limitsByDay(
  { connection }: ProjectRows,
  session: number,
  dayOf: (timestamp: string) => string,
): ReadonlyMap<string, Pick<RecapSession, 'startedAt' | 'endedAt' | 'branch'>> {
  const records = connection.all<{ readonly time: number; readonly branch: string | null }>(
    'SELECT time, branch FROM document LEFT JOIN call ON call.document = document.id WHERE document.session = ? ORDER BY time',
    session,
  );
  const days = new Map<string, { startedAt: string; endedAt: string; branch?: string }>();
  for (const { time, branch } of records) {
    const at = new Date(time).toISOString();
    const day = getOrAdd(days, dayOf(at), () => ({ startedAt: at, endedAt: at }));
    Object.assign(day, { endedAt: at }, branch === null ? {} : { branch });
  }
  return days;
}

function splitByDay(
  work: SessionWork,
  span: TimeSpan,
  dayOf: (timestamp: string) => string,
): ReadonlyMap<string, RecapSession> {
  const days = new Map<string, { requests: WorkRequest[]; commits: WorkCommit[]; failures: WorkFailure[] }>();
  const on = (timestamp: string) => {
    const date = dayOf(timestamp);
    const known = days.get(date) ?? { requests: [], commits: [], failures: [] };
    days.set(date, known);
    return known;
  };
  for (const request of work.requests) {
    for (const { at } of request.steps) if (isInSpan(at, span)) on(at);
    if (isInSpan(request.at, span)) on(request.at).requests.push(request);
  }
  for (const commit of work.commits) if (isInSpan(commit.at, span)) on(commit.at).commits.push(commit);
  for (const failure of work.failures) if (isInSpan(failure.at, span)) on(failure.at).failures.push(failure);
  if (days.size === 0 && isInSpan(work.endedAt, span)) on(work.endedAt);
  const { sessionId, agent, branch, startedAt, endedAt, requests } = work;
  // A title that was made from a request only repeats it.
  const title = requests.some(({ text }) => titleFromRequest(text) === work.title) ? undefined : work.title;
  const identity = omitUndefined({ sessionId, title, agent, branch, startedAt, endedAt });
  const isOneDay = dayOf(startedAt) === dayOf(endedAt);
  return new Map(
    Array.from(days, ([date, parts]) => [
      date,
      { ...identity, ...parts, files: isOneDay ? work.files : filesOn(work, date, dayOf) },
    ]),
  );
}

/** The files that a session of several days changed on one of them. */
function filesOn(work: SessionWork, date: string, dayOf: (timestamp: string) => string): readonly string[] {
  const changed = work.requests.flatMap(({ steps }) =>
    steps
      .filter(({ kind, at }) => (kind === 'edit' || kind === 'create') && dayOf(at) === date)
      .map(({ text }) => text),
  );
  return [...new Set(changed)];
}

function countTotals(days: readonly RecapDay[], counted: readonly WorkDay[]): Recap['totals'] {
  const sessions = days.flatMap((day) => day.sessions);
  const sum = (count: (session: RecapSession) => number) => sessions.reduce((total, one) => total + count(one), 0);
  return {
    sessions: new Set(sessions.map(({ sessionId }) => sessionId)).size,
    requests: sum(({ requests }) => requests.length),
    commits: sum(({ commits }) => commits.length),
    failures: counted.reduce((total, { failures }) => total + failures, 0),
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
    ...work.commits.map((commit) => `  commit: ${quote(commit.message, 160)}${elsewhere(commit, branch)}`),
    ...(files.length === 0 ? [] : [`  files: ${files.join(', ')}${more > 0 ? ` and ${more} more` : ''}`]),
    ...work.failures.map(formatFailure),
  ];
}

/** The branch of a commit, where it is not the one that its session is listed with: ` on "fix/login"`. */
function elsewhere(commit: WorkCommit, branch: string | undefined): string {
  return commit.branch === undefined || commit.branch === branch ? '' : ` on ${quote(commit.branch, 60)}`;
}

function formatRequest({ text, outcome, decision }: WorkRequest): string {
  const feedback = outcome === undefined ? '' : ` (${outcome})`;
  return `- ${quote(text, 160)}${feedback}${decision === undefined ? '' : ` → ${quote(decision, 160)}`}`;
}

function formatFailure({ what, error, fix, open }: WorkFailure): string {
  const status = open ? 'open' : 'worked later';
  const ending = fix === undefined ? status : `resolved by ${quoteCode(fix)}`;
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
