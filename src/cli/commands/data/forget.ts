import type { ForgetReport, Home } from '../../../project/index.ts';
import { YoreError } from '../../../record/index.ts';
import { formatCount } from '../../../text/format-count.ts';
import { resolveProject } from '../../choose-project.ts';
import type { CommandContext, CommandRun, OptionValues } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { confirm } from '../../interaction.ts';
import { flagOption, textOption } from '../../options.ts';
import { formatBytes } from '../../output/format.ts';
import { sanitiseLine } from '../../output/sanitise.ts';

/** Characters shown of a preview in the question. */
const MAX_PREVIEW = 60;

/** `yore forget`. */
export const runForget: CommandRun = async (context, _args, options) => {
  const { output } = context;
  const home = await context.openHome();
  const session = textOption(options, 'session') ?? '';
  const isFinished = home.interruptedDeletions.some(
    ({ deletion, problem }) => problem === undefined && session !== '' && deletion.sessionIds[0]?.startsWith(session),
  );
  // Opening the home has finished what an interrupted `yore forget` began, and has said so.
  if (isFinished) return EXIT.ok;
  const plan = makePlan(home, context, options);
  if (!flagOption(options, 'yes') && !(await confirm(`Permanently delete ${plan.what}?`, output))) {
    output.notice('Nothing was deleted.');
    return EXIT.interrupted;
  }
  const report = plan.run();
  if (flagOption(options, 'json')) output.json({ forgotten: plan.id, ...report });
  else output.lines(`Deleted ${plan.what}.`, output.style.dim(formatReport(report)));
  return EXIT.ok;
};

interface Plan {
  readonly id: string;
  /** What is deleted, for the question and the result. */
  readonly what: string;
  readonly run: () => ForgetReport;
}

function makePlan(home: Home, context: CommandContext, options: OptionValues): Plan {
  const session = textOption(options, 'session');
  const pattern = textOption(options, 'pattern');
  const name = textOption(options, 'project');
  if (pattern !== undefined && session === undefined) return planPattern(home, pattern, name, context);
  if (pattern === undefined && session !== undefined && name === undefined) return planSession(home, session);
  if (pattern === undefined && session === undefined && name !== undefined) return planProject(home, name, context);
  throw new YoreError('USAGE', 'Give one of --session ID, --pattern ID or --project NAME.');
}

function planSession(home: Home, session: string): Plan {
  const { project, sessionId } = home.findSession(session);
  const { summary } = project.session(sessionId);
  const preview = sanitiseLine(summary.title).slice(0, MAX_PREVIEW);
  const { messages, subAgents, replies } = home.planForget(project, sessionId);
  const parts = [
    formatCount(messages, 'message'),
    ...(subAgents === 0 ? [] : [formatCount(subAgents, 'sub-agent')]),
    ...(replies === 0 ? [] : [`${formatCount(replies, 'reply', 'replies')} in the chat that quote it`]),
  ];
  return {
    id: sessionId,
    what: `session ${sessionId} ("${preview}", ${parts.join(', ')})`,
    run: () => home.forgetSession(project, sessionId),
  };
}

function planProject(home: Home, name: string, { cwd }: CommandContext): Plan {
  const project = resolveProject(home, name, cwd);
  const { total } = home.listSessions({ projects: [project.info.projectHash], limit: 1 });
  return {
    id: project.info.projectHash,
    what: `all history of ${sanitiseLine(project.info.displayName)} (${formatCount(total, 'session')})`,
    run: () => home.forgetProject(project),
  };
}

function planPattern(home: Home, id: string, name: string | undefined, { cwd }: CommandContext): Plan {
  const project = resolveProject(home, name ?? '.', cwd);
  const failure = project.memory.failures({ all: true }).find((each) => each.id === id);
  const preview = failure === undefined ? '' : ` ("${sanitiseLine(failure.what).slice(0, MAX_PREVIEW)}")`;
  return {
    id,
    what: `the attempts behind ${sanitiseLine(id)}${preview} in ${sanitiseLine(project.info.displayName)}`,
    run: () => home.forgetPattern(project, id),
  };
}

function formatReport(report: ForgetReport): string {
  const parts = [
    formatCount(report.sessions, 'session'),
    formatCount(report.messages, 'message'),
    formatCount(report.attempts, 'attempt'),
    formatCount(report.images, 'image'),
    formatCount(report.prompts, 'prompt'),
  ];
  return `${parts.join(', ')}: ${formatBytes(report.bytes)}.`;
}
