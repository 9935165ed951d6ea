import { compareText } from '../../text/compare-text.ts';
import type { DigestStep } from './session-digest.ts';
import type { SuccessGroup } from './success-fold.ts';

const MOST_STEPS = 12;

/** Kinds in the order in which they are kept when there are too many. */
const WEIGHT: Readonly<Record<string, number>> = {
  commit: 6,
  install: 5,
  create: 4,
  test: 3,
  build: 3,
  run: 3,
  edit: 2,
  lint: 1,
  format: 0,
};

/** Whether a kind of success tells that the work is right. */
export function isCheck(kind: string): boolean {
  return kind === 'test' || kind === 'build' || kind === 'lint';
}

/**
 * The successes that decided a request, in order of time: installs, files created and edited, commits, checks
 * that passed at its end or after they had failed, and other commands only where they solved a failure.
 * `fixes` names the commands that did.
 */
export function decisiveSteps(
  groups: readonly SuccessGroup[],
  fixes: ReadonlySet<string>,
): readonly DigestStep[] {
  const lastOfKind = new Map<string, SuccessGroup>();
  for (const group of groups) {
    const known = lastOfKind.get(group.kind);
    if (!known || group.last >= known.last) lastOfKind.set(group.kind, group);
  }
  return groups
    .filter((group) => isDecisive(group, fixes, lastOfKind.get(group.kind) === group))
    .map(stepOf)
    .sort((a, b) => weightOf(b) - weightOf(a) || compareText(b.at, a.at) || compareText(a.text, b.text))
    .slice(0, MOST_STEPS)
    .sort((a, b) => compareText(a.at, b.at) || compareText(a.text, b.text));
}

/** A group as a step. */
export function stepOf({ kind, text, last, count }: SuccessGroup): DigestStep {
  return { at: last, kind, text, count };
}

function isDecisive(group: SuccessGroup, fixes: ReadonlySet<string>, isLastOfKind: boolean): boolean {
  if (isCheck(group.kind)) return isLastOfKind || fixes.has(group.text);
  if (group.kind === 'format') return false;
  return fixes.has(group.text) || (WEIGHT[group.kind] !== undefined && group.kind !== 'run');
}

function weightOf(step: DigestStep): number {
  return WEIGHT[step.kind] ?? 0;
}
