import { fileSource } from '../agents/transcript/files.ts';
import type { TranscriptEvent } from '../agents/transcript/transcript-event.ts';
import type { AgentTranscripts, TranscriptSource } from '../agents/transcript/transcript-source.ts';
import type { Config } from '../config/index.ts';
import { storageError } from '../files/index.ts';
import type { Attempt } from '../record/index.ts';
import { Intake } from './intake.ts';
import type { IntakeCounts } from './intake-counts.ts';
import { knownFromTails } from './known-from-tails.ts';
import { PositionStore } from './position-store.ts';

/** What {@link takeTail} needs to know. */
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

/** What {@link takeTail} did. */
export interface TailReport {
  /** Whether it came to the end. If not, the next call goes on from there. */
  readonly isComplete: boolean;
  readonly counts: IntakeCounts;
}

const DEFAULT_BUDGET_MS = 300;
/** Of the budget; the rest is for writing. */
const READING_SHARE = 0.8;

/**
 * Takes in what a transcript has gained since it was read last, in bounded time. Undefined when there is no such file,
 * recording is off, or another process reads the same transcript. Throws YoreError only.
 */
export function takeTail(options: TailOptions): TailReport | undefined {
  const deadline = performance.now() + (options.budgetMs ?? DEFAULT_BUDGET_MS) * READING_SHARE;
  const source = options.isRecording() ? fileSource(options.transcripts.agent, options.path) : undefined;
  if (source === undefined) return undefined;
  const positions = new PositionStore(options.home);
  try {
    return positions.locked(source.path, () => readTail(options, source, positions, deadline));
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
  const intake = new Intake({
    directory: options.directory,
    agent: source.agent,
    rootOf: () => options.root,
    known: knownFromTails(options.directory, () => firstTime ?? now()),
    extraTags: options.config.get('tags.extra'),
    clock: now,
    ...(reading.isResumed && stored !== undefined ? { sessions: stored.sessions } : {}),
    ...(options.onAttempt === undefined ? {} : { onAttempt: options.onAttempt }),
  });
  let isComplete = true;
  for (const event of reading.events) {
    firstTime ??= timeOf(event);
    intake.take(event);
    if (performance.now() < deadline) continue;
    isComplete = false;
    break;
  }
  if (isComplete && options.isOver === true) intake.end();
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

function timeOf(event: TranscriptEvent): number | undefined {
  const time =
    'timestamp' in event && event.timestamp !== undefined ? Date.parse(event.timestamp) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
