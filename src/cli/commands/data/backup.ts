import { resolve } from 'node:path';
import { omitUndefined } from '../../../record/object.ts';
import { formatCount } from '../../../text/format-count.ts';
import type { CommandRun } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { confirm, interruptible } from '../../interaction.ts';
import { flagOption } from '../../options.ts';
import { formatBytes } from '../../output/format.ts';
import { sanitiseLine } from '../../output/sanitise.ts';

/** `yore backup`. */
export const runBackup: CommandRun = async (context, args, options) => {
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
      `Backed up ${formatCount(files, 'file')} (${formatBytes(bytes)}) to ${sanitiseLine(file)}.`,
      output.style.dim(`To restore: yore restore ${sanitiseLine(args[0] ?? '')}`),
    );
  }
  if (skipped.length > 0) output.warn(`Skipped because they are neither files nor folders: ${skipped.join(', ')}.`);
  return EXIT.ok;
};

/** `yore restore`. */
export const runRestore: CommandRun = async (context, args, options) => {
  const { output } = context;
  const file = resolve(context.cwd, args[0] ?? '');
  const home = await context.openHome();
  const replace = flagOption(options, 'replace');
  const question = `Replace ${home.path} with the backup? Its current contents will be moved to a folder next to it.`;
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
    output.json({ file, home: home.path, files, bytes, ...omitUndefined({ keptAside }) });
    return EXIT.ok;
  }
  output.lines(`Restored ${formatCount(files, 'file')} (${formatBytes(bytes)}) to ${sanitiseLine(home.path)}.`);
  if (keptAside) output.lines(output.style.dim(`The previous contents were moved to ${sanitiseLine(keptAside)}`));
  return EXIT.ok;
};
