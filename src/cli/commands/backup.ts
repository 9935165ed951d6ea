import { resolve } from 'node:path';
import type { CommandContext, OptionValues } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { interruptible } from '../interruptible.ts';
import { flagOption } from '../option-values.ts';
import { countOf, formatBytes } from '../output/quantity.ts';
import { sanitiseLine } from '../output/sanitise.ts';

/** `yore backup`. */
export async function runBackup(
  context: CommandContext,
  args: readonly string[],
  options: OptionValues,
): Promise<number> {
  const { output } = context;
  const file = resolve(context.cwd, args[0] ?? '');
  const home = await context.openHome();
  const ended = await output.withProgress('Backing up', (progress) =>
    interruptible(progress, (report) => home.backup(file, report)),
  );
  if (!ended.isDone) return EXIT.interrupted;
  const { files, bytes, skipped } = ended.result;
  if (flagOption(options, 'json')) output.json({ file, files, bytes, skipped });
  else {
    output.lines(
      `Wrote ${countOf(files, 'file')} (${formatBytes(bytes)}) to ${sanitiseLine(file)}.`,
      output.style.dim(`Bring it back: yore restore ${sanitiseLine(args[0] ?? '')}`),
    );
  }
  if (skipped.length > 0)
    output.warn(`Left out, because they are neither files nor folders: ${skipped.join(', ')}.`);
  return EXIT.ok;
}
