import { type SessionRecords, SessionSummaryBuilder, scanSessions } from '../history/index.ts';
import type { SessionSummary } from '../record/index.ts';
import { characterKind, roleKind } from './session-kinds.ts';
import { SESSIONS_SHOWN, type SessionFilter, type SessionPage } from './sessions.ts';
import type { ProjectSource } from './tracked-files.ts';

/** Lists sessions without the index, by reading the logs. */
export function scanForSessions(projects: readonly ProjectSource[], filter: SessionFilter): SessionPage {
  const wanted = projects.filter(({ id }) => filter.projects?.includes(id) ?? true);
  const sessions = wanted.flatMap((source) => summaries(source, filter));
  sessions.sort(
    (a, b) =>
      compare(b.lastActivity, a.lastActivity) ||
      compare(a.sessionId, b.sessionId) ||
      compare(a.project, b.project),
  );
  const first = Math.max(0, filter.offset ?? 0);
  const shown = sessions.slice(first, first + Math.max(0, filter.limit ?? SESSIONS_SHOWN));
  return { sessions: shown, total: sessions.length };
}

function summaries({ id, directory }: ProjectSource, filter: SessionFilter): readonly SessionSummary[] {
  const sessions = scanSessions(
    directory,
    () => true,
    () => {},
  );
  return [...sessions]
    .filter(([, records]) => hasKinds(filter, records))
    .map(([sessionId, records]) => summaryOf(id, sessionId, records))
    .filter((summary) => passes(filter, summary));
}

function summaryOf(project: string, sessionId: string, records: SessionRecords): SessionSummary {
  const tally = new SessionSummaryBuilder(project, sessionId);
  for (const message of records.messages) tally.addMessage(message);
  for (const attempt of records.attempts) tally.addAttempt(attempt);
  return tally.summary();
}

function hasKinds({ role, outcome }: SessionFilter, { messages, attempts }: SessionRecords): boolean {
  const hasRole = role === undefined || messages.some((message) => characterKind(message) === roleKind(role));
  return hasRole && (outcome === undefined || attempts.some((attempt) => attempt.outcome === outcome));
}

function passes(filter: SessionFilter, summary: SessionSummary): boolean {
  const { agent, branch, since, until } = filter;
  return (
    (agent === undefined || summary.agent === agent) &&
    (branch === undefined || summary.branch === branch) &&
    (since === undefined || Date.parse(summary.lastActivity) >= Date.parse(since)) &&
    (until === undefined || Date.parse(summary.timestamp) <= Date.parse(until))
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
