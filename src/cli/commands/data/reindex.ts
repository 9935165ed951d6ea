import { formatCount } from '../../../text/format-count.ts';
import type { CommandRun } from '../../command.ts';
import { flagOption } from '../../options.ts';
import { formatBytes } from '../../output/format.ts';
import { reportDiagnostics } from '../../report.ts';

/** `yore reindex`. */
export const runReindex: CommandRun = async ({ output, openHome }, _args, options) => {
  const home = await openHome();
  const report = await output.withProgress('Indexing', (progress) => home.reindex(progress));
  const { documents, bytesRead, warnings } = report;
  if (flagOption(options, 'json')) output.json({ documents, bytesRead, warnings });
  else {
    const indexed = formatCount(documents, 'message or attempt', 'messages and attempts');
    output.lines(`Rebuilt the search index: ${indexed} from ${formatBytes(bytesRead)} of logs.`);
  }
  return reportDiagnostics(warnings, output);
};
