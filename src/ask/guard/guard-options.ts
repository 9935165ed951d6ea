import type { Config } from '../../config/config.ts';
import type { SettingsOf, SettingValue } from '../../config/settings.ts';
import type { FailureKind } from '../../facts/failure/failure-kinds.ts';
import type { MachineState } from './candidates.ts';
import { PORTABLE_KINDS } from './known-failure.ts';

/** How a warning is given: hold the call back once, ask the user, or add a note to the call. */
export type WarningMode = SettingValue<'retrieval.onDuplicate'>;

/** Why the guard says nothing at all: the setting that turns it off, or recording is off. */
export type GuardOffReason = 'retrieval.enabled' | 'retrieval.warnOnDuplicateFailure' | 'recording';

type GuardSettings = SettingsOf<'retrieval'>;

/** The settings `retrieval.*` and the context of a guard. {@link readGuardOptions} takes all of the former. */
export interface GuardOptions extends Partial<GuardSettings> {
  readonly failureLookbackDays: GuardSettings['failureLookbackDays'];
  readonly minConfidence: GuardSettings['minConfidence'];
  /** Undefined while the guard is on. Default: always on. */
  readonly offReason?: () => GuardOffReason | undefined;
  /** Default: nothing is known of it. */
  readonly machine?: MachineState;
  /** The checkout of calls that do not name theirs. */
  readonly root?: string;
  /** The other projects to search for failures, most recently active first. Default: none. */
  readonly otherProjects?: () => readonly OtherProject[];
  /** What the user asked last in a session; called only when it matters. Default: unknown. */
  readonly request?: (sessionId: string) => string | undefined;
  /** For calls whose timestamp cannot be parsed. Default: the clock. */
  readonly now?: () => number;
}

/** Another project, in which failures may have happened that are not about its files. */
export interface OtherProject {
  readonly id: string;
  readonly name: string;
  /** The folder that holds its logs. */
  readonly directory: string;
}

/** What a guard knows besides its settings. */
export interface GuardContext extends Pick<GuardOptions, 'machine' | 'root' | 'otherProjects' | 'request' | 'now'> {
  readonly isRecording: () => boolean;
}

/** Takes the guard's settings from the configuration: the only place that does. */
export function readGuardOptions(config: Config, context: GuardContext): GuardOptions {
  const { machine, root, otherProjects, request, now, isRecording } = context;
  const isCrossProject = otherProjects !== undefined && config.get('retrieval.crossProject');
  return {
    ...config.section('retrieval'),
    ...(machine === undefined ? {} : { machine }),
    ...(root === undefined ? {} : { root }),
    ...(request === undefined ? {} : { request }),
    ...(now === undefined ? {} : { now }),
    ...(isCrossProject ? { otherProjects } : {}),
    offReason: () => guardOffReason(config, isRecording()),
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
