import { omitUndefined } from '../../../record/object.ts';
import { formatNumber } from '../../../text/format-count.ts';
import { createListOptions, resolveProject } from '../../choose-project.ts';
import type { CommandRun } from '../../command.ts';
import { authorOption, countOption, flagOption, textOption, timeOption } from '../../options.ts';
import { sessionLines } from '../../output/session-list.ts';
import { reportDiagnostics } from '../../report.ts';

const DEFAULT_LIMIT = 50;

/** `yore sessions`. */
export const runSessions: CommandRun = async (context, _args, options) => {
  const { output } = context;
  const now = context.now();
  const project = textOption(options, 'project');
  const since = timeOption(options, 'since', now);
  const until = timeOption(options, 'until', now);
  const limit = countOption(options, 'limit') ?? DEFAULT_LIMIT;
  const home = await context.openHome();
  const filter = omitUndefined({
    projects: project === undefined ? undefined : [resolveProject(home, project, context.cwd).info.projectHash],
    agent: textOption(options, 'agent'),
    branch: textOption(options, 'branch'),
    author: authorOption(options),
    starred: flagOption(options, 'starred') ? true : undefined,
    tag: textOption(options, 'tag'),
    since,
    until,
  });
  const { sessions, total, warnings } = await output.withProgress('Indexing', (progress) =>
    home.listSessions({ ...filter, limit }, progress),
  );
  const listOptions = createListOptions(home, context);
  if (flagOption(options, 'json')) {
    const named = sessions.map((session) => ({ ...session, projectName: listOptions.projectName(session.project) }));
    output.json({ total, warnings, sessions: named });
  } else if (sessions.length === 0) {
    const isFiltered = Object.keys(filter).length > 0;
    output.lines(
      isFiltered ? 'No matching sessions.' : 'No sessions yet.',
      output.style.dim(isFiltered ? 'All sessions: yore sessions' : 'To see how it will look: yore demo'),
    );
  } else {
    output.lines(...sessionLines(sessions, listOptions));
    if (total > sessions.length) {
      const shown = `${formatNumber(sessions.length)} of ${formatNumber(total)} sessions`;
      output.lines('', output.style.dim(output.join(shown, `more: --limit ${limit * 4}`)));
    }
  }
  return reportDiagnostics(warnings, output);
};
