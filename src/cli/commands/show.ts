import type { CommandContext, OptionValues } from '../command.ts';
import { flagOption } from '../option-values.ts';
import { entryLines, headLines, isMessage } from '../output/session-text.ts';
import { reportWarnings } from '../report-warnings.ts';
import { sessionHead } from '../session-head.ts';

/** `yore show`. */
export async function runShow(
  context: CommandContext,
  args: readonly string[],
  options: OptionValues,
): Promise<number> {
  const { output } = context;
  const home = await context.openHome();
  const { project, sessionId } = home.findSession(args[0] ?? '');
  const view = project.session(sessionId);
  if (flagOption(options, 'json')) {
    output.json({
      session: { ...view.summary, projectName: project.info.displayName },
      warnings: view.warnings,
      entries: view.entries.map((entry) => ({ type: isMessage(entry) ? 'message' : 'attempt', ...entry })),
    });
  } else {
    output.lines(...headLines(sessionHead(view.summary, project.info), output));
    let previous: 'message' | 'attempt' = 'message';
    for (const entry of view.entries) {
      const type = isMessage(entry) ? 'message' : 'attempt';
      // A group of attempts is set off from the message before it; messages bring their own blank line.
      const gap = type === 'attempt' && previous === 'message' ? [''] : [];
      output.lines(...gap, ...entryLines(entry, output));
      previous = type;
    }
  }
  return reportWarnings(view.warnings, output);
}
