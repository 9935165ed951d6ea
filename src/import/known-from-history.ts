import { readAllAttempts, readHistory } from '../history/index.ts';
import type { Home, Project } from '../project/index.ts';
import {
  type KnownRecords,
  KnownSession,
  KnownSessions,
  readKnownFromTails,
} from '../recording/transcript/known-records.ts';

/**
 * What a project holds already, from the index as it is now. `isLive` tells that an agent may be writing in the session
 * that is asked for: then what was recorded since `startedAt` counts too.
 */
export function knownFromHistory(
  home: Home,
  project: Project,
  { isLive, startedAt }: { readonly isLive: () => boolean; readonly startedAt: number },
): KnownRecords {
  let scanned: ReadonlyMap<string, KnownSession> | undefined;
  return new KnownSessions((sessionId, session) => {
    const recorded = home.recordedSession(project, sessionId);
    if (recorded !== undefined) {
      for (const message of recorded.messages) session.addMessage(message);
      for (const attempt of recorded.attempts) session.addAttempt(attempt);
      if (recorded.forgottenAt !== undefined) session.markDeleted(recorded.forgottenAt);
    } else {
      scanned ??= scanLogs(project.directory);
      const found = scanned.get(sessionId);
      if (found !== undefined) session.merge(found);
    }
    if (isLive()) session.merge(readKnownFromTails(project.directory, () => startedAt).session(sessionId));
  });
}

/** For when there is no index: all sessions in one reading of the logs. */
function scanLogs(directory: string): ReadonlyMap<string, KnownSession> {
  const sessions = new Map<string, KnownSession>();
  const of = (sessionId: string): KnownSession => {
    const known = sessions.get(sessionId) ?? new KnownSession();
    sessions.set(sessionId, known);
    return known;
  };
  for (const record of readHistory(directory, ignore)) {
    const session = of(record.sessionId);
    if (record.kind === 'tombstone') session.markDeleted(record.timestamp);
    else session.addMessage(record);
  }
  for (const attempt of readAllAttempts(directory, ignore)) of(attempt.sessionId).addAttempt(attempt);
  return sessions;
}

function ignore(): void {}
