import type { CommandRun } from '../../command.ts';
import { flagOption } from '../../options.ts';
import { entryLines, headLines, isMessage, toSessionHead } from '../../output/session-text.ts';
import { reportWarnings } from '../../report.ts';

/** `yore show`. */
export const runShow: CommandRun = async (context, args, options) => {
  const { output } = context;
  const home = await context.openHome();
  const { project, sessionId } = home.findSession(args[0] ?? '');
  const { summary, entries, warnings } = project.session(sessionId);
  if (flagOption(options, 'json')) {
    output.json({
      session: { ...summary, projectName: project.info.displayName },
      warnings,
      entries: entries.map((entry) => ({ type: isMessage(entry) ? 'message' : 'attempt', ...entry })),
    });
  } else {
    output.lines(...headLines(toSessionHead(summary, project.info), output));
    for (const [index, entry] of entries.entries()) {
      const previous = entries[index - 1];
      // Messages begin with a blank line; a group of attempts gets one here.
      const isFirstAttempt = !isMessage(entry) && (previous === undefined || isMessage(previous));
      output.lines(...(isFirstAttempt ? [''] : []), ...entryLines(entry, output));
    }
  }
  return reportWarnings(warnings, output);
};
