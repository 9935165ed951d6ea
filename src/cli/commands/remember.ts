import { noteText } from '../../project/note-text.ts';
import { YoreError } from '../../record/index.ts';
import { redact } from '../../redact/index.ts';
import { chooseProject } from '../choose-project.ts';
import type { CommandContext, OptionValues } from '../command.ts';
import { flagOption, textOption, textsOption } from '../option-values.ts';
import { clipped } from '../output/indented.ts';
import { sanitiseLine } from '../output/sanitise.ts';
import { wrap } from '../output/width.ts';

/** `yore remember`. */
export async function runRemember(
  context: CommandContext,
  args: readonly string[],
  options: OptionValues,
): Promise<void> {
  const { output } = context;
  const given = noteText(args.join(' '));
  const text = redact(given);
  const avoid = flagOption(options, 'avoid');
  const tags = textsOption(options, 'tag').map(sanitiseLine);
  const home = await context.openHome();
  const name = textOption(options, 'project');
  const project = name === undefined ? home.openProject(context.cwd) : chooseProject(home, name, context.cwd);
  const shown = sanitiseLine(project.info.displayName);
  if (!project.isRecording()) {
    throw new YoreError('USAGE', `Recording is off in ${shown}, so nothing was noted. Go on: yore resume`);
  }
  const note = project.memory.remember(text, { avoid, tags });
  if (flagOption(options, 'json')) {
    const { id, timestamp, pattern } = note;
    output.json({ project: project.info.projectHash, id, timestamp, pattern, avoid, tags });
  } else {
    const { style, symbols, columns } = output;
    const sign = avoid ? style.red(symbols.failure) : style.green(symbols.success);
    output.lines(
      ...wrap(`Noted for ${shown}${avoid ? ', to avoid' : ''}:`, columns),
      ...clipped(text, { by: 4, columns, ellipsis: symbols.ellipsis, sign, lines: 5 }),
      ...wrap(`Take it back: yore forget --pattern ${note.id}`, columns).map(style.dim),
    );
  }
  if (text !== given) output.warn('What looks like a secret was left out of it.');
}
