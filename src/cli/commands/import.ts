import { resolve } from 'node:path';
import { AGENT_NAMES } from '../../agents/agent-name.ts';
import type { CommandContext, OptionValues } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { placesOf } from '../machine.ts';
import { flagOption, timeOption } from '../option-values.ts';
import { importLines, nothingToImport } from '../output/import-lines.ts';
import { importJson, importWithProgress } from '../run-import.ts';

/** `yore import`. */
export async function runImport(
  context: CommandContext,
  args: readonly string[],
  options: OptionValues,
): Promise<number> {
  const { output, cwd, now } = context;
  const home = await context.openHome();
  const agents = AGENT_NAMES.filter((name) => args.includes(name));
  const paths = Array.isArray(options.file) ? options.file.map((path) => resolve(cwd, String(path))) : [];
  const since = timeOption(options, 'since', now());
  const ended = await importWithProgress(
    home,
    {
      places: placesOf(context, home),
      now,
      dryRun: flagOption(options, 'dryRun'),
      ...(agents.length === 0 ? {} : { agents }),
      ...(paths.length === 0 ? {} : { paths }),
      ...(since === undefined ? {} : { since: Date.parse(since) }),
    },
    output,
  );
  if (!ended.isDone) {
    output.notice('Interrupted. What was imported by then is kept; the next import goes on from there.');
    return EXIT.interrupted;
  }
  if (flagOption(options, 'json')) output.json(importJson(ended.result));
  else if (ended.result.agents.length === 0) output.lines(...nothingToImport(agents, output));
  else output.lines(...importLines(ended.result, output));
  return EXIT.ok;
}
