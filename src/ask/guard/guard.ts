import { findRoot } from '../../facts/call/describe-call.ts';
import { completeCall, isOwnTool, type ToolCall } from '../../facts/call/tool-call.ts';
import type { CheckoutEvent } from '../../facts/facts.ts';
import type { FailureKind } from '../../facts/failure/failure-kinds.ts';
import { omitUndefined } from '../../record/object.ts';
import { type ProjectRows, type RowSource, rowsOfProject } from '../../store/project-rows.ts';
import { type AskedCall, describeAskedCall } from './asked-call.ts';
import { mayFail } from './candidates.ts';
import { FailureRows } from './failure-rows.ts';
import {
  type GuardOffReason,
  type GuardOptions,
  type OtherProject,
  TEAM_KINDS,
  type WarningMode,
} from './guard-options.ts';
import { isActive, isMemory, isStanding, type KnownFailure, kindOf, PORTABLE_KINDS } from './known-failure.ts';
import { estimateRecurrence, type FailureMatch, matchFailure } from './match-failure.ts';
import { explainSilence } from './silence.ts';
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
const SETUP_EVENTS: readonly CheckoutEvent[] = ['install', 'prepare', 'checkout', 'build'];
/** A failure on another machine counts less, and even less if it depends on what is installed there. */
const OTHER_MACHINE_FACTOR = 0.95;
const OTHER_SETUP_FACTOR = 0.88;

const DAY_MS = 86_400_000;
const MAX_OTHER_PROJECTS = 20;
/** After this many successful overrides in a session, warnings are only notes. */
const MAX_GOOD_OVERRIDES = 2;

/** The warning for a call, and how to give it. */
export interface CheckedCall {
  /** With the checkout it belongs to and a valid timestamp. */
  readonly call: ToolCall;
  readonly warning: FailureWarning;
  readonly mode: WarningMode;
}

/**
 * Decides whether a call is likely to fail again. Everything that warns asks it: hooks, recorder, chat, MCP server and
 * command line. It reads rows and records nothing, and gives the same answer every time.
 */
export class Guard {
  readonly #source: RowSource;
  readonly #options: GuardOptions;

  constructor(source: RowSource, options: GuardOptions) {
    this.#source = source;
    this.#options = options;
  }

  /** Why the guard says nothing at all; undefined while it is on. */
  offReason(): GuardOffReason | undefined {
    return this.#options.offReason?.();
  }

  /** The warning for a call, if there is one. */
  check(call: ToolCall): FailureWarning | undefined {
    return this.checkCall(call)?.warning;
  }

