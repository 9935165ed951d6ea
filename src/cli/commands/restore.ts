import { resolve } from 'node:path';
import type { CommandContext, OptionValues } from '../command.ts';
import { confirm } from '../confirm.ts';
import { EXIT } from '../exit-codes.ts';
import { interruptible } from '../interruptible.ts';
import { flagOption } from '../option-values.ts';
import { countOf, formatBytes } from '../output/quantity.ts';
import { sanitiseLine } from '../output/sanitise.ts';

/** `yore restore`. */
export async function runRestore(
  context: CommandContext,
  args: readonly string[],
  options: OptionValues,
): Promise<number> {
  const { output } = context;
  const file = resolve(context.cwd, args[0] ?? '');
  const home = await context.openHome();
  const replace = flagOption(options, 'replace');
  const question = `Put the backup in the place of ${home.path} and keep what is there aside?`;
  if (replace && !flagOption(options, 'yes') && !(await confirm(question, output))) {
    output.notice('Nothing was changed.');
    return EXIT.interrupted;
  }
  const ended = await output.withProgress('Restoring', (progress) =>
    interruptible(progress, (report) => home.restore(file, { replace }, report)),
  );
  if (!ended.isDone) return EXIT.interrupted;
  const { files, bytes, keptAside } = ended.result;
  if (flagOption(options, 'json')) {
    output.json({ file, home: home.path, files, bytes, ...(keptAside ? { keptAside } : {}) });
    return EXIT.ok;
  }
  output.lines(`Restored ${countOf(files, 'file')} (${formatBytes(bytes)}) into ${sanitiseLine(home.path)}.`);
  if (keptAside) output.lines(output.style.dim(`What was there is kept in ${sanitiseLine(keptAside)}`));
  return EXIT.ok;
}
