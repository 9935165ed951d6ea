import { scanSessions } from '../history/index.ts';
import { NOTES_SESSION } from '../record/index.ts';
import type { RecordCounts } from '../search/index.ts';

/** Counts by reading the logs of projects from the start; for when there is no index to ask. */
export function countRecords(directories: readonly string[]): RecordCounts {
  const counts = { sessions: 0, messages: 0, failures: 0, successes: 0 };
  for (const directory of directories) {
    const found = scanSessions(
      directory,
      () => true,
      () => {},
    );
    for (const [sessionId, { messages, attempts }] of found) {
      if (sessionId !== NOTES_SESSION || messages.length > 0) counts.sessions++;
      counts.messages += messages.filter((message) => message.kind !== 'checkpoint').length;
      counts.failures += attempts.filter((attempt) => attempt.outcome === 'failure').length;
      counts.successes += attempts.filter((attempt) => attempt.outcome === 'success').length;
    }
  }
  return counts;
}
