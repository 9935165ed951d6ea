import { parseNote } from '../../../project/user-input.ts';
import { YoreError } from '../../../record/index.ts';
import { redact } from '../../../redact/index.ts';
import { resolveProject } from '../../choose-project.ts';
import type { CommandRun } from '../../command.ts';
import { flagOption, textOption, textsOption } from '../../options.ts';
import { sanitiseLine } from '../../output/sanitise.ts';

/** `yore remember`. */
export const runRemember: CommandRun = async (context, args, options) => {
  const { output } = context;
  const given = parseNote(args.join(' '));
  const text = redact(given);
  const avoid = flagOption(options, 'avoid');
  const tags = textsOption(options, 'tag').map(sanitiseLine);
  const home = await context.openHome();
  const name = textOption(options, 'project');
  const project = name === undefined ? home.openProject(context.cwd) : resolveProject(home, name, context.cwd);
  const displayName = sanitiseLine(project.info.displayName);
  if (!project.isRecording()) {
    throw new YoreError('USAGE', `Recording is paused in ${displayName}, so nothing was noted. To resume: yore resume`);
  }
  const note = project.memory.remember(text, { avoid, tags });
  if (flagOption(options, 'json')) {
    const { id, timestamp, pattern } = note;
    output.json({ project: project.info.projectHash, id, timestamp, pattern, avoid, tags });
  } else {
    const { style, symbols } = output;
    const marker = avoid ? style.red(symbols.failure) : style.green(symbols.success);
    output.lines(
      ...output.wrap(`Noted for ${displayName}${avoid ? ', to avoid' : ''}:`),
      ...output.clip(text, { indent: 4, marker, maxLines: 5 }),
      ...output.wrap(`To undo: yore forget --pattern ${note.id}`).map(style.dim),
    );
  }
  if (text !== given) output.warn('What looks like a secret was removed from the note.');
};
