import type { Action } from '../facts/call/action.ts';
import { getOrAdd } from '../record/once.ts';
import type { ProjectRows } from '../store/project-rows.ts';
import { compareText } from '../text/compare-text.ts';

/** Something that a newcomer to the project would be told. */
export interface BestPractice {
  /** Habit or setup step; or a note. */
  readonly pattern: string;
  readonly reason: string;
  /** min(count / 5, 1), over 0.6; 1 for notes. */
  readonly confidence: number;
  /** In how many cases it was seen. */
  readonly evidence: string;
}

/** A step that worked. */
export interface Step {
  readonly session: number;
  readonly at: number;
  readonly kind: Action;
  readonly text: string;
  /** Stands for the folder of the checkout; null if unknown. */
  readonly checkout: number | null;
}

/** The latest steps from which habits are learned. */
const MAX_STEPS = 2_000;

/** The latest steps of the user's sessions, in order of time. */
export function readSteps({ connection, project }: ProjectRows): readonly Step[] {
  const steps = connection.all<Step>(
    `SELECT call.session, call.at, stepKind AS kind, step AS text, checkout FROM call JOIN session ON session.id = call.session
     WHERE call.project = ? AND stepKind IS NOT NULL AND session.author IS NULL ORDER BY call.document LIMIT ?`,
    project,
    MAX_STEPS,
  );
  return steps.toReversed();
}

/** A step of the workflow that checks precede. */
type Goal = 'commit' | 'push';

/** A check that precedes a commit or a push, learned from the order of calls in sessions. */
export interface WorkflowStep {
  readonly before: Goal;
  /** test, lint, build or format. */
  readonly check: string;
  /** The command that was used most often. */
  readonly command: string;
  /** In `count` of `total` cases. */
  readonly count: number;
  readonly total: number;
}

const GOALS: readonly Goal[] = ['commit', 'push'];
const CHECKS: Readonly<Partial<Record<Action, string>>> = {
  test: 'run the tests',
  lint: 'lint the code',
  build: 'build the project',
  format: 'format the code',
};
/** What begins new work after a commit or a push: several in a row divide the same work. */
const WORK: ReadonlySet<Action> = new Set(['edit', 'create']);
/** The share of cases above which something counts as usual. */
const MIN_SHARE = 1 / 2;
/** Sessions or checkouts. */
const MIN_PLACES = 2;
/** A practice that was seen this often is certain. */
const CERTAIN_COUNT = 5;
const MIN_CONFIDENCE = 0.6;

/** The checks that usually precede a commit or a push, the most frequent first. */
export function findWorkflow(steps: readonly Step[]): readonly WorkflowStep[] {
  const found = GOALS.flatMap((before) => findChecks(steps, before));
  return found
    .filter(
      (step) =>
        step.before === 'commit' || !found.some((other) => other.before === 'commit' && other.check === step.check),
    )
    .sort((a, b) => b.count - a.count || compareText(a.check, b.check));
}

function findChecks(steps: readonly Step[], before: Goal): readonly WorkflowStep[] {
  const work = new Map<number, { readonly done: Map<Action, string>; isOver: boolean }>();
  const checked = new Map<Action, { readonly session: number; readonly command: string }[]>();
  let total = 0;
  for (const { session, kind, text } of steps) {
    const current = getOrAdd(work, session, () => ({ done: new Map(), isOver: false }));
    if (WORK.has(kind) && current.isOver) {
      current.done.clear();
      current.isOver = false;
    }
    if (kind in CHECKS) current.done.set(kind, text);
    if (kind !== before) continue;
    total++;
    current.isOver = true;
    for (const [check, command] of current.done) getOrAdd(checked, check, () => []).push({ session, command });
  }
  return [...checked].flatMap(([check, cases]): readonly WorkflowStep[] => {
    const count = cases.length;
    if (!isUsual(count, total, new Set(cases.map(({ session }) => session)).size)) return [];
    return [{ before, check, command: findMostUsed(cases.map(({ command }) => command)), count, total }];
  });
}

function isUsual(count: number, total: number, places: number): boolean {
  return places >= MIN_PLACES && count > total * MIN_SHARE && practiceConfidence(count) > MIN_CONFIDENCE;
}

/** A step that precedes the first check in a new checkout. */
export interface SetupStep {
  readonly command: string;
  /** In `count` of `total` checkouts. */
  readonly count: number;
  readonly total: number;
}

/** The installs that usually precede the first check in a checkout, such as a clone or a worktree, in their order. */
export function findSetup(steps: readonly Step[]): readonly SetupStep[] {
  const checkouts = new Map<number, { readonly installs: Set<string>; isChecked: boolean }>();
  for (const { kind, text, checkout } of steps) {
    if (checkout === null) continue;
    const known = getOrAdd(checkouts, checkout, () => ({ installs: new Set(), isChecked: false }));
    if (kind in CHECKS) known.isChecked = true;
    else if (kind === 'install' && !known.isChecked) known.installs.add(text);
  }
  const used = [...checkouts.values()].filter(({ isChecked }) => isChecked);
  return [...new Set(used.flatMap(({ installs }) => [...installs]))].flatMap((command) => {
    const count = used.filter(({ installs }) => installs.has(command)).length;
    return isUsual(count, used.length, count) ? [{ command, count, total: used.length }] : [];
  });
}

/** A check of the workflow as an instruction: `run the tests`. */
export function formatCheck({ check }: WorkflowStep): string {
  return CHECKS[check as Action] ?? check;
}

function findMostUsed(texts: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  const [first] = [...counts].sort(([a, x], [b, y]) => y - x || compareText(a, b));
  return first?.[0] ?? '';
}

/** The confidence in a practice that was seen `count` times. */
export function practiceConfidence(count: number): number {
  return Math.min(count / CERTAIN_COUNT, 1);
}
