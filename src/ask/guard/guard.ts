import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describeAttempt } from '../../facts/call/command-text.ts';
import { describeCall, findRoot } from '../../facts/call/describe-call.ts';
import { isOwnTool, type ToolCall } from '../../facts/call/tool-call.ts';
import type { FailureKind } from '../../facts/failure/failure-kinds.ts';
import { parseWarningRecord, type WarningRecord } from '../../facts/warning-record.ts';
import { appendRecord } from '../../log/append.ts';
import { readBackwards } from '../../log/read.ts';
import { openSegmentPath, teamFolder } from '../../log/segments.ts';
import { newMessageId, textHash } from '../../record/id.ts';
import { omitUndefined, parseObject } from '../../record/object.ts';
import { type Attempt, RECORD_VERSION } from '../../record/record.ts';
import { ResolutionReader } from '../../memory/digest/resolutions.ts';
import {
  completeCall,
  type GivenWarning,
  type GuardOffReason,
  type GuardOptions,
  type OtherProject,
  TEAM_KINDS,
} from './check-call.ts';
import { Claims } from '../../recording/claims.ts';
import type { FailureReader } from './current-failures.ts';
import { SNAPSHOT_FILE } from './failure-snapshot.ts';
import { FailureStore } from './failure-store.ts';
import {
  type FailedRequest,
  type FailureChoice,
  findResolution,
  isActive,
  isOngoing,
  type KnownFailure,
  kindOf,
  PORTABLE_KINDS,
} from './known-failure.ts';
import { estimateRecurrence, type FailureMatch, type MatchOptions, matchFailure } from './match-failure.ts';
import { SessionRequests } from '../../recording/session-requests.ts';
import { type FailureWarning, toWarning } from './warning.ts';

/** Kinds of failures of a colleague that something done here since may have solved. */
const SOLVED_BY_SETUP: ReadonlySet<FailureKind> = new Set<FailureKind>([
  'program',
  'setting',
  'service',
  'subcommand',
  'target',
  'call',
]);
const SETUP_EVENTS = ['install', 'prepare', 'checkout', 'build'];
/** A failure on another machine counts less, and even less if it depends on what is installed there. */
const OTHER_MACHINE_FACTOR = 0.95;
const OTHER_SETUP_FACTOR = 0.88;

/** Whether a failure is not about the state of one working tree. */
function isAboutAnyMachine({ class: failureClass }: KnownFailure): boolean {
  return failureClass !== 'state' && failureClass !== 'stale' && failureClass !== 'transient';
}

function otherMachineFactor({ key }: KnownFailure): number {
  return SOLVED_BY_SETUP.has(kindOf(key)) ? OTHER_SETUP_FACTOR : OTHER_MACHINE_FACTOR;
}

const MAX_OTHER_PROJECTS = 20;
/** After this many successful overrides in a session, warnings are only notes. */
const MAX_GOOD_OVERRIDES = 2;
/** How far back the override of a warning is looked for, in bytes. */
const OVERRIDE_LOOKBACK = 256 * 1024;

/**
 * Decides whether a call is likely to fail again. Everything that warns asks {@link check} or {@link warn}: hooks (by
 * `checkCall`), recorder, chat, MCP server and command line.
 */
export class Guard implements FailureReader {
  readonly store: FailureStore;
  /** What the user asked last in each session. */
  readonly requests: SessionRequests;
  readonly #directory: string;
  readonly #options: GuardOptions;
  readonly #claims: Claims;
  readonly #resolutions: ResolutionReader;
  #team: Guard | undefined;

  /** `directory` holds the project's logs. `store` as in {@link FailureStore}. */
  constructor(directory: string, options: GuardOptions, store: { readonly isSnapshotOnly?: boolean } = {}) {
    this.#directory = directory;
    this.#options = options;
    this.#claims = new Claims(directory);
    this.#resolutions = new ResolutionReader(directory);
    this.store = new FailureStore(directory, options.failureLookbackDays, store);
    this.requests = new SessionRequests(directory);
  }

  /** Why the guard says nothing at all; undefined while it is on. */
  offReason(): GuardOffReason | undefined {
    return this.#options.offReason?.();
  }

