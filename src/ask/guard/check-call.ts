import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { analyseCall, type CallAnalysis } from '../../facts/call/analyse-call.ts';
import { type CallFields, describeCall } from '../../facts/call/describe-call.ts';
import { isOwnTool, type ToolCall } from '../../facts/call/tool-call.ts';
import type { FailureKind } from '../../facts/failure/failure-kinds.ts';
import { teamFolder } from '../../log/segments.ts';
import { type FailureCandidate, findCandidates, JUST_FAILED_MS, type MachineState } from './candidates.ts';
import { FailureIndex } from './failure-index.ts';
import { FailureSnapshot, SNAPSHOT_FILE, withCurrentIndex } from './failure-snapshot.ts';
import { PORTABLE_KINDS } from './known-failure.ts';
import type { FailureWarning } from './warning.ts';

/** How a warning is given: hold the call back once, ask the user, or add a note to the call. */
type WarningMode = 'denyOnce' | 'ask' | 'note';

/** A warning that was just recorded, and how to give it. */
export interface GivenWarning {
  readonly warning: FailureWarning;
  readonly mode: WarningMode;
}

/** Why the guard says nothing at all: the setting that turns it off, or recording is off. */
export type GuardOffReason = 'retrieval.enabled' | 'retrieval.warnOnDuplicateFailure' | 'recording';

/** The settings and the context of a guard. {@link readGuardOptions} takes them from the configuration. */
export interface GuardOptions {
  readonly failureLookbackDays: number;
  readonly minConfidence: number;
  /** Default `denyOnce`. */
  readonly mode?: WarningMode;
  /** Undefined while the guard is on. Default: always on. */
  readonly offReason?: () => GuardOffReason | undefined;
  /** Default: nothing is known of it. */
  readonly machine?: MachineState;
  /** The checkout of calls that do not name theirs. */
  readonly root?: string;
  /** The other projects to search for failures, most recently active first. Default: none. */
  readonly otherProjects?: () => readonly OtherProject[];
  /** For calls whose timestamp cannot be parsed. Default: the clock. */
  readonly now?: () => number;
}

/** Another project, in which failures may have happened that are not about its files. */
export interface OtherProject {
  readonly name: string;
  /** The folder that holds its logs. */
  readonly directory: string;
}

/** Takes the guard's settings from the configuration: the only place that does. */
export function readGuardOptions(
  config: Config,
  context: Pick<GuardOptions, 'machine' | 'root' | 'otherProjects' | 'now'> & {
    readonly isRecording: () => boolean;
  },
): GuardOptions {
  const { otherProjects, isRecording, ...rest } = context;
  const isCrossProject = otherProjects !== undefined && config.get('retrieval.crossProject');
  return {
    ...rest,
    failureLookbackDays: config.get('retrieval.failureLookbackDays'),
    minConfidence: config.get('retrieval.minConfidence'),
    mode: config.get('retrieval.onDuplicate'),
    offReason: () => guardOffReason(config, isRecording()),
    ...(isCrossProject ? { otherProjects } : {}),
  };
}

/** Why the guard is off; undefined while it is on. A warning has to be recorded, so it is off when recording is. */
export function guardOffReason(config: Config, isRecording: boolean): GuardOffReason | undefined {
  if (!config.get('retrieval.enabled')) return 'retrieval.enabled';
  if (!config.get('retrieval.warnOnDuplicateFailure')) return 'retrieval.warnOnDuplicateFailure';
  return isRecording ? undefined : 'recording';
}

/**
 * Kinds of failures on a colleague's machine that can be expected on this one. Not among them: the state of a working
 * tree, and the rules and the progress of a session.
 */
export const TEAM_KINDS: ReadonlySet<FailureKind> = new Set<FailureKind>([
  ...PORTABLE_KINDS,
  'path',
  'file',
  'whole',
  'subcommand',
  'target',
  'call',
]);

/** A call in the spool: it has ended, but is not in the logs yet. */
interface PendingCall extends CallFields {
  readonly sessionId: string;
  readonly timestamp: string;
  /** `ok`, `failed`, … */
  readonly ending: string;
  readonly error?: string;
}

/** What {@link checkCall} needs to know besides the call. */
export interface CheckContext extends GuardOptions {
  /** The folder that holds the project's logs. */
  readonly directory: string;
  readonly pending: readonly PendingCall[];
  /** Appends the pending calls to the logs. Called only when they may matter for the answer. */
  readonly drainSpool: () => void | Promise<void>;
}

/**
 * The guard's answer to a call that is about to run, for a process that checks one call and ends: the warning of
 * `Guard.warn`, recorded, or undefined. The guard itself is loaded only when the quick check cannot rule the call out.
 */
