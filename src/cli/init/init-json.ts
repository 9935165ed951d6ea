import type { ImportReport } from '../../import/index.ts';
import type { AgentPlan, AppliedPlan } from '../../install/index.ts';
import { importJson } from '../run-import.ts';
import type { Survey } from './survey.ts';

/** What `yore init --json` tells besides what was found. */
export interface InitResult {
  readonly isDryRun: boolean;
  readonly applied?: readonly AppliedPlan[];
  readonly report?: ImportReport;
}

/** What `yore init --json` prints. */
export function initJson(survey: Survey, { isDryRun, applied, report }: InitResult): unknown {
  const { scope, plans, found, transcripts } = survey;
  return {
    dryRun: isDryRun,
    scope: scope.kind,
    ...(scope.kind === 'project' ? { project: scope.root } : {}),
    agents: plans.map((plan) => {
      const trace = found.find(({ unit }) => unit.agent === plan.unit.agent);
      const done = applied?.find((each) => each.plan === plan);
      return {
        agent: plan.unit.agent,
        found: trace !== undefined,
        version: trace?.version,
        files: done ? done.changed : plannedFiles(plan),
        problem: done ? done.problem : plan.problem,
        note: plan.note,
        next: plan.files.length > 0 ? plan.unit.next : undefined,
      };
    }),
    transcripts,
    imported: report && importJson(report),
  };
}

function plannedFiles({ files }: AgentPlan): readonly unknown[] {
  return files
    .filter(({ edit }) => edit.kind !== 'none')
    .map(({ target, edit, isThere }) => ({
      path: target.path,
      did: edit.kind === 'delete' ? 'deleted' : isThere ? 'changed' : 'created',
    }));
}
