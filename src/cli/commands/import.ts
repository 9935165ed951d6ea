import { resolve } from 'node:path';
import { AGENT_NAMES } from '../../agents/agent-name.ts';
import type { ImportReport } from '../../import/index.ts';
import type { CommandContext, OptionValues } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { placesOf } from '../machine.ts';
import { flagOption, timeOption } from '../option-values.ts';
import { importLines, nothingToImport } from '../output/import-lines.ts';
import { importWithProgress } from '../run-import.ts';

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
  const places = placesOf(context, home);
  const ended = await importWithProgress(
    home,
    {
      places: { ...places, projects: [...new Set([...places.projects, cwd])] },
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
  if (flagOption(options, 'json')) output.json(plain(ended.result));
  else if (ended.result.agents.length === 0) output.lines(...nothingToImport(agents, output));
  else output.lines(...importLines(ended.result, output));
  return EXIT.ok;
}

/** The report as JSON has it: by reason instead of in maps. */
function plain(report: ImportReport): unknown {
  return {
    ...report,
    agents: report.agents.map(({ counts, ...agent }) => ({
      ...agent,
      ...counts,
      skipped: Object.fromEntries(counts.skipped),
      problems: agent.problems,
      problemCount: counts.problems,
    })),
  };
}