  /** The warning for a call, if there is one. Records nothing, and gives the same answer every time. */
  check(call: ToolCall): FailureWarning | undefined {
    if (isOwnTool(call.tool) || this.offReason() !== undefined) return undefined;
    const completed = completeCall(call, this.#options);
    const match = this.match(completed);
    return match !== undefined && match.confidence >= this.#options.minConfidence
      ? toWarning(match, this.findResolution(match.failure))
      : (this.#checkTeam(completed) ?? this.#checkOtherProjects(completed));
  }

  /**
   * The guard over the local copy of what the team shares; undefined without one. It answers from its snapshot, which
   * `yore sync` writes.
   */
  team(): Guard | undefined {
    const directory = teamFolder(this.#directory);
    if (this.#team === undefined && existsSync(join(directory, SNAPSHOT_FILE))) {
      const { otherProjects: _, ...options } = this.#options;
      this.#team = new Guard(directory, options, { isSnapshotOnly: true });
    }
    return this.#team;
  }

  /** Looks for the call among the failures of colleagues. */
  #checkTeam(call: ToolCall, kinds: ReadonlySet<FailureKind> = TEAM_KINDS): FailureWarning | undefined {
    const team = this.team();
    const match = team?.match(call, { kinds });
    if (team === undefined || match === undefined) return undefined;
    const confidence = match.confidence * otherMachineFactor(match.failure);
    if (confidence < this.#options.minConfidence || this.#isSolvedHere(match.failure, call)) return undefined;
    return toWarning({ ...match, confidence }, team.findResolution(match.failure));
  }

  /** The failures of colleagues that the guard would warn about now; `all`: also those that have ended, or are too old. */
  teamFailures(now: number, { all = false }: { readonly all?: boolean } = {}): readonly KnownFailure[] {
    const team = this.team();
    if (team === undefined) return [];
    return team.store.failures(now).filter((failure) => {
      if (all) return true;
      if (!TEAM_KINDS.has(kindOf(failure.key)) || !isAboutAnyMachine(failure)) return false;
      const confidence = team.estimate(failure, now) * otherMachineFactor(failure);
      return confidence >= this.#options.minConfidence && !this.#isRefuted(failure);
    });
  }

  /** Whether a failure of a colleague does not apply here: it was refuted, has worked, or something was set up since. */
  #isSolvedHere(failure: KnownFailure, call: ToolCall): boolean {
    if (!isAboutAnyMachine(failure) || this.#isRefuted(failure)) return true;
    const worktree = findRoot(describeCall(call)) ?? '';
    return this.store.read((index) => {
      const own = index.failure(failure.key);
      if ((own?.endedAt ?? 0) > failure.lastAt) return true;
      if (!SOLVED_BY_SETUP.has(kindOf(failure.key))) return false;
      return SETUP_EVENTS.some((event) => index.lastTime(event, worktree) > failure.lastAt);
    });
  }

  /**
   * The warning for a call that is about to run, if it is the first one for this call in the session: the repeated call
   * goes through. It is recorded before it is returned, so that no two processes give it.
   */
  warn(call: ToolCall): GivenWarning | undefined {
    const warning = this.check(call);
    if (warning === undefined || !this.#record(completeCall(call, this.#options), warning)) return undefined;
    const { mode = 'denyOnce' } = this.#options;
    return { warning, mode: this.givesOnlyNotes(call.sessionId) ? 'note' : mode };
  }

  /** The failure that a call is most likely to run into, whatever its confidence. */
  match(call: ToolCall, options: Pick<MatchOptions, 'kinds'> = {}): FailureMatch | undefined {
    const now = Date.parse(call.timestamp);
    if (Number.isNaN(now)) return undefined;
    const { failureLookbackDays: lookbackDays, machine } = this.#options;
    const { sessionId } = call;
    const request = (): string | undefined => this.requests.get(sessionId);
    return this.store.read(
      (index) =>
        matchFailure(index, describeCall(call), {
          sessionId,
          now,
          lookbackDays,
          request,
          ...omitUndefined({ machine }),
          ...options,
        }),
      now,
    );
  }

  /** Looks for the call in other projects, for failures that are not about their files. */
  #checkOtherProjects(call: ToolCall): FailureWarning | undefined {
    for (const { name, guard } of this.otherProjects()) {
      const match = guard.match(call, { kinds: PORTABLE_KINDS });
      if (match === undefined || match.confidence < this.#options.minConfidence) {
        const warning = guard.#checkTeam(call, PORTABLE_KINDS);
        if (warning !== undefined) return warning;
        continue;
      }
      if (!this.#isRefuted(match.failure)) return toWarning(match, guard.findResolution(match.failure), name);
    }
    return undefined;
  }

  /** The projects to look in besides this one, most recently active first; none without `retrieval.crossProject`. */
  *otherProjects(): Generator<OtherProject & { readonly guard: Guard }> {
    const { otherProjects, ...options } = this.#options;
    for (const project of otherProjects?.().slice(0, MAX_OTHER_PROJECTS) ?? []) {
      const guard = new Guard(project.directory, options);
      try {
        yield { ...project, guard };
      } finally {
        guard.close();
      }
    }
  }

  /** Whether a failure of another project was dismissed here, or a warning of it was overridden with success since. */
  #isRefuted({ key, lastAt }: KnownFailure): boolean {
    return this.store.read((index) => index.choice(key) === 'dismiss' || index.lastTime('overridden', key) > lastAt);
  }

  /** Records a warning; false when it was given before in the session. */
  #record(call: ToolCall, warning: FailureWarning): boolean {
    const { sessionId, agent, timestamp } = call;
    const { key, signature, attemptId, text } = warning;
    const id = newMessageId(Date.parse(timestamp));
    if (!this.#claims.take({ sessionId, agent, signature }, { warningId: id, key })) return false;
    this.#append({
      v: RECORD_VERSION,
      kind: 'warning',
      id,
      timestamp,
      sessionId,
      ...omitUndefined({ agent }),
      key,
      signature,
      attemptId,
      confidence: Math.round(warning.confidence * 1000) / 1000,
      what: describeAttempt(describeCall(call)),
      text,
    });
    return true;
  }

  /** Whether warnings have been overridden with success so often in a session that they are only notes. */
  givesOnlyNotes(sessionId: string): boolean {
    return this.store.read((index) => index.session(sessionId).goodOverrides >= MAX_GOOD_OVERRIDES);
  }

  /** Whether a call was recorded lately, by its id. */
  hasSeen(call: Pick<ToolCall, 'sessionId' | 'callId' | 'timestamp'>): boolean {
    if (call.callId === undefined) return false;
    const hash = textHash(call.callId);
    // Once the logs have been read, the caller knows what this process records.
    const now = this.store.isRead ? undefined : Date.parse(call.timestamp);
    return this.store.read((index) => index.session(call.sessionId).recent.includes(hash), now);
  }

  /**
   * Records how a call ended, if there was a warning about it. `isRetry`: a process that died may have recorded it
   * already.
   */
  settle(attempt: Attempt, isRetry = false): void {
    if (attempt.outcome !== 'success' && attempt.outcome !== 'failure') return;
    const { sessionId, agent, signature, timestamp } = attempt;
    if (signature === undefined) return;
    const key = { sessionId, agent, signature };
    const claim = this.#claims.settle(key) ?? (isRetry ? this.#claims.findSettled(key) : undefined);
    if (claim === undefined || (isRetry && this.#hasOverride(claim.warningId))) return;
    this.#append({
      v: RECORD_VERSION,
      kind: 'override',
      id: newMessageId(Date.parse(timestamp)),
      timestamp,
      sessionId,
      warningId: claim.warningId,
      key: claim.key,
      succeeded: attempt.outcome === 'success',
    });
  }

  #hasOverride(warningId: string): boolean {
    const path = openSegmentPath(this.#directory, 'warnings');
    for (const line of readBackwards(path, OVERRIDE_LOOKBACK, warningId)) {
      const record = parseWarningRecord(parseObject(line));
      if (record !== undefined && 'warningId' in record && record.warningId === warningId) return true;
    }
    return false;
  }

  /** Records the user's choice about a failure: `dismiss`, `pin`, or `reset` to take either back. */
  choose(kind: 'dismiss' | 'pin' | 'reset', key: string, now: number): void {
    const failure = kind === 'pin' ? this.store.read((index) => index.failure(key), now) : undefined;
    this.#append({
      v: RECORD_VERSION,
      kind,
      id: newMessageId(now),
      timestamp: new Date(now).toISOString(),
      sessionId: '',
      key,
      ...(failure === undefined ? {} : { failure }),
    });
  }

  newestRequests(now: number): readonly FailedRequest[] {
    return this.store.newestRequests(now);
  }

  failure(key: string): KnownFailure | undefined {
    return this.store.read((index) => index.failure(key));
  }

  choice(key: string): FailureChoice {
    return this.store.read((index) => index.choice(key));
  }

  /** See {@link findResolution}. */
  findResolution(failure: KnownFailure): string | undefined {
    return findResolution(failure, (...calls) => this.#resolutions.find(...calls));
  }

  /** See {@link isActive}. */
  isActive(failure: KnownFailure, now: number): boolean {
    const lookbackDays = this.#options.failureLookbackDays;
    return isActive(failure, this.choice(failure.key), { now, lookbackDays });
  }

  /** Whether there would be a warning if the call that failed last were repeated now; for a pinned one until it works. */
  wouldWarn(failure: KnownFailure, now: number): boolean {
    const choice = this.choice(failure.key);
    if (choice !== 'none') return choice === 'pin' && isOngoing(failure);
    return this.estimate(failure, now) >= this.#options.minConfidence;
  }

  /** The probability that a failure happens again if the call that failed last is repeated now. */
  estimate(failure: KnownFailure, now: number): number {
    const { failureLookbackDays: lookbackDays, machine } = this.#options;
    const options = { now, lookbackDays, ...omitUndefined({ machine }) };
    return this.store.read((index) => estimateRecurrence(index, failure, options));
  }

  /** Writes a new snapshot as needed, see {@link FailureStore.tidy}, and then removes old claims. */
  tidy(now: number, options: { readonly isIdle?: boolean } = {}): void {
    const hasWritten = this.store.tidy(now, options);
    if (hasWritten) this.#claims.tidy(now);
  }

  close(): void {
    this.store.close();
    this.#team?.close();
    this.#team = undefined;
  }

  #append(record: WarningRecord): void {
    appendRecord(openSegmentPath(this.#directory, 'warnings'), record);
  }
}
