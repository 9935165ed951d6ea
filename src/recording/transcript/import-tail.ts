import { fileSource } from '../../agents/transcript/files.ts';
import type { TranscriptEvent } from '../../agents/transcript/transcript-event.ts';
import type { AgentTranscripts, TranscriptSource } from '../../agents/transcript/transcript-source.ts';
import type { Config } from '../../config/index.ts';
import { statIfExists, storageError } from '../../files/index.ts';
import { parseLine } from '../../history/index.ts';
import { type LogName, listSegments, readBackwards } from '../../log/index.ts';
import { type Attempt, parseAttempt, parseHistoryRecord } from '../../record/index.ts';
import type { ImportCounts } from './import-counts.ts';
import { type KnownSession, KnownSessions } from './known-records.ts';
import { PositionStore } from './position-store.ts';
import { TranscriptRecorder } from './transcript-recorder.ts';

/** What {@link importTail} needs to know. */
export interface TailOptions {
  /** yore's home folder. */
  readonly home: string;
  /** Of the agent whose transcript it is. */
  readonly transcripts: AgentTranscripts;
  /** The transcript. */
  readonly path: string;
  /** The folder that holds the project's logs. */
  readonly directory: string;
  /** The checkout that is worked on. */
  readonly root: string;
  readonly config: Config;
  readonly isRecording: () => boolean;
  /** Milliseconds. Default 300. */
  readonly budgetMs?: number;
  /** Default: the clock. */
  readonly now?: () => number;
  /** The session is over: calls without a result are recorded as unclear. Default false. */
  readonly isOver?: boolean;
  /** Told of each attempt that was written. */
  readonly onAttempt?: (attempt: Attempt) => void;
}

/** What {@link importTail} did. */
interface TailReport {
  /** Whether it came to the end. If not, the next call goes on from there. */
  readonly isComplete: boolean;
  readonly counts: ImportCounts;
}

const DEFAULT_BUDGET_MS = 300;
/** Of the budget; the rest is for writing. */
const READING_SHARE = 0.8;

/**
 * Takes in what a transcript has gained since it was read last, in bounded time. Undefined when there is no such file,
 * recording is off, or another process reads the same transcript. Throws YoreError only.
 */
export function importTail(options: TailOptions): TailReport | undefined {
  const deadline = performance.now() + (options.budgetMs ?? DEFAULT_BUDGET_MS) * READING_SHARE;
  const source = options.isRecording() ? fileSource(options.transcripts.agent, options.path) : undefined;
  if (source === undefined) return undefined;
  const positions = new PositionStore(options.home);
  try {
    return positions.tryWithLock(source.path, () => readTail(options, source, positions, deadline));
  } catch (error) {
    throw storageError('read', source.path, error);
  }
}

function readTail(
  options: TailOptions,
  source: TranscriptSource,
  positions: PositionStore,
  deadline: number,
): TailReport {
  const now = options.now ?? Date.now;
  const stored = positions.read(source.path);
  const reading = options.transcripts.read(source, stored?.position);
  let firstTime: number | undefined;
  const intake = new TranscriptRecorder({
    directory: options.directory,
    agent: source.agent,
    findRoot: () => options.root,
    known: readKnownFromTails(options.directory, () => firstTime ?? now()),
    extraTags: options.config.get('tags.extra'),
    clock: now,
    ...(reading.isResumed && stored !== undefined ? { sessions: stored.sessions } : {}),
    ...(options.onAttempt === undefined ? {} : { onAttempt: options.onAttempt }),
  });
  let isComplete = true;
  for (const event of reading.events) {
    firstTime ??= parseEventTime(event);
    intake.add(event);
    if (performance.now() < deadline) continue;
    isComplete = false;
    break;
  }
  if (isComplete && options.isOver === true) intake.endOpenCalls();
  intake.flush();
  positions.write({
    agent: source.agent,
    path: source.path,
    stamp: isComplete ? source.stamp : '',
    position: reading.position(),
    sessions: intake.sessions,
    lastRead: new Date(now()).toISOString(),
  });
  return { isComplete, counts: intake.counts };
}

function parseEventTime(event: TranscriptEvent): number | undefined {
  const time =
    'timestamp' in event && event.timestamp !== undefined ? Date.parse(event.timestamp) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

const MIN_TAIL_BYTES = 256 * 1024;
const MAX_TAIL_BYTES = 8 * 1024 * 1024;
/** Clocks and the order of lines differ a little. */
const SLACK_MS = 10 * 60_000;

/**
 * What the ends of a project's logs hold, for a process that has no index and no time to read all. Enough for what
 * hooks recorded since the transcript was read last: `since` says when that was, in epoch milliseconds.
 */
export function readKnownFromTails(directory: string, since: () => number): KnownSessions {
  const tails = new Map<LogName, readonly string[]>();
  const tailOf = (log: LogName): readonly string[] => {
    const known = tails.get(log);
    if (known !== undefined) return known;
    const lines = readLogTail(directory, log, since() - SLACK_MS);
    tails.set(log, lines);
    return lines;
  };
  return new KnownSessions((sessionId, session) => addRecords(session, sessionId, tailOf));
}

function addRecords(
  session: KnownSession,
  sessionId: string,
  tailOf: (log: LogName) => readonly string[],
): void {
  const named = JSON.stringify(sessionId);
  for (const line of tailOf('history')) {
    const parsed = line.includes(named) ? parseLine(line, parseHistoryRecord) : undefined;
    if (parsed?.ok !== true || parsed.record.sessionId !== sessionId) continue;
    const { record } = parsed;
    if (record.kind !== 'tombstone') session.addMessage(record);
    else session.markDeleted(record.timestamp);
  }
  for (const log of ['failures', 'successes'] as const) {
    for (const line of tailOf(log)) {
      const parsed = line.includes(named) ? parseLine(line, parseAttempt) : undefined;
      if (parsed?.ok === true && parsed.record.sessionId === sessionId) session.addAttempt(parsed.record);
    }
  }
}

/** The last lines of a log, as far back as `since` needs, newest first. */
function readLogTail(directory: string, log: LogName, since: number): readonly string[] {
  const lines: string[] = [];
  for (const { path } of listSegments(directory, log).toReversed()) {
    const tail = readSegmentTail(path, since);
    for (const line of tail) lines.push(line);
    if (isOlder(tail.at(-1), since)) break;
  }
  return lines;
}

function readSegmentTail(path: string, since: number): readonly string[] {
  for (let bytes = MIN_TAIL_BYTES; ; bytes *= 4) {
    const lines = [...readBackwards(path, bytes)];
    if (bytes >= MAX_TAIL_BYTES || (statIfExists(path)?.size ?? 0) <= bytes) return lines;
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
