import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { tryWithLock } from '../../files/index.ts';
import { appendRecord, type LogCursor, openSegment, readBackwards, readSince } from '../../log/index.ts';
import { type Attempt, newMessageId, RECORD_VERSION, textHash, YoreError } from '../../record/index.ts';
import { describeCall } from '../call/describe-call.ts';
import type { ToolCall } from '../call/tool-call.ts';
import { FailureSnapshot } from './book-file.ts';
import { type CheckOptions, checkCall, type FailureMatch } from './check-call.ts';
import { Claims } from './claims.ts';
import { FailureIndex } from './failure-book.ts';
import type { KnownFailure } from './hazard.ts';
import type { FailureChoice } from './known-failures.ts';
import { ATTEMPT_LOGS, GUARD_LOGS, recordIn, timeIn } from './log-record.ts';
import { type NewestTimes, noteTime, presentOf } from './log-time.ts';
import { type RecentBook, readRecent, writeRecent } from './recent-file.ts';
import { type FailureWarning, warningOf } from './warning.ts';
import type { WarningRecord } from './warning-log.ts';
import type { MachineState } from './world.ts';

/** How a guard decides. The settings of the same names say the same. */
export interface GuardOptions {
  readonly failureLookbackDays: number;
  readonly minConfidence: number;
  /** What can be seen of the machine. Default: nothing. */
  readonly world?: MachineState;
}

/** What a question to the guard may say besides the call. */
export type Asked = Pick<CheckOptions, 'request' | 'kinds' | 'pendingCalls'>;

const DAY_MS = 86_400_000;
/** So much of the logs is read again by every process before one folds it into the file. */
const MOST_READ_AGAIN = 256 * 1024;
/** Less than this is not worth a new file, however small that is. */
const LEAST_FOLDED = 4 * 1024;
/** A process that stays folds less often: it has read the logs before. */
const MOST_UNFOLDED = 4 * 1024 * 1024;

/**
 * The guard of one project: knows what failed lately and tells before it fails again. Reads a derived file beside the
 * logs and what the logs have gained since; any number of processes may use it at once.
 */
export class Guard {
  readonly #directory: string;
  readonly #options: GuardOptions;
  readonly #claims: Claims;
  #file: FailureSnapshot | undefined;
  #book: FailureIndex = new FailureIndex();
  #isOpen = false;
  /** What was read goes on from the derived file. */
  #isContinued = false;
  /** And from what another process kept on top of it. */
  #hasRecent = false;
  #cursor: LogCursor | undefined;
  /** What the logs have gained since the derived file was written, in characters. */
  #unfolded = 0;
  /** The part of it that no process has kept. */
  #unkept = 0;
  /** What the first reading of this process found on top of the derived file. */
  #readAgain: number | undefined;

  constructor(directory: string, options: GuardOptions) {
    this.#directory = directory;
    this.#options = options;
    this.#claims = new Claims(directory);
  }

