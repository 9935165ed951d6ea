import { type Attempt, type Message, omitUndefined, type SessionSummary } from '../record/index.ts';
import type { SessionRecords } from './records.ts';

const PREVIEW_LENGTH = 100;

/** The first 100 characters of a text, on one line. */
export function formatPreview(text: string): string {
  const line = text
    .slice(0, PREVIEW_LENGTH * 4)
    .replace(/\s+/g, ' ')
    .trim();
  const characters = Array.from(line);
  return characters.length > PREVIEW_LENGTH ? `${characters.slice(0, PREVIEW_LENGTH).join('')}…` : line;
}

/** The preview of a session without messages, from its first attempt. */
export function formatAttemptPreview(attempt: Attempt): string {
  return formatPreview(attempt.context ?? attempt.command ?? attempt.path ?? attempt.pattern ?? attempt.tool ?? '');
}

/** Summarises a session from its records, in any order. */
export function summariseSession(
  project: string,
  sessionId: string,
  { messages, attempts }: SessionRecords,
): SessionSummary {
  const said = messages.filter(({ kind }) => kind !== 'checkpoint');
  const firstMessage = findEarliest(said);
  const firstAttempt = findEarliest(attempts);
  const first = firstMessage ?? firstAttempt;
  const last = findLatest([...messages, ...attempts]);
  const firstText = firstMessage ? formatPreview(firstMessage.content) : firstAttempt && formatAttemptPreview(firstAttempt);
  return {
    sessionId,
    project,
    timestamp: first?.timestamp ?? '',
    lastActivity: last?.timestamp ?? '',
    messageCount: said.length,
    preview: firstText ?? '',
    firstRole: firstMessage?.role ?? 'user',
    ...omitUndefined({ agent: first?.agent ?? last?.agent, branch: last?.branch ?? first?.branch }),
    failures: attempts.filter(({ outcome }) => outcome === 'failure').length,
    successes: attempts.filter(({ outcome }) => outcome === 'success').length,
  };
}

/** Of equal times, the first. */
function findEarliest<T extends Message | Attempt>(records: readonly T[]): T | undefined {
  let earliest = records[0];
  for (const record of records) if (earliest && record.timestamp < earliest.timestamp) earliest = record;
  return earliest;
}

/** Of equal times, the last. */
function findLatest<T extends Message | Attempt>(records: readonly T[]): T | undefined {
  let latest = records[0];
  for (const record of records) if (latest && record.timestamp >= latest.timestamp) latest = record;
  return latest;
}
