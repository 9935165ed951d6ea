import { formatCount, formatNumber } from '../../../text/format-count.ts';
import { gettingStartedLines, projectNames } from '../../choose-project.ts';
import type { CommandRun } from '../../command.ts';
import { shortenPath } from '../../machine.ts';
import { flagOption } from '../../options.ts';
import { relativeTime } from '../../output/format.ts';
import type { Column } from '../../output/layout.ts';
import { outcomeCounts } from '../../output/outcome-mark.ts';
import { sanitiseLine } from '../../output/sanitise.ts';
import { reportDiagnostics } from '../../report.ts';

/** A narrower terminal shows no agents. */
const MIN_AGENT_COLUMNS = 110;
const NONE = { sessions: 0, failures: 0, successes: 0, agents: [] };

/** `yore projects`. */
export const runProjects: CommandRun = async (context, args, options) => {
  const { output } = context;
  const { style, symbols, columns } = output;
  const now = context.now();
  const home = await context.openHome();
  const { warnings } = await output.withProgress('Indexing', (progress) => home.listSessions({ limit: 0 }, progress));
  const counts = new Map(home.indexed.countByProject(now).map(({ project, ...count }) => [project, count]));
  const wanted = args.join(' ').toLowerCase();
  const projects = home
    .projectsByActivity()
    .filter(({ displayName, projectPath }) => `${displayName}\n${projectPath}`.toLowerCase().includes(wanted))
    .map(({ projectHash, displayName, projectPath, lastActiveAt }) => {
      const { sessions, failures, successes, agents } = counts.get(projectHash) ?? NONE;
      const activeWarnings = home.findProjectByName(projectHash).memory.failures().length;
      const names = agents.map(({ agent }) => agent);
      const { id, name, path } = { id: projectHash, name: displayName, path: projectPath };
      return { id, name, path, lastActiveAt, agents: names, sessions, failures, successes, activeWarnings };
    });
  if (flagOption(options, 'json')) {
    output.json({ projects, warnings });
    return reportDiagnostics(warnings, output);
  }
  if (projects.length === 0) {
    output.lines(
      ...(wanted === ''
        ? ['No projects yet.', ...gettingStartedLines(home, output)]
        : [`No project matches "${sanitiseLine(args.join(' '))}".`, style.dim('All projects: yore projects')]),
    );
    return reportDiagnostics(warnings, output);
  }
  const label = projectNames(home);
  const column = (cell: (project: (typeof projects)[number]) => string, rest: Omit<Column, 'cells'> = {}): Column => ({
    cells: projects.map(cell),
    ...rest,
  });
  output.lines(
    ...output.table([
      column(({ id }) => style.bold(label(id)), { maxWidth: 30 }),
      column(({ lastActiveAt }) => style.dim(relativeTime(lastActiveAt, now))),
      column(({ sessions }) => formatCount(sessions, 'session'), { align: 'right' }),
      column((project) => outcomeCounts(project, output)),
      column(({ activeWarnings }) =>
        activeWarnings === 0 ? '' : style.yellow(`${symbols.warning} ${formatNumber(activeWarnings)}`),
      ),
      ...(columns >= MIN_AGENT_COLUMNS
        ? [column(({ agents }) => style.cyan(sanitiseLine(agents.join(', '))), { maxWidth: 30 })]
        : []),
      column(({ path }) => style.dim(sanitiseLine(shortenPath(path))), { keepsEnd: true }),
    ]),
  );
  return reportDiagnostics(warnings, output);
};