  /** Opened when it is first asked: who only records needs nothing of it. */
  #open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#isContinued = true;
    this.#file = FailureSnapshot.open(this.#path);
    this.#goOnFrom(readRecent(this.#recentPath, this.#file, FailureIndex));
  }

  #goOnFrom(recent: RecentBook<FailureIndex> | undefined): void {
    this.#hasRecent = recent !== undefined;
    this.#book = recent?.book ?? new FailureIndex(this.#file);
    this.#cursor = recent?.cursor ?? this.#file?.cursor;
    this.#unfolded = recent?.unfolded ?? 0;
  }

  get #path(): string {
    return join(this.#directory, 'guard.idx');
  }

  get #recentPath(): string {
    return join(this.#directory, 'guard.recent');
  }

  /**
   * Would this call be warned about? Changes nothing, and says the same every time. `request` tells what the user
   * asked for, when it matters.
   */
  check(call: ToolCall, asked: Asked = {}): FailureWarning | undefined {
    const verdict = this.judge(call, asked);
    return verdict === undefined || verdict.confidence < this.#options.minConfidence
      ? undefined
      : warningOf(verdict);
  }

  /** The most likely reason for a call to fail, however likely; undefined when nothing speaks for it. */
  judge(call: ToolCall, asked: Asked = {}): FailureMatch | undefined {
    return this.#mending(() => this.#judge(call, asked));
  }

  #judge(call: ToolCall, asked: Asked): FailureMatch | undefined {
    const now = Date.parse(call.timestamp);
    if (Number.isNaN(now)) return undefined;
    this.catchUp(now);
    return checkCall(this.#book, describeCall(call), {
      sessionId: call.sessionId,
      now,
      lookbackDays: this.#options.failureLookbackDays,
      ...(this.#options.world === undefined ? {} : { world: this.#options.world }),
      ...asked,
    });
  }

  /**
   * The warning for a call that is about to run, the first time only: doing the same again goes through. It is
   * recorded before it is given, so that it cannot be given twice, whatever happens.
   */
  warn(call: ToolCall, request?: () => string | undefined): FailureWarning | undefined {
    const warning = this.check(call, { ...(request === undefined ? {} : { request }) });
    return warning !== undefined && this.give(call, warning) ? warning : undefined;
  }

  /** Records a warning that is about to be given; false when it was given before in the session. */
  give(call: ToolCall, warning: FailureWarning): boolean {
    const { sessionId, agent, timestamp } = call;
    const { key, signature, attemptId, text } = warning;
    const id = newMessageId(Date.parse(timestamp));
    if (!this.#claims.take({ sessionId, agent, signature }, { warningId: id, key })) return false;
    const { command, path } = describeCall(call);
    this.#append({
      v: RECORD_VERSION,
      kind: 'warning',
      id,
      timestamp,
      sessionId,
      ...(agent === undefined ? {} : { agent }),
      key,
      signature,
      attemptId,
      confidence: Math.round(warning.confidence * 1000) / 1000,
      what: command ?? path ?? signature,
      text,
    });
    return true;
  }

  /** Whether a call of that id was recorded lately. */
  hasSeen(call: Pick<ToolCall, 'sessionId' | 'callId' | 'timestamp'>): boolean {
    if (call.callId === undefined) return false;
    const hash = textHash(call.callId);
    return this.#mending(() => {
      // What this process records afterwards it knows by itself.
      if (this.#readAgain === undefined) this.catchUp(Date.parse(call.timestamp));
      return this.#book.session(call.sessionId).recent.includes(hash);
    });
  }

  /** Whether a session has shown twice that warnings are wrong in it: from then on they are only noted. */
  isOverruled(sessionId: string): boolean {
    return this.#mending(() => this.#book.session(sessionId).goodOverrides >= 2);
  }

  /**
   * Notes how a call ended that had been warned about in its session. `isAgain`: a process may have begun to do so before
   * it died.
   */
  settle(attempt: Attempt, isAgain = false): void {
    if (attempt.outcome !== 'success' && attempt.outcome !== 'failure') return;
    const { sessionId, agent, signature } = attempt;
    if (signature === undefined) return;
    const key = { sessionId, agent, signature };
    const claim = this.#claims.settle(key) ?? (isAgain ? this.#claims.settled(key) : undefined);
    if (claim === undefined || (isAgain && this.#isSettled(claim.warningId))) return;
    this.#append({
      v: RECORD_VERSION,
      kind: 'override',
      id: newMessageId(Date.parse(attempt.timestamp)),
      timestamp: attempt.timestamp,
      sessionId,
      warningId: claim.warningId,
      key: claim.key,
      succeeded: attempt.outcome === 'success',
    });
  }

  #isSettled(warningId: string): boolean {
    const path = openSegment(this.#directory, 'warnings');
    for (const line of readBackwards(path, MOST_READ_AGAIN, warningId)) {
      const entry = recordIn('warnings', line, 0);
      if (entry !== undefined && 'warningId' in entry && entry.warningId === warningId) return true;
    }
    return false;
  }

  /** Silences a hazard for good, keeps it past its time, or takes either back. */
  choose(kind: 'dismiss' | 'pin' | 'reset', key: string, now: number): void {
    const timestamp = new Date(now).toISOString();
    const hazard = kind === 'pin' ? this.#mending(() => this.#hazard(key, now)) : undefined;
    this.#append({
      v: RECORD_VERSION,
      kind,
      id: newMessageId(now),
      timestamp,
      sessionId: '',
      key,
      ...(hazard === undefined ? {} : { hazard }),
    });
  }

  #hazard(key: string, now: number): KnownFailure | undefined {
    this.catchUp(now);
    return this.#book.hazard(key);
  }

  /** What the user decided about a hazard. */
  choice(key: string): FailureChoice {
    return this.#mending(() => this.#book.choice(key));
  }

  /** Whether the user or a call that went well has spoken against a hazard of another project since it failed. */
  isRefuted({ key, lastAt }: KnownFailure): boolean {
    return this.#mending(
      () => this.#book.choice(key) === 'dismiss' || this.#book.lastTime('overridden', key) > lastAt,
    );
  }

  /** What may fail again, newest first. */
  hazards(now: number): readonly KnownFailure[] {
    return this.#hazardsIn(now, (file) => file.hazards());
  }

  /**
   * The newest of them that were open and of which it is known what they were for, newest first: some hundreds at most.
   * Costs far less than all.
   */
  newestHazards(now: number): readonly KnownFailure[] {
    return this.#hazardsIn(now, (file) => file.newestHazards());
  }

  #hazardsIn(now: number, read: (file: FailureSnapshot) => Iterable<KnownFailure>): readonly KnownFailure[] {
    return this.#mending(() => {
      this.catchUp(now);
      const found = new Map<string, KnownFailure>();
      for (const hazard of this.#file === undefined ? [] : read(this.#file)) found.set(hazard.key, hazard);
      for (const [key, hazard] of this.#book.hazards) found.set(key, hazard);
      return [...found.values()].sort((a, b) => b.lastAt - a.lastAt);
    });
  }

  /** Takes in what the logs have gained. */
  catchUp(now: number): void {
    this.#open();
    let lines = readSince(this.#directory, GUARD_LOGS, this.#cursor);
    if (lines.restarted && this.#hasRecent) {
      this.#goOnFrom(undefined);
      lines = readSince(this.#directory, GUARD_LOGS, this.#cursor);
    }
    if (lines.restarted) {
      this.reset();
      lines = readSince(this.#directory, GUARD_LOGS);
    }
    if (!lines.pending) {
      this.#readAgain ??= this.#unfolded;
      return;
    }
    const { earliest } = presentOf(now, this.#newestTimes());
    const oldest = earliest - this.#options.failureLookbackDays * DAY_MS - DAY_MS;
    const records: (Attempt | WarningRecord)[] = [];
    for (const { log, line } of lines.entries) {
      this.#unfolded += line.text.length;
      this.#unkept += line.text.length;
      const record = recordIn(log, line.text, oldest);
      if (record === undefined) continue;
      records.push(record);
    }
    this.#cursor = lines.cursor();
    records.sort((a, b) => (a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : 0));
    for (const record of records) {
      if ('outcome' in record) this.#book.apply(record);
      else this.#book.applyWarning(record);
    }
    this.#readAgain ??= this.#unfolded;
  }

  /** Of what was read before; when that is nothing, of all there is to read. */
  #newestTimes(): NewestTimes {
    if (this.#cursor !== undefined) return this.#book.newest;
    const times: number[] = [];
    for (const { line } of readSince(this.#directory, ATTEMPT_LOGS).entries)
      noteTime(times, timeIn(line.text));
    return times;
  }

  /**
   * Folds what the logs have gained into the derived file when that is worth it. Not before a call: it takes a while.
   * `eagerly` when nobody waits: every process that starts meanwhile has less to read.
   */
  tidy(now: number, options: { readonly eagerly?: boolean } = {}): void {
    if (Number.isNaN(now)) return;
    forgiving(() => {
      if (options.eagerly === true) this.#mending(() => this.catchUp(now));
      const most = options.eagerly === true ? this.#worthFolding() : MOST_READ_AGAIN;
      if ((this.#readAgain ?? 0) > most || this.#unfolded > MOST_UNFOLDED) this.fold(now);
      else if (options.eagerly === true) this.keep(now);
    });
  }

  /**
   * Takes in what the logs have gained and keeps it in a small file on top of the derived one, so that a process that
   * starts next has nothing to read. For one that ends soon; it takes a few milliseconds at most.
   */
  keep(now: number): void {
    if (Number.isNaN(now)) return;
    forgiving(() => {
      this.#mending(() => this.catchUp(now));
      const cursor = this.#cursor;
      if (cursor === undefined || this.#unkept === 0) return;
      if (!this.#isContinued || this.#unfolded > MOST_UNFOLDED) {
        this.fold(now);
        return;
      }
      writeRecent(this.#recentPath, { book: this.#book, cursor, unfolded: this.#unfolded }, this.#file);
      this.#unkept = 0;
    });
  }

  /** Writing a large file for a few lines costs more than it spares. */
  #worthFolding(): number {
    const size = statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0;
    return Math.min(MOST_READ_AGAIN, Math.max(LEAST_FOLDED, size / 100));
  }

  /** Writes the derived file. Does nothing while another process does. */
  fold(now: number): void {
    this.#mending(() => this.#fold(now));
  }

  #fold(now: number): void {
    this.catchUp(now);
    const cursor = this.#cursor;
    if (cursor === undefined) return;
    tryWithLock(join(this.#directory, 'guard.lock'), () => {
      const lookbackMs = this.#options.failureLookbackDays * DAY_MS;
      FailureSnapshot.write(this.#path, this.#book, this.#file, { cursor, now, lookbackMs });
      this.#file?.close();
      this.#file = FailureSnapshot.open(this.#path);
      this.#book = new FailureIndex(this.#file);
      this.#isContinued = true;
      this.#unfolded = 0;
      this.#unkept = 0;
      this.#readAgain = 0;
      rmSync(this.#recentPath, { force: true });
      this.#claims.tidy(now);
    });
  }

  close(): void {
    this.#file?.close();
    this.#file = undefined;
  }

  /** A derived file that turns out to be damaged is made anew from the logs. */
  #mending<T>(work: () => T): T {
    this.#open();
    try {
      return work();
    } catch (error) {
      if (this.#file === undefined || error instanceof YoreError) throw error;
      this.reset();
      rmSync(this.#path, { force: true });
      return work();
    }
  }

  /** Drops what was read, so that it is read again. */
  reset(): void {
    this.#isOpen = true;
    this.#isContinued = false;
    this.#hasRecent = false;
    this.#file?.close();
    this.#file = undefined;
    this.#book = new FailureIndex();
    this.#cursor = undefined;
    this.#unfolded = 0;
    this.#unkept = 0;
    this.#readAgain = undefined;
  }

  #append(entry: WarningRecord): void {
    appendRecord(openSegment(this.#directory, 'warnings'), entry);
  }
}

/** Without a new derived file the logs are read again: slower, not wrong. */
function forgiving(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof YoreError)) throw error;
  }
}
