import type { CommandContext, OptionValues } from '../command.ts';
import { flagOption } from '../option-values.ts';
import { countOf, formatBytes } from '../output/quantity.ts';
import { reportWarnings } from '../report-warnings.ts';

/** `yore reindex`. */
export async function runReindex(
  context: CommandContext,
  _args: readonly string[],
  options: OptionValues,
): Promise<number> {
  const { output } = context;
  const home = await context.openHome();
  const report = await output.withProgress('Indexing', (progress) => home.reindex(progress));
  const { documents, bytesRead, warnings } = report;
  if (flagOption(options, 'json')) output.json({ documents, bytesRead, warnings });
  else {
    const read = countOf(documents, 'message or attempt', 'messages and attempts');
    output.lines(`The index is rebuilt: ${read}, ${formatBytes(bytesRead)} of logs.`);
  }
  return reportWarnings(warnings, output);
}
