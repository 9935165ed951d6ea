import { YoreError } from '../../record/index.ts';
import { projectInQuestion } from '../choose-project.ts';
import type { CommandContext, OptionValues } from '../command.ts';
import { flagOption } from '../option-values.ts';
import { clipped } from '../output/indented.ts';
import { sanitiseLine } from '../output/sanitise.ts';
import { wrap } from '../output/width.ts';

/** `yore dismiss`. */
export async function runDismiss(
  context: CommandContext,
  args: readonly string[],
  options: OptionValues,
): Promise<void> {
  await choose('dismiss', context, args, options);
}

/** `yore pin`. */
export async function runPin(
  context: CommandContext,
  args: readonly string[],
  options: OptionValues,
): Promise<void> {
  await choose('pin', context, args, options);
}

type Kind = 'dismiss' | 'pin';

const SAID: Readonly<Record<Kind | 'reset', string>> = {
  dismiss: 'yore will not warn about it again:',
  pin: 'yore will go on warning about it, however long ago it was:',
  reset: 'yore warns about it like about any other:',
};

async function choose(
  kind: Kind,
  context: CommandContext,
  args: readonly string[],
  options: OptionValues,
): Promise<void> {
  const { output } = context;
  const { style, symbols, columns } = output;
  const undo = flagOption(options, 'undo');
  const home = await context.openHome();
  const project = projectInQuestion(home, options, context.cwd);
  if (project === undefined) {
    throw new YoreError(
      'NOT_FOUND',
      `Nothing is recorded for ${context.cwd} yet. Go to the folder of the project, or name it with --project.`,
    );
  }
  const chosen = undo ? 'reset' : kind;
  const failure = project.memory.choose(chosen, args[0] ?? '');
  if (flagOption(options, 'json')) {
    output.json({ project: project.info.projectHash, failure });
    return;
  }
  const back = undo ? `Again: yore ${kind} ${failure.id}` : `Take it back: yore ${kind} ${failure.id} --undo`;
  output.lines(
    ...wrap(SAID[chosen], columns),
    ...clipped(sanitiseLine(failure.what), { by: 2, columns, ellipsis: symbols.ellipsis, paint: style.bold }),
    ...wrap(back, columns).map(style.dim),
  );
}
