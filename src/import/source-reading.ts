import type { TranscriptEvent } from '../agents/transcript/transcript-event.ts';
import type {
  AgentTranscripts,
  TranscriptReading,
  TranscriptSource,
} from '../agents/transcript/transcript-source.ts';
import type { PositionStore, StoredPosition } from '../recording/transcript/position-store.ts';
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

/** So long one part may take: in between, others get a turn and what was read is safe. */
const PART_MS = 300;
/** A call is over when its session has been quiet for so long. */
const QUIET_MS = 24 * 3_600_000;
const EVENTS_BETWEEN_LOOKS = 64;

/** A source that is being taken in, part by part. Whoever uses it holds the source's lock. */
export class SourceReading {
  readonly #source: TranscriptSource;
  readonly #reader: SourceReader;
  readonly #reading: TranscriptReading;
  readonly #router: EventRouter;
  readonly #events: Iterator<TranscriptEvent>;
  readonly #firstByte: number;

  /** Goes on from `before`, if that fits. Throws STORAGE when the source cannot be read, here and later. */
  constructor(source: TranscriptSource, before: StoredPosition | undefined, reader: SourceReader) {
    const reading = reader.transcripts.read(source, before?.position);
    this.#source = source;
    this.#reader = reader;
    this.#reading = reading;
    const sessions = reading.isResumed ? (before?.sessions ?? []) : [];
    this.#router = new EventRouter(source, reader.surroundings, reader.tally.counts, sessions);
    this.#events = reading.events[Symbol.iterator]();
    this.#firstByte = reading.bytesRead();
  }

  /** Reads the next part, takes it in and stores how far it came. False when that was the last one. */
  next(): boolean {
    const isComplete = this.#readPart();
    if (isComplete) this.#router.end(new Date(this.#reader.now() - QUIET_MS).toISOString());
    this.#router.flush();
    this.#store(isComplete);
    if (isComplete) this.#report();
    return !isComplete;
  }

  /** Lets go of the source. Needed when it is not read to its end. */
  close(): void {
    this.#events.return?.();
  }

  /** Whether it came to the end. */
  #readPart(): boolean {
    const until = performance.now() + PART_MS;
    for (let events = 1; ; events++) {
      const { done, value: event } = this.#events.next();
      if (done === true) return true;
      this.#router.take(event);
      if (event.type === 'skip' && event.isProblem === true) this.#noteProblem(event.reason);
      if (events % EVENTS_BETWEEN_LOOKS !== 0) continue;
      this.#reader.onBytes(this.#reading.bytesRead());
      if (performance.now() >= until) return false;
    }
  }

  #noteProblem(reason: string): void {
    const line = this.#reading.linesRead();
    this.#reader.tally.addProblem({ path: this.#source.path, line, reason });
  }

  #store(isComplete: boolean): void {
    // Where nothing was taken in, because recording is off or the project is not known, it may be another time.
    if (this.#reader.surroundings.dryRun || this.#router.isLeftOut) return;
    const { agent, path, stamp } = this.#source;
    this.#reader.positions.write({
      agent,
      path,
      stamp: isComplete ? stamp : '',
      position: this.#reading.position(),
      sessions: this.#router.sessions,
      lastRead: new Date(this.#reader.now()).toISOString(),
    });
  }

  #report(): void {
    const { tally, onGain } = this.#reader;
    tally.lines += this.#reading.linesRead();
    tally.bytes += this.#reading.bytesRead() - this.#firstByte;
    for (const [place, { counts, touched }] of this.#router.intakes) {
      tally.counts.add(counts);
      const gained = counts.messages + Object.values(counts.attempts).reduce((sum, count) => sum + count, 0);
      for (const { id, lastTime } of touched) {
        tally.addSession(id);
        if (gained > 0 && lastTime !== undefined) onGain(place, lastTime);
      }
    }
  }
}
