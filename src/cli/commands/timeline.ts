import { projectInQuestion } from '../choose-project.ts';
import type { CommandContext, OptionValues } from '../command.ts';
import { nothingRecorded } from '../nothing-recorded.ts';
import { countOption, flagOption } from '../option-values.ts';
import { countOf, formatCount } from '../output/quantity.ts';
import { sanitiseLine } from '../output/sanitise.ts';
import { timelinePlot } from '../output/timeline-plot.ts';
import { wrap } from '../output/width.ts';
import { spanOption } from '../span-options.ts';

const DEFAULT_DAYS = 30;

/** `yore timeline`. */
export async function runTimeline(
  context: CommandContext,
  _args: readonly string[],
  options: OptionValues,
): Promise<void> {
  const { output } = context;
  const span = spanOption(options, context.now());
  const most = countOption(options, 'days') ?? DEFAULT_DAYS;
  const home = await context.openHome();
  const project = projectInQuestion(home, options, context.cwd);
  const all = project?.memory.timeline(span) ?? [];
  const days = all.slice(-most);
  if (flagOption(options, 'json')) {
    output.json({ project: project?.info.projectHash ?? null, total: all.length, days });
    return;
  }
  if (project === undefined) output.lines(...nothingRecorded(home, context));
  else if (days.length === 0) {
    output.lines(
      ...wrap(`Nothing happened in ${sanitiseLine(project.info.displayName)} in that time.`, output.columns),
    );
  } else {
    const { style, symbols, columns } = output;
    const more =
      all.length > days.length
        ? ` ${symbols.separator} ${formatCount(days.length)} of ${countOf(all.length, 'day')}: --days ${most * 4}`
        : '';
    output.lines(
      ...wrap(style.bold(sanitiseLine(project.info.displayName)) + style.dim(more), columns),
      ...timelinePlot(days, output),
    );
  }
}
