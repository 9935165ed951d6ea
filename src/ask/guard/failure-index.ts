import type { CallAnalysis } from '../../facts/call/analyse-call.ts';
import { BloomFilter } from '../../files/keyed-file.ts';
import { textHash } from '../../record/id.ts';
import type { FailureChoice, KnownFailure, TrackRecord } from './known-failure.ts';

/** What a {@link FailureIndex} continues from: a snapshot of an earlier one. */
export interface FailureSource {
  failure(key: string): KnownFailure | undefined;
  session(id: string): SessionTrace | undefined;
  lastTime(name: string): number | undefined;
  seenPaths(): BloomFilter;
  trackRecord(kind: string): TrackRecord | undefined;
  choice(key: string): FailureChoice | undefined;
  similarCalls(name: string): readonly string[] | undefined;
  newestTimes(): NewestTimes;
}

/** How many paths the filter of seen paths holds with few false positives. */
const SEEN_PATHS_CAPACITY = 12_000;

/**
 * All known failures of a project: those in a snapshot, each read when it is asked for, and what has changed since.
 * `apply-record.ts` updates it; looking something up needs none of the code that analyses failures.
 */
export class FailureIndex {
  readonly failures: Map<string, KnownFailure> = new Map();
  readonly sessions: Map<string, SessionTrace> = new Map();
  /** See {@link lastTime}. */
  readonly lastTimes: Map<string, number> = new Map();
  readonly trackRecords: Map<string, TrackRecord> = new Map();
  readonly choices: Map<string, FailureChoice> = new Map();
  /** Keys of calls that failed as a whole, by {@link similarityGroup}. */
  readonly similar: Map<string, readonly string[]> = new Map();
  /** The newest timestamps of attempts, ascending. */
  readonly newestTimes: number[];
  readonly #source: FailureSource | undefined;
  #seenPaths: BloomFilter | undefined;

  /** `seenPaths` and `newestTimes` replace those of the source. */
  constructor(source?: FailureSource, seenPaths?: BloomFilter, newestTimes?: NewestTimes) {
    this.#source = source;
    this.#seenPaths = seenPaths;
    this.newestTimes = [...(newestTimes ?? source?.newestTimes() ?? [])];
  }

  /** Paths that calls have found to exist. A Bloom filter, so that it does not grow with the history. */
  get seenPaths(): BloomFilter {
    this.#seenPaths ??= this.#source?.seenPaths() ?? BloomFilter.withCapacity(SEEN_PATHS_CAPACITY);
    return this.#seenPaths;
  }

  failure(key: string): KnownFailure | undefined {
    const known = this.failures.get(key) ?? this.#source?.failure(key);
    if (known !== undefined) this.failures.set(key, known);
    return known;
  }

  /** What a session has done so far; an empty trace for an unknown one. */
  session(id: string): SessionTrace {
    const known = this.sessions.get(id) ?? this.#source?.session(id) ?? emptySession();
    this.sessions.set(id, known);
    return known;
  }

  /**
   * When an event last happened; 0 for never. `subject` is the checkout for `edit`, `install`, `checkout`, `commit`, …, the
   * agent for `shown-counts`, and the key of the failure for `overridden`.
   */
  lastTime(event: string, subject: string): number {
    const name = `${event} ${subject}`;
    return this.lastTimes.get(name) ?? this.#source?.lastTime(name) ?? 0;
  }

  /** How the warnings about a kind of failure turned out so far. */
  trackRecord(kind: string): TrackRecord {
    return this.trackRecords.get(kind) ?? this.#source?.trackRecord(kind) ?? { right: 0, wrong: 0 };
  }

  choice(key: string): FailureChoice {
    return this.choices.get(key) ?? this.#source?.choice(key) ?? 'none';
  }

  /** Keys of failed calls in the same similarity group, newest last. */
  similarCalls(call: CallAnalysis): readonly string[] {
    const name = similarityGroup(call);
    return this.similar.get(name) ?? this.#source?.similarCalls(name) ?? [];
  }
}

/** Only calls of one group are compared with each other: the same program with its subcommand, or the same tool. */
export function similarityGroup(call: CallAnalysis): string {
  const head = call.needs.find((key) => key.startsWith('head:')) ?? call.needs.find((key) => key.startsWith('tool:'));
  return `${call.family} ${head ?? ''}`;
}

/** What a session has seen and done, as far as the guard needs it. */
export interface SessionTrace {
  calls: number;
  lastAt: number;
  /** Files that its file tools read or wrote. */
  readonly read: Set<string>;
  /** Files that a shell command showed or wrote. */
  readonly shown: Set<string>;
  /** It edited a file it had not read. It continues another session, so what it has read is unknown. */
  editsUnread: boolean;
  /** Successful overrides of warnings. */
  goodOverrides: number;
  /** Keys of its failures that may still be solved, newest last. */
  unsolved: string[];
  /** Hashes of the ids of the last recorded calls. */
  recent: number[];
}

const MAX_RECENT = 200;

function emptySession(): SessionTrace {
  return {
    calls: 0,
    lastAt: 0,
    read: new Set(),
    shown: new Set(),
    editsUnread: false,
    goodOverrides: 0,
    unsolved: [],
    recent: [],
  };
}

/** Whether a call edits a file that the session's file tools have not read. */
export function isUnreadEdit(call: CallAnalysis, session: SessionTrace): boolean {
  return call.family === 'edit' && call.files.length > 0 && !call.files.some((file) => session.read.has(file));
}

/** Remembers a call by its id; false when it was recorded before. */
export function rememberCall(session: SessionTrace, callId: string): boolean {
  const hash = textHash(callId);
  if (session.recent.includes(hash)) return false;
  session.recent.push(hash);
  if (session.recent.length > MAX_RECENT) session.recent.splice(0, session.recent.length - MAX_RECENT);
  return true;
}

/** The newest timestamps of a log, ascending. At most {@link MAX_NEWEST_TIMES}. */
export type NewestTimes = readonly number[];

/** A wrong clock is believed once this many records carry its time. */
const MAX_NEWEST_TIMES = 32;

/** Adds a timestamp to the newest ones. */
export function addTime(times: number[], at: number): void {
  const [oldest = Number.NEGATIVE_INFINITY] = times;
  if (!Number.isFinite(at) || (times.length === MAX_NEWEST_TIMES && at <= oldest)) return;
  times.splice(times.findLastIndex((time) => time <= at) + 1, 0, at);
  if (times.length > MAX_NEWEST_TIMES) times.shift();
}

/** The present time with its uncertainty. */
export interface PresentRange {
  readonly earliest: number;
  readonly latest: number;
}

/**
 * The present according to both the clock and the log. What is dropped from a snapshot is lost until the snapshot is
 * rebuilt, so nothing may be dropped because of a wrong clock, or of the few records written with one.
 */
export function estimatePresent(now: number, times: NewestTimes): PresentRange {
  const logged = times[0] ?? now;
  return { earliest: Math.min(now, logged), latest: Math.max(now, logged) };
}
