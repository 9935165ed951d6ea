import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openHome } from '../../project/index.ts';
import type { Attempt } from '../../record/index.ts';
import type { CommandContext, OptionValues } from '../command.ts';
import { createPacer } from '../demo/pacer.ts';
import { type DayTwo, FAILING, playDayOne, playDayTwo, REQUEST } from '../demo/story.ts';
import { EXIT } from '../exit-codes.ts';
import { flagOption } from '../option-values.ts';
import { clipped, indented } from '../output/indented.ts';
import { outcomePaint, outcomeSign } from '../output/outcome-mark.ts';
import type { Output } from '../output/output.ts';
import { sanitiseLine } from '../output/sanitise.ts';
import { attemptTitle } from '../output/session-text.ts';
import { layoutTable } from '../output/table.ts';
import { warningLines } from '../output/warning-text.ts';
import { wrap } from '../output/width.ts';
import { runSearch } from './search.ts';

/** `yore demo`. */
export async function runDemo(
  context: CommandContext,
  _args: readonly string[],
  options: OptionValues,
): Promise<void> {
  const keep = flagOption(options, 'keep');
  const folder = mkdtempSync(join(tmpdir(), 'yore-demo-'));
  const pacer = createPacer(context.output.out.terminal.isTerminal && !flagOption(options, 'fast'));
  const cleanUp = (): void => {
    pacer.close();
    if (!keep) rmSync(folder, { recursive: true, force: true });
  };
  const interrupted = (): void => {
    cleanUp();
    process.exit(EXIT.interrupted);
  };
  process.once('SIGINT', interrupted);
  try {
    await tell(folder, context, pacer.pause);
    if (keep) sayWhereItIs(folder, context.output);
  } finally {
    process.off('SIGINT', interrupted);
    cleanUp();
  }
}

async function tell(folder: string, context: CommandContext, pause: () => Promise<void>): Promise<void> {
  const { output } = context;
  const { style, symbols, columns } = output;
  const cwd = join(folder, 'my-app');
  mkdirSync(cwd);
  const today = context.now();
  const clock = { now: today };
  const home = openHome({ home: join(folder, 'home'), env: {}, now: () => clock.now });
  try {
    const project = home.openProject(cwd);
    const dayOne = playDayOne(home, project, clock, today);
    const demo: CommandContext = { ...context, cwd, now: () => today, openHome: async () => home };

    const attempts = project.session(dayOne).entries.filter((entry): entry is Attempt => 'outcome' in entry);
    output.lines(...wrap(`${style.bold('Day one.')} You ask your agent: ${style.cyan(REQUEST)}`, columns));
    output.lines(...attemptTable(attempts, output));
    await pause();

    await tellDayTwo(playDayTwo(home, project, clock, today), output, pause);

    await runShown('yore search ioredis', demo, () => runSearch(demo, ['ioredis'], {}));
    await pause();
    const next = `${style.cyan('yore init')} wires it into your agents ${symbols.separator} ${style.cyan('yore --help')}`;
    output.lines('', ...wrap(`${style.bold('Next')} ${symbols.arrow} ${next}`, columns));
  } finally {
    home.close();
  }
}

async function tellDayTwo(
  { recollection, warning }: DayTwo,
  output: Output,
  pause: () => Promise<void>,
): Promise<void> {
  const { style, columns } = output;
  const asked = `${style.bold('Day two.')} A new session, the same request: ${style.cyan(REQUEST)}`;
  const told = 'The agent has forgotten day one. yore has not, and tells it:';
  output.lines('', ...wrap(asked, columns), ...indented(told, 2, columns).map(style.dim));
  if (recollection) output.lines(...recollection.lines.flatMap((line) => toldLines(line, output)));
  await pause();
  if (!warning) return;
  const held = `Should it still try ${style.cyan(FAILING)}, yore holds it back once:`;
  output.lines('', ...wrap(held, columns), ...warningLines(warning, output));
  await pause();
}

async function runShown(
  command: string,
  { output }: CommandContext,
  run: () => Promise<number>,
): Promise<void> {
  output.lines('', `${output.style.dim('$')} ${output.style.bold(command)}`);
  await run();
}

function attemptTable(attempts: readonly Attempt[], output: Output): string[] {
  const { style, symbols, columns } = output;
  const rows = layoutTable(
    [
      {
        cells: attempts.map(
          (attempt) =>
            `${outcomePaint(attempt.outcome, style)(outcomeSign(attempt.outcome, symbols))} ${attemptTitle(attempt)}`,
        ),
        atMost: Math.max(20, Math.floor(columns / 2)),
      },
      { cells: attempts.map(({ error, result }) => style.dim(sanitiseLine(error ?? result ?? ''))) },
    ],
    columns - 2,
    symbols.ellipsis,
  );
  return rows.map((row) => `  ${row}`);
}

function toldLines(line: string, output: Output): string[] {
  const { columns, symbols } = output;
  const text = sanitiseLine(line).replaceAll(' → ', ` ${symbols.arrow} `);
  return clipped(text, { by: 4, columns, ellipsis: symbols.ellipsis, lines: 3 });
}

function sayWhereItIs(folder: string, output: Output): void {
  const { style } = output;
  output.lines(
    '',
    `The home of this story is kept. Look around in it:`,
    `  cd ${join(folder, 'my-app')} && export YORE_HOME=${join(folder, 'home')}`,
    `  yore; yore check -- npm install redis-node; yore recap`,
    style.dim(`When you are done: unset YORE_HOME; rm -r ${folder}`),
  );
}
