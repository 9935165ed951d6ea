import type { SessionDigest } from '../../memory/index.ts';
import { CHAT_AGENT } from '../session-log.ts';
import type { Asked, MemorySource } from './memory-source.ts';

/** Of the newest sessions, those that are looked through. */
const LOOKED_THROUGH = 200;

/** The part of a session that tells whether it is worth telling of. */
type Told = Pick<SessionDigest, 'sessionId' | 'agent' | 'requests' | 'files' | 'commits' | 'failures'>;

/** The sessions in which something was done, the latest first. */
export function recentWork(asked: Asked, { project, now }: MemorySource): readonly SessionDigest[] {
  const { book } = project.memory.synthesise();
  return book.recent(LOOKED_THROUGH, now()).filter((digest) => isWork(digest, asked));
}

/** Whether something was done in a session. What was only asked in a chat is no work, and neither is what is asked now. */
export function isWork(session: Told, asked: Asked): boolean {
  const { agent, sessionId, requests, files, commits, failures } = session;
  if (files.length + commits.length + failures.length > 0) return true;
  if (requests.some(({ steps, decision }) => steps.length > 0 || decision !== undefined)) return true;
  return agent !== CHAT_AGENT && sessionId !== asked.sessionId && requests.length > 0;
}