  /** The warning for a call, if there is one, and how to give it. */
  checkCall(call: ToolCall): CheckedCall | undefined {
    if (isOwnTool(call.tool) || this.offReason() !== undefined) return undefined;
    const asked = describeAskedCall(completeCall(call, this.#options));
    return this.#source.ask(
      (rows) => new ProjectGuard(rows, this.#options).check(asked),
      (rows) => [false, true].some((isTeam) => mayFail(new FailureRows(rows, { isTeam }), asked)),
    );
  }

  /** What is known of a call that there is no warning of; undefined if it never failed. */
  explainSilence(call: ToolCall): string | undefined {
    const asked = describeAskedCall(completeCall(call, this.#options));
    return this.ask((guard) => explainSilence(guard, asked, Date.parse(asked.call.timestamp)));
  }

  /** The failure that a call is most likely to run into, whatever its confidence. */
  match(call: ToolCall): FailureMatch | undefined {
    return this.ask((guard) => guard.match(describeAskedCall(call)));
  }

  /** Asks for failures, rather than for the warning of a call. */
  ask<T>(work: (guard: ProjectGuard) => T): T | undefined {
    return this.#source.ask((rows) => work(new ProjectGuard(rows, this.#options)));
  }
}

/** The guard over the rows of a project as they are at one time. */
export class ProjectGuard {
  readonly own: FailureRows;
  readonly team: FailureRows;
  readonly rows: ProjectRows;
  readonly #options: GuardOptions;

  constructor(rows: ProjectRows, options: GuardOptions) {
    this.rows = rows;
    this.#options = options;
    this.own = new FailureRows(rows);
    this.team = new FailureRows(rows, { isTeam: true });
  }

  /** Days after which there is no warning of a failure. */
  get lookbackDays(): number {
    return this.#options.failureLookbackDays;
  }

  check(asked: AskedCall): CheckedCall | undefined {
    const { call } = asked;
    const match = this.match(asked);
    const warning =
      match !== undefined && match.confidence >= this.#options.minConfidence
        ? toWarning(match)
        : (this.#checkTeam(asked) ?? this.#checkOtherProjects(asked));
    if (warning === undefined) return undefined;
    const isOnlyNote = this.own.goodOverrides(call.sessionId) >= MAX_GOOD_OVERRIDES;
    return { call, warning, mode: isOnlyNote ? 'note' : (this.#options.onDuplicate ?? 'denyOnce') };
  }

  /** The failure that a call is most likely to run into, whatever its confidence. */
  match(
    asked: AskedCall,
    { failures = this.own, kinds }: { readonly failures?: FailureRows; readonly kinds?: ReadonlySet<FailureKind> } = {},
  ): FailureMatch | undefined {
    const { sessionId, timestamp } = asked.call;
    const now = Date.parse(timestamp);
    if (Number.isNaN(now)) return undefined;
    const { failureLookbackDays: lookbackDays, machine, request } = this.#options;
    return matchFailure(failures, asked, {
      sessionId,
      now,
      lookbackDays,
      ...omitUndefined({ machine, kinds, request: request && (() => request(sessionId)) }),
    });
  }

  /** Looks for the call among the failures of colleagues. */
  #checkTeam(asked: AskedCall, kinds: ReadonlySet<FailureKind> = TEAM_KINDS): FailureWarning | undefined {
    const match = this.match(asked, { failures: this.team, kinds });
    if (match === undefined) return undefined;
    const confidence = match.confidence * otherMachineFactor(match.failure);
    if (confidence < this.#options.minConfidence || this.#isSolvedHere(match.failure, asked)) return undefined;
    return toWarning({ ...match, confidence });
  }

  /** Whether a failure of a colleague does not apply here: it was refuted, has worked, or something was set up since. */
  #isSolvedHere(failure: KnownFailure, { fields }: AskedCall): boolean {
    if (!isAboutAnyMachine(failure) || this.#isRefuted(failure)) return true;
    if (this.own.lastProof(failure.key) > failure.lastAt) return true;
    if (!SOLVED_BY_SETUP.has(kindOf(failure.key))) return false;
    const checkout = findRoot(fields) ?? '';
    return SETUP_EVENTS.some((event) => this.own.lastEvent(event, checkout) > failure.lastAt);
  }

  /** Looks for the call in other projects, for failures that are not about their files. */
  #checkOtherProjects(asked: AskedCall): FailureWarning | undefined {
    for (const { name, guard } of this.otherProjects()) {
      const match = guard.match(asked, { kinds: PORTABLE_KINDS });
      if (match === undefined || match.confidence < this.#options.minConfidence) {
        const warning = guard.#checkTeam(asked, PORTABLE_KINDS);
        if (warning !== undefined) return warning;
        continue;
      }
      if (!this.#isRefuted(match.failure)) return toWarning(match, name);
    }
    return undefined;
  }

  /** The projects to look in besides this one, most recently active first; none without `retrieval.crossProject`. */
  *otherProjects(): Generator<OtherProject & { readonly guard: ProjectGuard }> {
    const { otherProjects, ...options } = this.#options;
    for (const project of otherProjects?.().slice(0, MAX_OTHER_PROJECTS) ?? [])
      yield { ...project, guard: new ProjectGuard(rowsOfProject(this.rows.connection, project.id), options) };
  }

  /** Whether a failure of another project was dismissed here, or a warning of it was overridden with success since. */
  #isRefuted({ key, lastAt }: KnownFailure): boolean {
    return this.own.choice(key) === 'dismiss' || this.own.lastOverride(key) > lastAt;
  }

  /**
   * The failures that are worth telling and that there would be a warning about now, the latest first; `all`: all that are known.
   */
  failures(now: number, { all = false }: { readonly all?: boolean } = {}): readonly KnownFailure[] {
    return this.#list(this.own, now, all).filter((failure) => all || this.#wouldWarn(failure, now));
  }

  /** The same of colleagues. */
  teamFailures(now: number, { all = false }: { readonly all?: boolean } = {}): readonly KnownFailure[] {
    return this.#list(this.team, now, all).filter((failure) => {
      if (all) return true;
      if (!TEAM_KINDS.has(kindOf(failure.key)) || !isAboutAnyMachine(failure) || !isMemory(failure)) return false;
      const confidence = this.#estimate(this.team, failure, now) * otherMachineFactor(failure);
      return confidence >= this.#options.minConfidence && !this.#isRefuted(failure);
    });
  }

  /** Failures from the one that happened last on: all, or those that are neither over nor too old for a warning. */
  #list(failures: FailureRows, now: number, all: boolean): readonly KnownFailure[] {
    const standingSince = now - this.#options.failureLookbackDays * DAY_MS;
    const keys = failures.causes(all ? {} : { standingSince });
    failures.load(keys);
    return keys.flatMap((key) => failures.failure(key) ?? []);
  }

  /** See {@link isActive}. */
  isActive(failure: KnownFailure, now: number): boolean {
    return isActive(failure, this.own.choice(failure.key), { now, lookbackDays: this.#options.failureLookbackDays });
  }

  /** Whether it is worth telling, and there would be a warning if the call were repeated; a pinned one until it works. */
  #wouldWarn(failure: KnownFailure, now: number): boolean {
    const choice = this.own.choice(failure.key);
    if (choice !== 'none') return choice === 'pin' && isStanding(failure);
    return isMemory(failure) && this.#estimate(this.own, failure, now) >= this.#options.minConfidence;
  }

  #estimate(failures: FailureRows, failure: KnownFailure, now: number): number {
    const { failureLookbackDays: lookbackDays, machine } = this.#options;
    return estimateRecurrence(failures, failure, { now, lookbackDays, ...omitUndefined({ machine }) });
  }
}

/** Whether a failure is not about the state of one working tree. */
function isAboutAnyMachine({ class: failureClass }: KnownFailure): boolean {
  return failureClass !== 'state' && failureClass !== 'stale' && failureClass !== 'transient';
}

function otherMachineFactor({ key }: KnownFailure): number {
  return SOLVED_BY_SETUP.has(kindOf(key)) ? OTHER_SETUP_FACTOR : OTHER_MACHINE_FACTOR;
}
