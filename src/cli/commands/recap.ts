import type { Recap } from '../../memory/index.ts';
import { projectInQuestion } from '../choose-project.ts';
import type { CommandContext, OptionValues } from '../command.ts';
import { nothingRecorded } from '../nothing-recorded.ts';
import { countOption, flagOption, textOption } from '../option-values.ts';
import { countOf } from '../output/quantity.ts';
import { recapDayLines } from '../output/recap-lines.ts';
import { sanitiseLine } from '../output/sanitise.ts';
import { wrap } from '../output/width.ts';
import { spanOption } from '../span-options.ts';

const DEFAULT_DAYS = 7;
const NOTHING: Recap = { days: [], totals: { sessions: 0, requests: 0, commits: 0, failures: 0, files: 0 } };

/** `yore recap`. */
export async function runRecap(
  context: CommandContext,
  _args: readonly string[],
  options: OptionValues,
): Promise<void> {
  const { output } = context;
  const span = spanOption(options, context.now());
  const days = countOption(options, 'days') ?? DEFAULT_DAYS;
  const home = await context.openHome();
  const project = projectInQuestion(home, options, context.cwd);
  const recap = project?.memory.recap({ ...span, days }) ?? NOTHING;
  if (flagOption(options, 'json')) {
    output.json({ project: project?.info.projectHash ?? null, ...recap });
    return;
  }
  if (project === undefined) output.lines(...nothingRecorded(home, context));
  else if (recap.days.length === 0) {
    const isFiltered = (['since', 'until'] as const).some((name) => textOption(options, name) !== undefined);
    const place = sanitiseLine(project.info.displayName);
    output.lines(
      ...wrap(
        isFiltered ? `Nothing was done in ${place} in that time.` : `Nothing is recorded of ${place} yet.`,
        output.columns,
      ),
      ...(isFiltered ? [output.style.dim('The last days with activity: yore recap')] : []),
    );
  } else {
    output.lines(
      ...recap.days.flatMap((day, index) => [...(index > 0 ? [''] : []), ...recapDayLines(day, output)]),
      '',
      ...wrap(totalsText(recap, days, output.symbols.separator), output.columns).map(output.style.dim),
    );
  }
}

function totalsText({ days, totals }: Recap, most: number, separator: string): string {
  const parts = [
    countOf(days.length, 'day'),
    countOf(totals.sessions, 'session'),
    countOf(totals.requests, 'request'),
    countOf(totals.commits, 'commit'),
    countOf(totals.files, 'file'),
    countOf(totals.failures, 'failure'),
  ];
  const more = days.length === most ? ` ${separator} more: --days ${most * 4}` : '';
  return parts.join(', ') + more;
}
