import { compareText } from '../../text/compare-text.ts';
import { classifyCommand } from '../call/action.ts';
import type { FailureGroup } from './failure-fold.ts';
import type { SessionFailure } from './session-digest.ts';
import { endingOf } from './solve-failures.ts';
import type { SuccessGroup } from './success-fold.ts';

const MOST_FAILURES = 20;

/** How much a failure of a class teaches; what passes by itself teaches nothing. */
const WEIGHT: Readonly<Record<string, number>> = {
  missing: 3,
  usage: 3,
  environment: 3,
  unknown: 2,
  state: 1,
  stale: 0,
};

/** Failures that are worth knowing, and the commands that put something right: a check that failed before, or an alternative. */
export function digestFailures(
  groups: readonly FailureGroup[],
  successes: readonly SuccessGroup[],
): { readonly failures: readonly SessionFailure[]; readonly fixes: ReadonlySet<string> } {
  const fixes = new Set<string>();
  const ranked: { readonly failure: SessionFailure; readonly weight: number }[] = [];
  for (const group of groups) {
    if (group.kind === 'transient' || isLook(group)) continue;
    const ending = endingOf(group, successes);
    if (!ending.open) fixes.add(ending.resolution ?? group.what);
    const failure: SessionFailure = {
      at: group.last,
      what: group.what,
      error: group.error,
      count: group.count,
      ...(group.kind === undefined ? {} : { kind: group.kind }),
      ...(group.signature === undefined ? {} : { signature: group.signature }),
      ...(!ending.open && ending.resolution !== undefined ? { resolution: ending.resolution } : {}),
      open: ending.open,
    };
    const weight =
      (WEIGHT[group.kind ?? 'unknown'] ?? 2) + (failure.resolution ? 2 : 0) + (failure.open ? 1 : 0);
    ranked.push({ failure, weight });
  }
  const failures = ranked
    .sort(
      (a, b) =>
        b.weight - a.weight ||
        compareText(b.failure.at, a.failure.at) ||
        compareText(a.failure.what, b.failure.what),
    )
    .slice(0, MOST_FAILURES)
    .map(({ failure }) => failure)
    .sort((a, b) => compareText(a.at, b.at) || compareText(a.what, b.what));
  return { failures, fixes };
}

/** A command that only looks at something fails as an answer. */
export function isLook({ what, isCommand }: { readonly what: string; readonly isCommand: boolean }): boolean {
  if (!isCommand) return false;
  const action = classifyCommand(what.split(' '));
  return action === 'probe' || action === 'read' || action === 'search';
}
