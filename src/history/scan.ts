import { archiveFolder } from '../log/index.ts';
import type { Attempt, Message, Problem } from '../record/index.ts';
import { readAttempts, readHistory } from './records.ts';

/** The records of one session, in the order they were written. */
export interface SessionRecords {
  readonly messages: readonly Message[];
  readonly attempts: readonly Attempt[];
}

/** A session that is not there. */
export const NO_RECORDS: SessionRecords = { messages: [], attempts: [] };

/**
 * Reads a project's logs from the start and groups the wanted records by session. Records of a forgotten
 * session, up to the moment it was forgotten, are left out.
 */
export function scanSessions(
  directory: string,
  wanted: (sessionId: string) => boolean,
  onProblem: (problem: Problem) => void,
): ReadonlyMap<string, SessionRecords> {
  const messages: Message[] = [];
  const attempts: Attempt[] = [];
  const forgotten = new Map<string, string>();
  for (const record of readHistory(directory, onProblem)) {
    if (!wanted(record.sessionId)) continue;
    if (record.kind !== 'tombstone') messages.push(record);
    else if (record.timestamp > (forgotten.get(record.sessionId) ?? '')) {
      forgotten.set(record.sessionId, record.timestamp);
    }
  }
  for (const attempt of allAttempts(directory, onProblem)) {
    if (wanted(attempt.sessionId)) attempts.push(attempt);
  }
  const isAlive = (record: Message | Attempt) => record.timestamp > (forgotten.get(record.sessionId) ?? '');
  return groupBySession(messages.filter(isAlive), attempts.filter(isAlive));
}

/** All attempts that are kept, also those in the archive, oldest segment first. */
export function* allAttempts(directory: string, onProblem: (problem: Problem) => void): Generator<Attempt> {
  for (const log of ['failures', 'successes'] as const) {
    for (const folder of [archiveFolder(directory), directory]) yield* readAttempts(folder, log, onProblem);
  }
}

function groupBySession(
  messages: readonly Message[],
  attempts: readonly Attempt[],
): ReadonlyMap<string, SessionRecords> {
  const sessions = new Map<string, { readonly messages: Message[]; readonly attempts: Attempt[] }>();
  const sessionOf = (sessionId: string) => {
    const known = sessions.get(sessionId) ?? { messages: [], attempts: [] };
    sessions.set(sessionId, known);
    return known;
  };
  for (const message of messages) sessionOf(message.sessionId).messages.push(message);
  for (const attempt of attempts) sessionOf(attempt.sessionId).attempts.push(attempt);
  return sessions;
}
