import { BloomFilter } from '../../files/index.ts';
import type { CallAnalysis } from '../call/call-analysis.ts';
import type { KnownFailure, TrackRecord } from './hazard.ts';
import type { NewestTimes } from './log-time.ts';
import { emptySession, type SessionTrace } from './session-trace.ts';

/** Where a book continues from: what was folded before. */
export interface FailureSource {
  hazard(key: string): KnownFailure | undefined;
  session(id: string): SessionTrace | undefined;
  mark(name: string): number | undefined;
  seen(): BloomFilter;
  record(kind: string): TrackRecord | undefined;
  choice(key: string): FailureChoice | undefined;
  alike(name: string): readonly string[] | undefined;
  /** The newest times of the attempts. */
  newest(): NewestTimes;
}

/** What the user decided about a hazard. */
export type FailureChoice = 'dismiss' | 'pin' | 'none';

const NOTHING: FailureSource = {
  hazard: () => undefined,
  session: () => undefined,
  mark: () => undefined,
  seen: () => BloomFilter.withCapacity(MOST_PATHS),
  record: () => undefined,
  choice: () => undefined,
  alike: () => undefined,
  newest: () => [],
};
/** Paths that are told apart well. */
const MOST_PATHS = 12_000;

/**
 * What may fail again, as far as it can be asked: what was folded before, read when it is needed, and what lies on top of
 * it. `FailureBook` adds what takes in attempts, and with it all that analyses failures.
 */
export class FailureLookup {
  readonly hazards: Map<string, KnownFailure> = new Map();
  readonly sessions: Map<string, SessionTrace> = new Map();
  /** When something last happened: `edit`, `install`, `checkout`, `commit` in a checkout. */
  readonly marks: Map<string, number> = new Map();
  readonly records: Map<string, TrackRecord> = new Map();
  readonly choices: Map<string, FailureChoice> = new Map();
  /** Keys of calls that failed as a whole, by what kind of call they are: see {@link likeName}. */
  readonly likes: Map<string, readonly string[]> = new Map();
  /** The newest times of the attempts: what the present is told by. */
  readonly newest: number[];
  readonly #source: FailureSource;
  #seen: BloomFilter | undefined;

  /** `seen` and `newest`: where they are newer than those of the source. */
  constructor(source: FailureSource = NOTHING, seen?: BloomFilter, newest?: NewestTimes) {
    this.#source = source;
    this.#seen = seen;
    this.newest = [...(newest ?? source.newest())];
  }

  /** Paths that calls have found. A filter, so that it does not grow with the history. */
  get seen(): BloomFilter {
    this.#seen ??= this.#source.seen();
    return this.#seen;
  }

  /** What is known about a key. */
  hazard(key: string): KnownFailure | undefined {
    const known = this.hazards.get(key) ?? this.#source.hazard(key);
    if (known !== undefined) this.hazards.set(key, known);
    return known;
  }

  /** What a session has seen and done. */
  session(id: string): SessionTrace {
    const known = this.sessions.get(id) ?? this.#source.session(id) ?? emptySession();
    this.sessions.set(id, known);
    return known;
  }

  /** When something last happened in a checkout; 0 for never. */
  lastTime(event: string, worktree: string): number {
    const name = `${event} ${worktree}`;
    return this.marks.get(name) ?? this.#source.mark(name) ?? 0;
  }

  /** How the warnings of a kind ended so far. */
  trackRecord(kind: string): TrackRecord {
    return this.records.get(kind) ?? this.#source.record(kind) ?? { right: 0, wrong: 0 };
  }

  /** What the user decided about a hazard. */
  choice(key: string): FailureChoice {
    return this.choices.get(key) ?? this.#source.choice(key) ?? 'none';
  }

  /** Keys of failed calls of the same kind as this one, newest last. */
  alike(call: CallAnalysis): readonly string[] {
    const name = likeName(call);
    return this.likes.get(name) ?? this.#source.alike(name) ?? [];
  }
}

/** The kind of a call: the program with its subcommands, or the tool. Only calls of one kind are compared. */
export function likeName(call: CallAnalysis): string {
  const head =
    call.needs.find((key) => key.startsWith('head:')) ?? call.needs.find((key) => key.startsWith('tool:'));
  return `${call.family} ${head ?? ''}`;
}
