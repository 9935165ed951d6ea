import type { CommandRun } from '../../command.ts';
import { flagOption } from '../../options.ts';
import { entryLines, headLines, isMessage, toSessionHead } from '../../output/session-text.ts';
import { reportDiagnostics } from '../../report.ts';

/** `yore show`. */
export const runShow: CommandRun = async (context, args, options) => {
  const { output } = context;
  const home = await context.openHome();
  const { project, sessionId } = home.findSession(args[0] ?? '');
  const { summary, records, warnings } = project.session(sessionId);
  if (flagOption(options, 'json')) {
    output.json({
      session: { ...summary, projectName: project.info.displayName },
      warnings,
      entries: records.map((record) => ({ type: isMessage(record) ? 'message' : 'attempt', ...record })),
    });
  } else {
    output.lines(...headLines(toSessionHead(summary, project.info), output));
    for (const [index, record] of records.entries()) {
      const previous = records[index - 1];
      // Messages begin with a blank line; a group of attempts gets one here.
      const isFirstAttempt = !isMessage(record) && (previous === undefined || isMessage(previous));
      output.lines(...(isFirstAttempt ? [''] : []), ...entryLines(record, output));
    }
  }
  return reportDiagnostics(warnings, output);
};
