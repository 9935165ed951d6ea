import type { Attempt } from '../../../record/index.ts';
import type { DigestedSuccess, SuccessState } from '../success-fold.ts';
import { sessionName } from './bounded-tally.ts';
import { CHECKS, type Check, GOALS, type Goal, type Since } from './since.ts';

/** How often a check came before a goal, and with which commands. */
interface CountedOrder {
  count: number;
  sessions: number;
  /** Short name of the last session. */
  recent: string;
  last: string;
  commands: Record<string, number>;
}

/** How often each goal was reached after some work, and what had been checked before. */
export type Workflow = Record<Goal, { total: number; before: Partial<Record<Check, CountedOrder>> }>;

const MOST_COMMANDS = 5;

/** The workflow before anything happened. */
export function newWorkflow(): Workflow {
  return { commit: { total: 0, before: {} }, push: { total: 0, before: {} } };
}

/** Takes in a success of a session: notes checks, and at a goal what came before it. */
export function countOrder(
  workflow: Workflow,
  session: SuccessState,
  attempt: Attempt,
  { kind, text }: DigestedSuccess,
): void {
  for (const goal of GOALS) {
    const since = session.since[goal];
    if (kind === goal) {
      reach(workflow, goal, since, attempt);
      session.since[goal] = {};
    } else if (isCheck(kind)) since[kind] = text;
    else if (kind === 'edit' || kind === 'create' || kind === 'commit') since.work = '';
  }
}

function isCheck(kind: string): kind is Check {
  return CHECKS.some((check) => check === kind);
}

function reach(workflow: Workflow, goal: Goal, since: Since[Goal], attempt: Attempt): void {
  // Commits in a row divide the same work: only the first tells what comes before.
  if (Object.keys(since).length === 0) return;
  const reached = workflow[goal];
  reached.total++;
  for (const check of CHECKS) {
    const command = since[check];
    if (command === undefined) continue;
    const order = reached.before[check] ?? { count: 0, sessions: 0, recent: '', last: '', commands: {} };
    reached.before[check] = order;
    order.count++;
    const session = sessionName(attempt.sessionId);
    if (order.recent !== session) order.sessions++;
    order.recent = session;
    if (attempt.timestamp > order.last) order.last = attempt.timestamp;
    countText(order.commands, command);
  }
}

function countText(counts: Record<string, number>, text: string): void {
  if (Object.hasOwn(counts, text)) counts[text] = (counts[text] ?? 0) + 1;
  else if (Object.keys(counts).length < MOST_COMMANDS) counts[text] = 1;
}
