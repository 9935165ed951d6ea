import type { SessionLabels } from '../../../project/index.ts';
import { YoreError } from '../../../record/index.ts';
import type { CommandRun } from '../../command.ts';
import { flagOption } from '../../options.ts';
import { sanitiseLine } from '../../output/sanitise.ts';

type Change = (args: readonly string[], now: SessionLabels, isUndo: boolean) => SessionLabels;

/** `yore sessions rename`. */
export const runRename: CommandRun = createLabelCommand(([, ...words]) => {
  const title = words.join(' ').trim();
  if (title === '') throw new YoreError('USAGE', 'Give the new title: yore sessions rename SESSION TITLE');
  return { title };
});

/** `yore sessions star`. */
export const runStar: CommandRun = createLabelCommand((_args, _now, isUndo) => ({ starred: !isUndo }));

/** `yore sessions tag`. */
export const runTag: CommandRun = createLabelCommand(([, ...names], { tags = [] }, isUndo) => {
  const given = names.flatMap((name) => name.split(',')).map((name) => name.trim().replace(/^#/, ''));
  return { tags: isUndo ? tags.filter((tag) => !given.includes(tag)) : [...new Set([...tags, ...given])] };
});

function createLabelCommand(change: Change): CommandRun {
  return async (context, args, options) => {
    const { output } = context;
    const home = await context.openHome();
    const { project, sessionId } = home.findSession(args[0] ?? '');
    const before = project.session(sessionId).summary;
    project.labelSession(sessionId, change(args, before, flagOption(options, 'undo')));
    home.catchUp();
    const { summary } = project.session(sessionId);
    if (flagOption(options, 'json')) {
      output.json({ session: { ...summary, projectName: project.info.displayName } });
      return;
    }
    const tags = (summary.tags ?? []).map((tag) => `#${sanitiseLine(tag)}`);
    output.lines(
      output.truncate([...(summary.starred ? ['★'] : []), sanitiseLine(summary.title), ...tags].join(' ')),
      output.style.yellow(sanitiseLine(sessionId)),
    );
  };
}
