import { fileSource } from '../../agents/transcript/files.ts';
import { type AgentTranscripts, findEventTime, type TranscriptSource } from '../../agents/transcript/transcript.ts';
import { storageError } from '../../files/file-access.ts';
import { tryWithLock } from '../../files/lock.ts';
import { omitUndefined } from '../../record/object.ts';
import type { Attempt } from '../../record/record.ts';
import type { RecorderOptions } from '../recorder.ts';
import type { ImportCounts } from './import-counts.ts';
import { readKnownFromTails } from './known-records.ts';
import { PositionStore } from './position-store.ts';
import { TranscriptRecorder } from './transcript-recorder.ts';
import { addUnknownParts, NOTHING_UNDERSTOOD } from './unknown-parts.ts';

/** Options of {@link importTail}. */
export interface TailOptions
  extends Pick<RecorderOptions, 'directory' | 'root' | 'config' | 'isRecording' | 'now' | 'checkouts'> {
  /** yore's home folder. */
  readonly home: string;
  readonly transcripts: AgentTranscripts;
  /** Path of the transcript. */
  readonly path: string;
  /** The session to read, if the transcript holds many. */
  readonly sessionId?: string;
  /** Time limit in milliseconds. Default 300. */
  readonly budgetMs?: number;
  /** The session has ended, so that calls without a result are recorded as unclear. Default false. */
  readonly isOver?: boolean;
  /** Called for each attempt after it was written. */
  readonly onAttempt?: (attempt: Attempt) => void;
}

/** The result of {@link importTail}. */
interface TailReport {
  /** False if the time limit was reached; the next call continues from there. */
  readonly isComplete: boolean;
  readonly counts: ImportCounts;
}

const DEFAULT_BUDGET_MS = 300;
/** Share of the time limit for reading; the rest is for writing. */
const READING_SHARE = 0.8;

/**
 * Records what was added to a transcript since it was last read, within a time limit. Returns undefined when the file
 * does not exist, recording is off, or another process is reading the same transcript. Throws YoreError only.
 */
export function importTail(options: TailOptions): TailReport | undefined {
  const deadline = performance.now() + (options.budgetMs ?? DEFAULT_BUDGET_MS) * READING_SHARE;
  const { sessionId } = options;
  const file = options.isRecording() ? fileSource(options.transcripts.agent, options.path) : undefined;
  if (file === undefined) return undefined;
  const source = { ...file, ...omitUndefined({ sessionId }) };
  const key = sessionId === undefined ? source.path : `${source.path}#${sessionId}`;
  const positions = new PositionStore(options.home);
  try {
    return tryWithLock(positions.lockPath(key), () => readTail(options, source, { positions, key }, deadline));
  } catch (error) {
    throw storageError('read', source.path, error);
  }
}

function readTail(
  options: TailOptions,
  source: TranscriptSource,
  { positions, key }: { readonly positions: PositionStore; readonly key: string },
  deadline: number,
): TailReport {
  const now = options.now ?? Date.now;
  const stored = positions.read(key);
  const reading = options.transcripts.read(source, stored?.position);
  let firstTime: number | undefined;
  const recorder = new TranscriptRecorder({
    directory: options.directory,
    agent: source.agent,
    findRoot: () => options.root,
    checkouts: options.checkouts,
    known: readKnownFromTails(options.directory, () => firstTime ?? now()),
    extraTags: options.config.get('tags.extra'),
    defaultTime: now,
    ...omitUndefined({
      sessions: reading.isResumed ? stored?.sessions : undefined,
      onAttempt: options.onAttempt,
    }),
  });
  let isComplete = true;
  const unknown = new Map<string, number>();
  let isUnderstood = reading.isResumed;
  for (const event of reading.events) {
    firstTime ??= findEventTime(event);
    recorder.add(event);
    if (event.type === 'message' || event.type === 'call') isUnderstood = true;
    if (event.type === 'skip' && event.isProblem) unknown.set(event.reason, (unknown.get(event.reason) ?? 0) + 1);
    if (performance.now() < deadline) continue;
    isComplete = false;
    break;
  }
  if (isComplete && options.isOver === true) recorder.endOpenCalls();
  recorder.flush();
  positions.write({
    agent: source.agent,
    path: key,
    stamp: isComplete ? source.stamp : '',
    position: isComplete && recorder.isDeleted ? {} : reading.position(),
    sessions: recorder.sessions,
    lastRead: new Date(now()).toISOString(),
  });
  if (isComplete && !isUnderstood && unknown.size > 0) unknown.set(NOTHING_UNDERSTOOD, 1);
  const lastAt = now();
  const parts = [...unknown].map(([reason, count]) => ({
    reason,
    count,
    path: key,
    lastAt,
    isWhole: reason === NOTHING_UNDERSTOOD,
  }));
  addUnknownParts(options.home, source.agent, parts, lastAt);
  return { isComplete, counts: recorder.counts };
}
