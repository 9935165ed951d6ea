import { appendRecord } from '../../log/append.ts';
import { readBackwards } from '../../log/read.ts';
import { openSegmentPath } from '../../log/segments.ts';
import { newMessageId, textHash } from '../../record/id.ts';
import { omitUndefined } from '../../record/object.ts';
import { type Attempt, RECORD_VERSION } from '../../record/record.ts';
import { describeCall } from '../call/describe-call.ts';
import { isOwnTool, type ToolCall } from '../call/tool-call.ts';
import { describeAttempt } from '../digest/command-text.ts';
import { ResolutionReader } from '../digest/resolutions.ts';
import type { FailureKind } from '../failure/failure-kinds.ts';
import {
  completeCall,
  type GivenWarning,
  type GuardOffReason,
  type GuardOptions,
  type OtherProject,
} from './check-call.ts';
import { Claims } from './claims.ts';
import { FailureStore } from './failure-store.ts';
import { parseGuardRecord, type WarningRecord } from './guard-records.ts';
import { type FailureChoice, isOngoing, type KnownFailure } from './known-failure.ts';
import { estimateRecurrence, type FailureMatch, type MatchOptions, matchFailure } from './match-failure.ts';
import { SessionRequests } from './session-requests.ts';
import { type FailureWarning, toWarning } from './warning.ts';

/** Kinds of failures that do not depend on a project's files. */
const PORTABLE_KINDS: ReadonlySet<FailureKind> = new Set<FailureKind>([
  'option',
  'package',
  'version',
  'program',
  'field',
  'regex',
  'setting',
  'service',
  'arity',
]);

/** Whether a failure does not depend on the files of its project. */
export function isPortable({ key }: KnownFailure): boolean {
  return PORTABLE_KINDS.has(key.slice(0, key.indexOf(':')) as FailureKind);
}

const MAX_OTHER_PROJECTS = 20;
const DAY_MS = 86_400_000;
/** After this many successful overrides in a session, warnings are only notes. */
const MAX_GOOD_OVERRIDES = 2;
/** How far back the override of a warning is looked for, in bytes. */
const OVERRIDE_LOOKBACK = 256 * 1024;

/**
 * Decides whether a call is likely to fail again. Everything that warns asks {@link check} or {@link warn}: hooks (by
 * `checkCall`), recorder, chat, MCP server and command line.
 */
export class Guard {
  readonly store: FailureStore;
  /** What the user asked last in each session. */
  readonly requests: SessionRequests;
  readonly #directory: string;
  readonly #options: GuardOptions;
  readonly #claims: Claims;
  readonly #resolutions: ResolutionReader;

  /** `directory` holds the project's logs. */
  constructor(directory: string, options: GuardOptions) {
    this.#directory = directory;
    this.#options = options;
    this.#claims = new Claims(directory);
    this.#resolutions = new ResolutionReader(directory);
    this.store = new FailureStore(directory, options.failureLookbackDays);
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
      : this.#checkOtherProjects(completed);
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
      if (match === undefined || match.confidence < this.#options.minConfidence) continue;
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
      const record = parseGuardRecord('warnings', line, 0);
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

  choice(key: string): FailureChoice {
    return this.store.read((index) => index.choice(key));
  }

  /**
   * What worked instead of a failure: since the guard knows it, or ever before. A failure that happens again without being
   * solved keeps it. Otherwise what the tool itself proposed.
   */
  findResolution({ resolution, suggestion, occurrences }: KnownFailure): string | undefined {
    if (resolution !== undefined) return resolution.what;
    const latest = Object.values(occurrences).sort((a, b) => b.at - a.at);
    return this.#resolutions.find(...latest.flatMap(({ signature, what }) => [signature, what])) ?? suggestion;
  }

  /** Whether a failure is active: it has not ended, is not dismissed, and is pinned or within the lookback window. */
  isActive(failure: KnownFailure, now: number): boolean {
    const choice = this.choice(failure.key);
    if (choice !== 'none') return choice === 'pin' && isOngoing(failure);
    const isRecent = now - failure.lastAt <= this.#options.failureLookbackDays * DAY_MS;
    return isRecent && isOngoing(failure) && failure.class !== 'transient';
  }

  /** Whether there would be a warning if the call that failed last were repeated now; for a pinned one until it works. */
  wouldWarn(failure: KnownFailure, now: number): boolean {
    const choice = this.choice(failure.key);
    if (choice !== 'none') return choice === 'pin' && isOngoing(failure);
    const { failureLookbackDays: lookbackDays, machine, minConfidence } = this.#options;
    const options = { now, lookbackDays, ...omitUndefined({ machine }) };
    return this.store.read((index) => estimateRecurrence(index, failure, options)) >= minConfidence;
  }

  /** Writes a new snapshot as needed, see {@link FailureStore.tidy}, and then removes old claims. */
  tidy(now: number, options: { readonly isIdle?: boolean } = {}): void {
    const hasWritten = this.store.tidy(now, options);
    if (hasWritten) this.#claims.tidy(now);
  }

  close(): void {
    this.store.close();
  }

  #append(record: WarningRecord): void {
    appendRecord(openSegmentPath(this.#directory, 'warnings'), record);
  }
}
