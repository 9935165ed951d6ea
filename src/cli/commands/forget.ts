import type { ForgetReport, Home } from '../../project/index.ts';
import { YoreError } from '../../record/index.ts';
import { chooseProject } from '../choose-project.ts';
import type { CommandContext, OptionValues } from '../command.ts';
import { confirm } from '../confirm.ts';
import { EXIT } from '../exit-codes.ts';
import { flagOption, textOption } from '../option-values.ts';
import { countOf, formatBytes } from '../output/quantity.ts';
import { sanitiseLine } from '../output/sanitise.ts';

/** `yore forget`. */
export async function runForget(
  context: CommandContext,
  _args: readonly string[],
  options: OptionValues,
): Promise<number> {
  const { output } = context;
  const home = await context.openHome();
  const plan = makePlan(home, context, options);
  if (!flagOption(options, 'yes') && !(await confirm(`Delete ${plan.what} for good?`, output))) {
    output.notice('Nothing was deleted.');
    return EXIT.interrupted;
  }
  const report = plan.run();
  if (flagOption(options, 'json')) output.json({ forgotten: plan.id, ...report });
  else output.lines(`Deleted ${plan.what}.`, output.style.dim(describe(report)));
  return EXIT.ok;
}

interface Plan {
  readonly id: string;
  readonly what: string;
  readonly run: () => ForgetReport;
}

function makePlan(home: Home, context: CommandContext, options: OptionValues): Plan {
  const session = textOption(options, 'session');
  const pattern = textOption(options, 'pattern');
  const name = textOption(options, 'project');
  if (pattern !== undefined && session === undefined) return patternPlan(home, pattern, context, options);
  if ((session === undefined) === (name === undefined) || pattern !== undefined) {
    throw new YoreError(
      'USAGE',
      'Say what to forget: --session ID, --pattern ID or --project NAME, one of them.',
    );
  }
  if (session !== undefined) {
    const { project, sessionId } = home.findSession(session);
    const { summary } = project.session(sessionId);
    return {
      id: sessionId,
      what: `session ${sessionId} ("${sanitiseLine(summary.preview).slice(0, 60)}", ${countOf(summary.messageCount, 'message')})`,
      run: () => home.forgetSession(project, sessionId),
    };
  }
  const project = chooseProject(home, name ?? '', context.cwd);
  const { total } = home.listSessions({ projects: [project.info.projectHash], limit: 1 });
  return {
    id: project.info.projectHash,
    what: `all history of ${sanitiseLine(project.info.displayName)} (${countOf(total, 'session')})`,
    run: () => home.forgetProject(project),
  };
}

/** `--project` says where the pattern is; by itself it would be what to delete. */
function patternPlan(home: Home, id: string, context: CommandContext, options: OptionValues): Plan {
  const name = textOption(options, 'project') ?? '.';
  const project = chooseProject(home, name, context.cwd);
  const failure = project.memory.failures({ all: true }).find((each) => each.id === id);
  const what = failure === undefined ? '' : ` ("${sanitiseLine(failure.what).slice(0, 60)}")`;
  return {
    id,
    what: `the attempts behind ${sanitiseLine(id)}${what} in ${sanitiseLine(project.info.displayName)}`,
    run: () => home.forgetPattern(project, id),
  };
}

function describe(report: ForgetReport): string {
  const parts = [
    countOf(report.sessions, 'session'),
    countOf(report.messages, 'message'),
    countOf(report.attempts, 'attempt'),
    countOf(report.images, 'image'),
    countOf(report.prompts, 'prompt'),
  ];
  return `${parts.join(', ')}: ${formatBytes(report.bytes)}.`;
}