export async function checkCall(call: ToolCall, context: CheckContext): Promise<GivenWarning | undefined> {
  if (!quickCheck(call, context)) return undefined;
  if (context.pending.length > 0) await context.drainSpool();
  const { Guard } = await import('./guard.ts');
  const guard = new Guard(context.directory, context);
  try {
    return guard.warn(call);
  } finally {
    guard.close();
  }
}

/**
 * Whether there may be anything to warn of. Usually false, and then `Guard.check` returns nothing, either; only the
 * snapshot is read, and no code is loaded that analyses failures. True also when the snapshot does not cover the logs.
 */
export function quickCheck(call: ToolCall, context: Omit<CheckContext, 'drainSpool'>): boolean {
  if (isOwnTool(call.tool) || context.offReason?.() !== undefined) return false;
  if (context.otherProjects !== undefined) return true;
  const completed = completeCall(call, context);
  const fields = describeCall(completed);
  const analysis = analyseCall(fields);
  const ofSession = context.pending.filter(({ sessionId }) => sessionId === call.sessionId);
  const candidates = readCandidates(completed, fields, analysis, ofSession.length, context);
  if (candidates === undefined || hasTeamCandidates(completed, fields, analysis, context)) return true;
  const wasRead = ofSession.some(({ path, ending }) => path === fields.path && ending === 'ok');
  if (candidates.some(({ failure }) => !(wasRead && failure.key.startsWith('rule:read ')))) return true;
  return context.pending.some((other) => mayFailAgain(other, analysis, completed));
}

/** A call with the checkout it belongs to and a valid timestamp, without which its record would be lost. */
export function completeCall(call: ToolCall, { root, now }: Pick<GuardOptions, 'root' | 'now'>): ToolCall {
  const callRoot = call.root ?? root;
  return {
    ...call,
    ...(callRoot === undefined ? {} : { root: callRoot }),
    timestamp: validTimestamp(call.timestamp, now),
  };
}

/** The timestamp, or the present if it cannot be parsed. */
export function validTimestamp(timestamp: string, now: () => number = Date.now): string {
  return Number.isNaN(Date.parse(timestamp)) ? new Date(now()).toISOString() : timestamp;
}

/** The candidates according to the snapshot; undefined when it is damaged or does not cover the logs. Never throws. */
function readCandidates(
  { sessionId, timestamp }: ToolCall,
  fields: CallFields,
  analysis: CallAnalysis,
  pendingCalls: number,
  { directory, failureLookbackDays, machine }: Pick<CheckContext, 'directory' | keyof GuardOptions>,
): readonly FailureCandidate[] | undefined {
  return withCurrentIndex(directory, (index) =>
    findCandidates(index, analysis, fields, {
      sessionId,
      now: Date.parse(timestamp),
      lookbackDays: failureLookbackDays,
      pendingCalls,
      ...(machine === undefined ? {} : { machine }),
    }),
  );
}

/** Whether colleagues have failed with it, according to the snapshot of what the team shares. Never throws. */
function hasTeamCandidates(
  { sessionId, timestamp }: ToolCall,
  fields: CallFields,
  analysis: CallAnalysis,
  { directory, failureLookbackDays, machine }: Pick<CheckContext, 'directory' | keyof GuardOptions>,
): boolean {
  const path = join(teamFolder(directory), SNAPSHOT_FILE);
  if (!existsSync(path)) return false;
  let snapshot: FailureSnapshot | undefined;
  try {
    snapshot = FailureSnapshot.open(path);
    const found = findCandidates(new FailureIndex(snapshot), analysis, fields, {
      sessionId,
      now: Date.parse(timestamp),
      lookbackDays: failureLookbackDays,
      kinds: TEAM_KINDS,
      ...(machine === undefined ? {} : { machine }),
    });
    return found.length > 0;
  } catch {
    return false;
  } finally {
    snapshot?.close();
  }
}

/** Error messages of editing tools that state one of their rules. */
const RULE_WORDS = /\bread\b|new_string|no changes|identical/i;

/** Whether a pending call may have failed for a reason that applies to another call. Errs on the side of yes. */
function mayFailAgain(pending: PendingCall, analysis: CallAnalysis, call: ToolCall): boolean {
  if (pending.ending !== 'failed') return false;
  const age = Date.parse(call.timestamp) - Date.parse(pending.timestamp);
  if (pending.sessionId === call.sessionId && age < JUST_FAILED_MS) return false;
  const error = pending.error ?? '';
  if (analysis.family === 'edit' && RULE_WORDS.test(error)) return true;
  // Every shell command needs the shell, so a shared tool matters only if the shell itself could not start.
  const isShellRunning = analysis.family === 'shell' && !/spawn/i.test(error);
  const needed = new Set(analyseCall(pending).needs);
  return analysis.needs.some((key) => needed.has(key) && !(isShellRunning && key.startsWith('tool:')));
}
