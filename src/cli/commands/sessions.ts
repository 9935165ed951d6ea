import { chooseProject, projectNames } from '../choose-project.ts';
import type { CommandContext, OptionValues } from '../command.ts';
import { countOption, flagOption, textOption, timeOption } from '../option-values.ts';
import { formatCount } from '../output/quantity.ts';
import { sessionLines } from '../output/session-list.ts';
import { reportWarnings } from '../report-warnings.ts';

const DEFAULT_LIMIT = 50;

/** `yore sessions`. */
export async function runSessions(
  context: CommandContext,
  _args: readonly string[],
  options: OptionValues,
): Promise<number> {
  const { output } = context;
  const now = context.now();
  const project = textOption(options, 'project');
  const agent = textOption(options, 'agent');
  const branch = textOption(options, 'branch');
  const since = timeOption(options, 'since', now);
  const until = timeOption(options, 'until', now);
  const limit = countOption(options, 'limit') ?? DEFAULT_LIMIT;
  const home = await context.openHome();
  const filter = {
    ...(project === undefined
      ? {}
      : { projects: [chooseProject(home, project, context.cwd).info.projectHash] }),
    ...(agent === undefined ? {} : { agent }),
    ...(branch === undefined ? {} : { branch }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
  };
  const list = await output.withProgress('Indexing', (progress) =>
    home.listSessions({ ...filter, limit }, progress),
  );
  const projectName = projectNames(home);
  if (flagOption(options, 'json')) {
    const sessions = list.sessions.map((session) => ({
      ...session,
      projectName: projectName(session.project),
    }));
    output.json({ total: list.total, warnings: list.warnings, sessions });
  } else if (list.sessions.length === 0) {
    const isFiltered = Object.keys(filter).length > 0;
    output.lines(
      isFiltered ? 'No session fits.' : 'No sessions yet.',
      output.style.dim(isFiltered ? 'All sessions: yore sessions' : 'See how it will look: yore demo'),
    );
  } else {
    output.lines(...sessionLines(list.sessions, { output, now, projectName }));
    if (list.total > list.sessions.length) {
      const shown = `${formatCount(list.sessions.length)} of ${formatCount(list.total)} sessions`;
      output.lines('', output.style.dim(`${shown} ${output.symbols.separator} more: --limit ${limit * 4}`));
    }
  }
  return reportWarnings(list.warnings, output);
}
