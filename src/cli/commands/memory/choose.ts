import { requireProject } from '../../choose-project.ts';
import type { CommandRun } from '../../command.ts';
import { flagOption } from '../../options.ts';
import { sanitiseLine } from '../../output/sanitise.ts';

/** `yore dismiss`. */
export const runDismiss: CommandRun = createChoiceCommand('dismiss');

/** `yore pin`. */
export const runPin: CommandRun = createChoiceCommand('pin');

function createChoiceCommand(choice: 'dismiss' | 'pin'): CommandRun {
  return async (context, args, options) => {
    const { output } = context;
    const isUndo = flagOption(options, 'undo');
    const home = await context.openHome();
    const project = requireProject(home, options, context.cwd);
    const chosen = isUndo ? 'reset' : choice;
    const failure = project.memory.choose(chosen, args[0] ?? '');
    if (flagOption(options, 'json')) {
      output.json({ project: project.info.projectHash, failure });
      return;
    }
    const undo = isUndo ? `To redo: yore ${choice} ${failure.id}` : `To undo: yore ${choice} ${failure.id} --undo`;
    output.lines(
      ...output.wrap(DONE[chosen]),
      ...output.clip(sanitiseLine(failure.what), { indent: 2, paint: output.style.bold }),
      ...output.wrap(undo).map(output.style.dim),
    );
  };
}

const DONE: Readonly<Record<'dismiss' | 'pin' | 'reset', string>> = {
  dismiss: 'Dismissed. yore will not warn about it again:',
  pin: 'Pinned. yore will keep warning about it, however old it is:',
  reset: 'Reset. yore treats it like any other failure:',
};
