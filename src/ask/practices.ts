import type { Action } from '../facts/call/action.ts';
import { getOrAdd } from '../record/once.ts';
import type { ProjectRows } from '../store/project-rows.ts';
import { compareText } from '../text/compare-text.ts';

/** Something that works in this project. */
export interface BestPractice {
  /** Command or habit; or a note. */
  readonly pattern: string;
  readonly reason: string;
  /** min(count / 5, 1), over 0.6; 1 for notes. */
  readonly confidence: number;
  /** How often it was seen, and when last. */
  readonly evidence: string;
}

/** A step that worked. */
export interface Step {
  readonly session: number;
  readonly at: number;
  readonly kind: Action;
  readonly text: string;
}

/** The latest steps from which habits are learned. */
const MAX_STEPS = 5_000;

/** The latest steps of the user's sessions, in order of time. */
export function readSteps({ connection, project }: ProjectRows): readonly Step[] {
  const steps = connection.all<Step>(
    `SELECT call.session, call.at, stepKind AS kind, step AS text FROM call JOIN session ON session.id = call.session
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
/** What makes a commit or a push one of its own: several in a row divide the same work. */
const WORK: ReadonlySet<Action> = new Set(['edit', 'create', 'commit']);
/** The share of cases from which a check counts as part of the workflow. */
const MIN_SHARE = 2 / 3;
const MIN_SESSIONS = 2;
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
  const since = new Map<number, Map<Action, string>>();
  const checked = new Map<Action, { readonly session: number; readonly command: string }[]>();
  let total = 0;
  for (const { session, kind, text } of steps) {
    const done = getOrAdd(since, session, () => new Map());
    if (kind !== before) {
      if (kind in CHECKS || WORK.has(kind)) done.set(kind, text);
      continue;
    }
    since.delete(session);
    if (done.size === 0) continue;
    total++;
    for (const [check, command] of done) getOrAdd(checked, check, () => []).push({ session, command });
  }
  return [...checked].flatMap(([check, cases]): readonly WorkflowStep[] => {
    const count = cases.length;
    const sessions = new Set(cases.map(({ session }) => session)).size;
    const isUsual =
      sessions >= MIN_SESSIONS && count >= total * MIN_SHARE && practiceConfidence(count) > MIN_CONFIDENCE;
    if (!(check in CHECKS) || !isUsual) return [];
    return [{ before, check, command: findMostUsed(cases.map(({ command }) => command)), count, total }];
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

/** What commands are for. */
const PURPOSES: Readonly<Partial<Record<Action, string>>> = {
  test: 'Runs the tests',
  build: 'Builds the project',
  lint: 'Lints the code',
  format: 'Formats the code',
  install: 'Installs dependencies',
  run: 'Works in this project',
};
/** Longer commands are written for one occasion. */
const MAX_COMMAND_LENGTH = 120;
/** Commands that are used everywhere: that they work says nothing about a project. */
const EVERYDAY: ReadonlySet<string> = new Set(
  (
    'awk bash cat cd chmod cp curl cut date diff echo env export find gh git grep head jq kill killall ln ls mkdir ' +
    'mv open pgrep pkill printf ps pwd read rg rm sed seq set sh sleep sort source stat sudo tail tar tee test time ' +
    'tmux touch tr true type unset unzip wait wc wget which xargs zip zsh for if while until case { ( [ [[ . :'
  ).split(' '),
);
/** Commands that ask a program about itself or its state. */
const QUESTION =
  /(?:^|\s)(?:--?help|-h|--?version|-[vV]|help|version|status|list|ls|show|info|ps|logs?|doctor)(?:\s|$)/;
/** Inline programs: `python -c`, `node -e`. */
const INLINE_PROGRAM = /^(?:python[\d.]*|node|ruby|perl|php|deno|bun) (?:-[ceprE]|eval|-)(?: |$)|<<|…$/;

/** Commands that worked repeatedly in several sessions, those of the most sessions first. */
export function findCommandPractices(steps: readonly Step[]): readonly BestPractice[] {
  const uses = new Map<string, { readonly step: Step; count: number; last: number; readonly sessions: Set<number> }>();
  for (const step of steps) {
    if (!isProjectCommand(step)) continue;
    const use = getOrAdd(uses, step.text, () => ({ step, count: 0, last: 0, sessions: new Set() }));
    use.count++;
    use.last = Math.max(use.last, step.at);
    use.sessions.add(step.session);
  }
  return [...uses.values()]
    .filter(({ count, sessions }) => sessions.size >= MIN_SESSIONS && practiceConfidence(count) > MIN_CONFIDENCE)
    .sort((a, b) => b.sessions.size - a.sessions.size || b.count - a.count || b.last - a.last)
    .map(({ step, count, last, sessions }) => ({
      pattern: step.text,
      reason: PURPOSES[step.kind] ?? '',
      confidence: practiceConfidence(count),
      evidence: `worked ${count} times in ${sessions.size} sessions, last on ${new Date(last).toISOString().slice(0, 10)}`,
    }));
}

function isProjectCommand({ kind, text }: Step): boolean {
  if (!(kind in PURPOSES) || text.length > MAX_COMMAND_LENGTH || INLINE_PROGRAM.test(text)) return false;
  if (kind === 'run' && QUESTION.test(text)) return false;
  const program = text.replace(/^(?:[A-Z_][A-Z0-9_]*=\S*\s+)+/, '').split(' ', 1)[0] ?? '';
  return program !== '' && !EVERYDAY.has(program);
}
