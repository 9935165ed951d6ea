import { buildSessionRows, callsOf, type SessionView } from '../../../project/index.ts';
import type { CommandRun } from '../../command.ts';
import { flagOption } from '../../options.ts';
import type { Output } from '../../output/output.ts';
import { callLines, headLines, isMessage, messageLines, toSessionHead } from '../../output/session-text.ts';
import { reportDiagnostics } from '../../report.ts';

/** `yore show`. */
export const runShow: CommandRun = async (context, args, options) => {
  const { output } = context;
  const home = await context.openHome();
  const { project, sessionId } = home.findSession(args[0] ?? '');
  const { summary, records, calls, warnings } = project.session(sessionId);
  if (flagOption(options, 'json')) {
    output.json({
      session: { ...summary, projectName: project.info.displayName },
      warnings,
      entries: records.map((record) => ({ type: isMessage(record) ? 'message' : 'attempt', ...record })),
    });
  } else {
    output.lines(...headLines(toSessionHead(summary, project.info), output));
    printEntries({ records, calls }, output);
  }
  return reportDiagnostics(warnings, output);
};

/** Prints the messages and calls of a session. */
export function printEntries(session: Pick<SessionView, 'records' | 'calls'>, output: Output): void {
  let wasCall = false;
  for (const row of buildSessionRows(session)) {
    // Messages begin with a blank line; a group of calls gets one here.
    if ('message' in row) output.lines(...messageLines(row.message, output));
    else output.lines(...(wasCall ? [] : ['']), ...callsOf(row).flatMap((call) => callLines(call, output)));
    wasCall = !('message' in row);
  }
}
