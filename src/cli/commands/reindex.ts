import type { CommandContext, OptionValues } from '../command.ts';
import { flagOption } from '../option-values.ts';
import { countOf, formatBytes } from '../output/quantity.ts';

/** `yore reindex`. */
export async function runReindex(
  context: CommandContext,
  _args: readonly string[],
  options: OptionValues,
): Promise<void> {
  const { output } = context;
  const home = await context.openHome();
  const report = await output.withProgress('Indexing', (progress) => home.reindex(progress));
  if (flagOption(options, 'json')) output.json(report);
  else
    output.lines(
      `The index is rebuilt: ${countOf(report.documents, 'message and attempt', 'messages and attempts')}, ${formatBytes(report.bytes)}.`,
    );
}
