import type { Project } from '../../project/index.ts';
import { projectInQuestion } from '../choose-project.ts';
import type { CommandContext, OptionValues } from '../command.ts';
import { nothingRecorded } from '../nothing-recorded.ts';
import { countOption, flagOption } from '../option-values.ts';
import { failureLines } from '../output/failure-list.ts';
import { formatCount } from '../output/quantity.ts';
import { sanitiseLine } from '../output/sanitise.ts';
import { wrap } from '../output/width.ts';

const DEFAULT_LIMIT = 50;

/** `yore failures`. */
export async function runFailures(
  context: CommandContext,
  _args: readonly string[],
  options: OptionValues,
): Promise<void> {
  const { output } = context;
  const limit = countOption(options, 'limit') ?? DEFAULT_LIMIT;
  const all = flagOption(options, 'all');
  const home = await context.openHome();
  const project = projectInQuestion(home, options, context.cwd);
  const found = project?.memory.failures({ all }) ?? [];
  const failures = found.slice(0, limit);
  if (flagOption(options, 'json')) {
    output.json({
      project: project?.info.projectHash ?? null,
      total: found.length,
      failures,
    });
    return;
  }
  if (project === undefined) output.lines(...nothingRecorded(home, context));
  else if (failures.length === 0) sayNone(project, all, context);
  else {
    const more =
      found.length > failures.length
        ? `${formatCount(failures.length)} of ${formatCount(found.length)}: --limit ${limit * 4} ${output.symbols.separator} `
        : '';
    const hint = `${more}silence one: yore dismiss ID ${output.symbols.separator} keep one: yore pin ID`;
    output.lines(
      ...failureLines(failures, { output, now: context.now() }),
      '',
      ...wrap(hint, output.columns).map(output.style.dim),
    );
  }
}

function sayNone(project: Project, all: boolean, { output }: CommandContext): void {
  const name = sanitiseLine(project.info.displayName);
  output.lines(
    ...wrap(all ? `No failure of ${name} is remembered.` : `Nothing to avoid in ${name}.`, output.columns),
    ...wrap(
      all ? 'What works: yore successes' : 'Those that worked again or were dismissed: yore failures --all',
      output.columns,
    ).map(output.style.dim),
  );
}
