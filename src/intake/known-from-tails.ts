import { statIfExists } from '../files/index.ts';
import { parseLine } from '../history/index.ts';
import { type LogName, listSegments, readBackwards } from '../log/index.ts';
import { parseAttempt, parseHistoryRecord } from '../record/index.ts';
import { RememberedSessions } from './known-records.ts';
import type { KnownSession } from './known-session.ts';

const FIRST_LOOK_BYTES = 256 * 1024;
const MOST_BYTES = 8 * 1024 * 1024;
/** Clocks and the order of lines differ a little. */
const SLACK_MS = 10 * 60_000;

/**
 * What the ends of a project's logs hold, for a process that has no index and no time to read all. Enough for what
 * hooks recorded since the transcript was read last: `since` says when that was, in epoch milliseconds.
 */
export function knownFromTails(directory: string, since: () => number): RememberedSessions {
  const tails = new Map<LogName, readonly string[]>();
  const tailOf = (log: LogName): readonly string[] => {
    const known = tails.get(log);
    if (known !== undefined) return known;
    const lines = readTail(directory, log, since() - SLACK_MS);
    tails.set(log, lines);
    return lines;
  };
  return new RememberedSessions((sessionId, session) => fill(session, sessionId, tailOf));
}

function fill(session: KnownSession, sessionId: string, tailOf: (log: LogName) => readonly string[]): void {
  const named = JSON.stringify(sessionId);
  for (const line of tailOf('history')) {
    const parsed = line.includes(named) ? parseLine(line, parseHistoryRecord) : undefined;
    if (parsed?.ok !== true || parsed.record.sessionId !== sessionId) continue;
    const { record } = parsed;
    if (record.kind !== 'tombstone') session.addMessage(record);
    else session.forget(record.timestamp);
  }
  for (const log of ['failures', 'successes'] as const) {
    for (const line of tailOf(log)) {
      const parsed = line.includes(named) ? parseLine(line, parseAttempt) : undefined;
      if (parsed?.ok === true && parsed.record.sessionId === sessionId) session.addAttempt(parsed.record);
    }
  }
}

/** The last lines of a log, as far back as `since` needs, newest first. */
function readTail(directory: string, log: LogName, since: number): readonly string[] {
  const lines: string[] = [];
  for (const { path } of listSegments(directory, log).toReversed()) {
    const tail = readSegmentTail(path, since);
    for (const line of tail) lines.push(line);
    if (isOlder(tail.at(-1), since)) break;
  }
  return lines;
}

function readSegmentTail(path: string, since: number): readonly string[] {
  for (let bytes = FIRST_LOOK_BYTES; ; bytes *= 4) {
    const lines = [...readBackwards(path, bytes)];
    if (bytes >= MOST_BYTES || (statIfExists(path)?.size ?? 0) <= bytes) return lines;
    // Imported records are old wherever they stand: only a whole stretch of old lines means that it was far enough.
    const earlierHalf = lines.slice(lines.length >> 1);
    if (earlierHalf.length > 0 && earlierHalf.every((line) => isOlder(line, since))) return lines;
  }
}

/** Told from the beginning of a line, where yore writes the time. */
function isOlder(line: string | undefined, since: number): boolean {
  if (line === undefined) return false;
  const at = line.indexOf('"timestamp":"');
  return at >= 0 && Date.parse(line.slice(at + 13, at + 37)) < since;
}
