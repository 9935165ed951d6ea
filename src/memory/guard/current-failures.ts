import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { teamFolder } from '../../log/segments.ts';
import { ResolutionReader } from '../digest/resolutions.ts';
import type { GuardOptions, OtherProject } from './check-call.ts';
import { listFailures, SNAPSHOT_FILE, withCurrentIndex } from './failure-snapshot.ts';
import { type FailureChoice, findResolution, isActive, type KnownFailure } from './known-failure.ts';

/** What recall needs to know of a project's failures: a guard, or {@link readCurrentFailures} without one. */
export interface FailureReader {
  /** The newest unresolved failures that served a known request, newest first. */
  newestFailures(now: number): readonly KnownFailure[];
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
    listFailures(index, snapshot?.newestFailures() ?? []),
  );
  if (newest === undefined) return undefined;
  const resolutions = new ResolutionReader(directory);
  const choice = (key: string): FailureChoice => withCurrentIndex(directory, (index) => index.choice(key)) ?? 'none';
  return {
    newestFailures: () => newest,
    choice,
    isActive: (failure, now) => isActive(failure, choice(failure.key), { now, lookbackDays }),
    findResolution: (failure) => findResolution(failure, (...calls) => resolutions.find(...calls)),
    team: () => undefined,
    otherProjects: () => [],
  };
}
