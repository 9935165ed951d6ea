import { syncHome } from '../../../team/index.ts';
import { formatCount } from '../../../text/format-count.ts';
import { resolveProject } from '../../choose-project.ts';
import type { CommandRun } from '../../command.ts';
import { flagOption, textOption } from '../../options.ts';
import { sanitiseLine } from '../../output/sanitise.ts';

/** `yore sync`. */
export const runSync: CommandRun = async (context, _args, options) => {
  const { output } = context;
  const home = await context.openHome();
  const name = textOption(options, 'project');
  const abort = new AbortController();
  const interrupt = (): void => abort.abort();
  process.once('SIGINT', interrupt);
  try {
    const projects = name === undefined ? undefined : [resolveProject(home, name, context.cwd)];
    const report = await syncHome(home, {
      now: context.now,
      signal: abort.signal,
      ...(projects === undefined ? {} : { projects }),
    });
    if (flagOption(options, 'json')) {
      output.json(report);
      return;
    }
    for (const { name: project, share, pushed, pulled, deleted } of report.projects) {
      const done = [
        share === 'nothing' ? 'not shared' : `${formatCount(pushed, 'record')} sent`,
        `${formatCount(pulled, 'record')} received`,
        ...(deleted === 0 ? [] : [`${formatCount(deleted, 'record')} deleted`]),
      ];
      output.lines(`${sanitiseLine(project)}: ${done.join(', ')}`);
    }
    for (const project of report.busy) output.warn(`${sanitiseLine(project)}: another process is syncing it.`);
    if (report.projects.length + report.busy.length === 0) {
      output.lines('No project here can be recognised on the machines of colleagues.');
      output.lines(output.style.dim('A project needs a git repository, or a name: yore team share attempts --as NAME'));
    }
  } finally {
    process.off('SIGINT', interrupt);
  }
};
