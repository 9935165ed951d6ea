import type { AgentTranscripts, TranscriptSource } from '../agents/transcript/transcript-source.ts';
import type { PositionStore, StoredPosition } from '../intake/index.ts';
import { EventRouter, type RouterSurroundings } from './event-router.ts';
import type { AgentTally } from './import-report.ts';
import type { ProjectPlace } from './project-places.ts';

/** What reading a source needs. */
export interface SourceReader {
  readonly transcripts: AgentTranscripts;
  readonly positions: PositionStore;
  readonly surroundings: RouterSurroundings;
  readonly tally: AgentTally;
  readonly now: () => number;
  /** Told now and then how many bytes of the source are done. */
  readonly onBytes: (bytes: number) => void;
  /** Told of a project that gained something, and of the time of that. */
  readonly onGain: (place: ProjectPlace, timestamp: string) => void;
}

/** A part of a source that was read. */
export interface ReadPart {
  readonly isComplete: boolean;
  /** Where to go on. */
  readonly stored: StoredPosition;
}

/** So long one part may take: in between, others get a turn and what was read is safe. */
const PART_MS = 300;
/** A call is over when its session has been quiet for so long. */
const QUIET_MS = 24 * 3_600_000;
const EVENTS_BETWEEN_LOOKS = 64;

/**
 * Reads the next part of a source from where it was left, takes it in and stores how far it came. Throws STORAGE when it
 * cannot be read.
 */
export function readPart(
  source: TranscriptSource,
  before: StoredPosition | undefined,
  reader: SourceReader,
): ReadPart {
  const { tally, now } = reader;
  const until = performance.now() + PART_MS;
  const reading = reader.transcripts.read(source, before?.position);
  const router = new EventRouter(
    source,
    reader.surroundings,
    tally.counts,
    reading.isResumed ? (before?.sessions ?? []) : [],
  );
  const firstByte = reading.bytesRead();
  let isComplete = true;
  let events = 0;
  for (const event of reading.events) {
    router.take(event);
    if (event.type === 'skip' && event.isProblem === true) {
      tally.addProblem({ path: source.path, line: reading.linesRead(), reason: event.reason });
    }
    if (++events % EVENTS_BETWEEN_LOOKS !== 0) continue;
    reader.onBytes(reading.bytesRead());
    if (performance.now() < until) continue;
    isComplete = false;
    break;
  }
  if (isComplete) router.end(new Date(now() - QUIET_MS).toISOString());
  router.flush();
  report(router, reader);
  tally.lines += reading.linesRead();
  tally.bytes += Math.max(0, reading.bytesRead() - firstByte);
  const stored: StoredPosition = {
    agent: source.agent,
    path: source.path,
    stamp: isComplete ? source.stamp : '',
    position: reading.position(),
    sessions: router.sessions,
    lastRead: new Date(now()).toISOString(),
  };
  // Where recording is off nothing was taken in: it is read again when recording goes on.
  const isLeft = router.hasPaused && router.intakes.size === 0;
  if (!reader.surroundings.dryRun && !isLeft) reader.positions.write(stored);
  return { isComplete, stored };
}

function report({ intakes }: EventRouter, { tally, onGain }: SourceReader): void {
  for (const [place, { counts, touched }] of intakes) {
    tally.counts.add(counts);
    const gained = counts.messages + Object.values(counts.attempts).reduce((sum, count) => sum + count, 0);
    for (const { id, lastTime } of touched) {
      tally.addSession(id);
      if (gained > 0 && lastTime !== undefined) onGain(place, lastTime);
    }
  }
}
