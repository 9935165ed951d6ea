import type { Attempt } from '../../../record/record.ts';
import type { Check, ChecksSinceGoal, Goal, SuccessText } from '../aggregate/successes.ts';
import { shortSessionName } from './bounded-counts.ts';

/** How often a check came before a goal, and with which commands. */
interface CountedCheck {
  count: number;
  sessions: number;
  /** Short name of the last session. */
  recent: string;
  last: string;
  commands: Record<string, number>;
}

/** How often each goal was reached after some work, and what had been checked before. */
export type Workflow = Record<Goal, { total: number; before: Partial<Record<Check, CountedCheck>> }>;

const GOALS: readonly Goal[] = ['commit', 'push'];
const CHECKS: readonly Check[] = ['test', 'lint', 'build', 'format'];
const MAX_COMMANDS = 5;

/** The counts before the first record. */
export function newWorkflow(): Workflow {
  return { commit: { total: 0, before: {} }, push: { total: 0, before: {} } };
}

/** Adds a success of a session. `since` is the session's state, which is updated. */
export function countWorkflow(
  workflow: Workflow,
  since: ChecksSinceGoal,
  attempt: Attempt,
  { kind, text }: SuccessText,
): void {
  for (const goal of GOALS) {
    const checks = since[goal];
    if (kind === goal) {
      countGoal(workflow, goal, checks, attempt);
      since[goal] = {};
    } else if (isCheck(kind)) checks[kind] = text;
    else if (kind === 'edit' || kind === 'create' || kind === 'commit') checks.work = '';
  }
}

function isCheck(kind: string): kind is Check {
  return CHECKS.some((check) => check === kind);
}

function countGoal(workflow: Workflow, goal: Goal, checks: ChecksSinceGoal[Goal], attempt: Attempt): void {
  // Several commits in a row divide the same work: only the first one counts.
  if (Object.keys(checks).length === 0) return;
  const reached = workflow[goal];
  reached.total++;
  for (const check of CHECKS) {
    const command = checks[check];
    if (command === undefined) continue;
    const counted = reached.before[check] ?? { count: 0, sessions: 0, recent: '', last: '', commands: {} };
    reached.before[check] = counted;
    counted.count++;
    const session = shortSessionName(attempt.sessionId);
    if (counted.recent !== session) counted.sessions++;
    counted.recent = session;
    if (attempt.timestamp > counted.last) counted.last = attempt.timestamp;
    countText(counted.commands, command);
  }
}

function countText(counts: Record<string, number>, text: string): void {
  if (Object.hasOwn(counts, text)) counts[text] = (counts[text] ?? 0) + 1;
  else if (Object.keys(counts).length < MAX_COMMANDS) counts[text] = 1;
}
