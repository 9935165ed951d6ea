import type { Home } from '../../../project/index.ts';
import { resolveProject } from '../../choose-project.ts';
import type { CommandContext, CommandRun } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { countOption, flagOption, textOption } from '../../options.ts';
import { relativeTime } from '../../output/format.ts';
import { sanitise, sanitiseLine } from '../../output/sanitise.ts';
import { createStyle, createSymbols } from '../../output/terminal.ts';
import { joinLines, pick } from '../../picker.ts';
import { reportDiagnostics } from '../../report.ts';

/** `yore prompts`. */
export const runPrompts: CommandRun = async (context, args, options) => {
  const { output } = context;
  const query = args.join(' ');
  const limit = countOption(options, 'limit');
  const home = await context.openHome();
  const name = textOption(options, 'project');
  // Without --project, the prompts of this project come first and those of others follow.
  const only = name === undefined ? undefined : resolveProject(home, name, context.cwd);
  const offered = home.offeredPrompts(only ?? home.findProject(context.cwd), { only: only !== undefined });
  // Without a query they are ranked by frecency, otherwise by recency.
  const find = (text: string) => (text === '' ? offered.suggest('', limit) : offered.search(text, limit));

  if (flagOption(options, 'pick')) return await pickPrompt(query, find, context);
  const entries = find(query);
  reportDiagnostics(home.prompts.diagnostics, output);
  if (flagOption(options, 'json')) output.json({ prompts: entries });
  else if (entries.length === 0) {
    const hint = home.prompts.list().length > 0 ? 'All prompts: yore prompts' : 'To see how it will look: yore demo';
    output.lines(describeNone(query, home), output.style.dim(hint));
  } else output.lines(...promptLines(entries, context));
  return EXIT.ok;
};

type Entries = ReturnType<Home['prompts']['search']>;

async function pickPrompt(
  query: string,
  find: (text: string) => Entries,
  { output, now }: CommandContext,
): Promise<number> {
  const choices = (text: string) =>
    find(text).map((entry) => ({ text: entry.text, note: relativeTime(entry.lastUsed, now()) }));
  const { unicode, colour } = output.error.terminal;
  const picked = await pick(query, choices, { style: createStyle(colour), symbols: createSymbols(unicode) });
  if (picked === undefined) return EXIT.interrupted;
  output.lines(sanitise(picked));
  return EXIT.ok;
}

function promptLines(entries: Entries, { output, now }: CommandContext): string[] {
  const { style, symbols } = output;
  const uses = entries.map(({ useCount }) => (useCount > 1 ? style.dim(`${useCount}x`) : ''));
  return output.table([
    { cells: entries.map(({ lastUsed }) => style.dim(relativeTime(lastUsed, now()))) },
    { cells: uses, align: 'right' },
    { cells: entries.map(({ text }) => joinLines(text, symbols)) },
  ]);
}

function describeNone(query: string, home: Home): string {
  if (query !== '') return `No prompts contain "${sanitiseLine(query)}".`;
  return home.prompts.list().length === 0
    ? 'No prompts yet. They appear here once sessions are recorded.'
    : 'No prompts in this project yet.';
}
