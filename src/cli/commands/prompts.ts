import type { Home } from '../../project/index.ts';
import { chooseProject } from '../choose-project.ts';
import type { CommandContext, OptionValues } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { countOption, flagOption, textOption } from '../option-values.ts';
import { sanitise } from '../output/sanitise.ts';
import { createStyle } from '../output/style.ts';
import { createSymbols } from '../output/symbols.ts';
import { layoutTable } from '../output/table.ts';
import { relativeTime } from '../output/time.ts';
import { reportWarnings } from '../report-warnings.ts';

/** `yore prompts`. */
export async function runPrompts(
  context: CommandContext,
  args: readonly string[],
  options: OptionValues,
): Promise<number> {
  const { output } = context;
  const query = args.join(' ');
  const limit = countOption(options, 'limit');
  const home = await context.openHome();
  const named = textOption(options, 'project');
  // Without a name the prompts of this project come first, those of others follow.
  const only = named === undefined ? undefined : chooseProject(home, named, context.cwd).info.projectHash;
  const first = only ?? home.findProject(context.cwd)?.info.projectHash;
  // All of them by frecency; what is searched for, by recency.
  const find = (text: string) =>
    (text === '' ? home.prompts.suggest('', 0, first) : home.prompts.search(text, 0, first))
      .filter((entry) => only === undefined || entry.projects.includes(only))
      .slice(0, limit ?? home.config.get('prompts.size'));

  if (flagOption(options, 'pick')) return await pickPrompt(query, find, context);
  const entries = find(query);
  reportWarnings(home.prompts.warnings, output);
  if (flagOption(options, 'json')) output.json({ prompts: entries });
  else if (entries.length === 0)
    output.lines(nothingFound(query, home), output.style.dim('All prompts: yore prompts'));
  else output.lines(...promptLines(entries, context));
  return EXIT.ok;
}

type Entries = ReturnType<Home['prompts']['search']>;

async function pickPrompt(
  query: string,
  find: (text: string) => Entries,
  context: CommandContext,
): Promise<number> {
  const { pick } = await import('../picker/pick.ts');
  const now = context.now();
  const choices = (text: string) =>
    find(text).map((entry) => ({ text: entry.text, note: relativeTime(entry.lastUsed, now) }));
  const { unicode, colour } = context.output.error.terminal;
  const look = { style: createStyle(colour), symbols: createSymbols(unicode) };
  const picked = await pick(query, choices, look);
  if (picked === undefined) return EXIT.interrupted;
  context.output.lines(sanitise(picked));
  return EXIT.ok;
}

function promptLines(entries: Entries, { output, now }: CommandContext): string[] {
  const { style, symbols, columns } = output;
  const oneLine = (text: string): string =>
    sanitise(text)
      .trim()
      .replace(/\s*\n\s*/g, ` ${symbols.lineBreak} `);
  return layoutTable(
    [
      { cells: entries.map(({ lastUsed }) => style.dim(relativeTime(lastUsed, now()))) },
      {
        cells: entries.map(({ useCount }) => (useCount > 1 ? style.dim(`${useCount}x`) : '')),
        align: 'right',
      },
      { cells: entries.map(({ text }) => oneLine(text)) },
    ],
    columns,
    symbols.ellipsis,
  );
}

function nothingFound(query: string, home: Home): string {
  if (query !== '') return `No prompt contains "${query}".`;
  return home.prompts.entries().length === 0
    ? 'No prompts yet: they appear here when sessions are recorded.'
    : 'No prompts of this project yet.';
}
