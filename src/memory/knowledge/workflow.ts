import type { ProjectCounts } from '../digest/counts/project-counts.ts';
import { confidenceOf } from './best-practices.ts';
import type { WorkflowStep } from './knowledge-file.ts';

const LEAST_CONFIDENCE = 0.6;
/** What is done less often than this is no rule. */
const LEAST_SHARE = 2 / 3;
const LEAST_SESSIONS = 2;

/** The checks that nearly always come before a commit or a push, by how often. */
export function workflowOf({ workflow }: ProjectCounts): readonly WorkflowStep[] {
  const steps: WorkflowStep[] = [];
  for (const before of ['commit', 'push'] as const) {
    const { total, before: checks } = workflow[before];
    for (const [check, order] of Object.entries(checks)) {
      if (!order || order.sessions < LEAST_SESSIONS || order.count < total * LEAST_SHARE) continue;
      if (confidenceOf(order.count) <= LEAST_CONFIDENCE) continue;
      steps.push({ before, check, command: mostUsed(order.commands), count: order.count, total });
    }
  }
  return steps
    .filter(
      (step) =>
        step.before === 'commit' ||
        !steps.some((other) => other.before === 'commit' && other.check === step.check),
    )
    .sort((a, b) => b.count - a.count || (a.check < b.check ? -1 : 1));
}

function mostUsed(commands: Readonly<Record<string, number>>): string {
  const [first] = Object.entries(commands).sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return first?.[0] ?? '';
}
