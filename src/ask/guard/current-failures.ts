import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { teamFolder } from '../../log/segments.ts';
import { getOrAdd } from '../../record/once.ts';
import { ResolutionReader } from '../../memory/digest/resolutions.ts';
import type { GuardOptions, OtherProject } from './check-call.ts';
import { listRequests, SNAPSHOT_FILE, withCurrentIndex } from './failure-snapshot.ts';
import {
  type FailedRequest,
  type FailureChoice,
  findResolution,
  isActive,
  type KnownFailure,
} from './known-failure.ts';

/** What recall needs to know of a project's failures: a guard, or {@link readCurrentFailures} without one. */
export interface FailureReader {
  /** The known requests of the newest unresolved failures, newest first. */
  newestRequests(now: number): readonly FailedRequest[];
  /** The failure with a key. */
  failure(key: string): KnownFailure | undefined;
  isActive(failure: KnownFailure, now: number): boolean;
  choice(key: string): FailureChoice;
  /** What worked instead of a failure. */
  findResolution(failure: KnownFailure): string | undefined;
  /** The failures of colleagues; undefined without any. */
  team(): FailureReader | undefined;
  /** The failures of other projects, as far as the settings allow to use them. */
  otherProjects(): Iterable<OtherProject & { readonly guard: FailureReader }>;
}

/**
 * The failures of a project according to its snapshot alone. Undefined when only a guard can say: the snapshot does not
 * cover the logs, or there are failures of colleagues or of other projects to be considered.
 */
export function readCurrentFailures(
  directory: string,
  { failureLookbackDays: lookbackDays, otherProjects }: GuardOptions,
): FailureReader | undefined {
  if (otherProjects !== undefined || existsSync(join(teamFolder(directory), SNAPSHOT_FILE))) return undefined;
  const newest = withCurrentIndex(directory, (index, snapshot) =>
    listRequests(index, snapshot?.newestRequests() ?? []),
  );
  if (newest === undefined) return undefined;
  const resolutions = new ResolutionReader(directory);
  const known = new Map<string, KnownState>();
  const lookUp = (key: string): KnownState => getOrAdd(known, key, () => readState(directory, key));
  const choice = (key: string): FailureChoice => lookUp(key).choice;
  return {
    newestRequests: () => newest,
    failure: (key) => lookUp(key).failure,
    choice,
    isActive: (failure, now) => isActive(failure, choice(failure.key), { now, lookbackDays }),
    findResolution: (failure) => findResolution(failure, (...calls) => resolutions.find(...calls)),
    team: () => undefined,
    otherProjects: () => [],
  };
}

/** A failure, and what the user decided about it. */
interface KnownState {
  readonly failure: KnownFailure | undefined;
  readonly choice: FailureChoice;
}

function readState(directory: string, key: string): KnownState {
  const state = withCurrentIndex(directory, (index) => ({ failure: index.failure(key), choice: index.choice(key) }));
  return state ?? { failure: undefined, choice: 'none' };
}
