import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openHome } from '../../project/index.ts';
import type { Attempt } from '../../record/index.ts';
import type { CommandContext, OptionValues } from '../command.ts';
import { createPacer } from '../demo/pacer.ts';
import { type Recall, recall } from '../demo/recall.ts';
import { playStory, REQUEST } from '../demo/story.ts';
import { EXIT } from '../exit-codes.ts';
import { flagOption } from '../option-values.ts';
import { outcomePaint, outcomeSign } from '../output/outcome-mark.ts';
import type { Output } from '../output/output.ts';
import { sanitiseLine } from '../output/sanitise.ts';
import { attemptTitle } from '../output/session-text.ts';
import { layoutTable } from '../output/table.ts';
import { relativeTime } from '../output/time.ts';
import { runSearch } from './search.ts';
import { runSessions } from './sessions.ts';

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
  const { style, symbols } = output;
  const cwd = join(folder, 'my-app');
  mkdirSync(cwd);
  const today = context.now();
  const clock = { now: today };
  const home = openHome({ home: join(folder, 'home'), env: {}, now: () => clock.now });
  try {
    const project = home.openProject(cwd);
    const [dayOne] = playStory(home, project, clock, today);
    const demo: CommandContext = { ...context, cwd, now: () => today, openHome: async () => home };

    const attempts = project.session(dayOne).entries.filter((entry): entry is Attempt => 'outcome' in entry);
    output.lines(`${style.bold('Day one.')} You ask your agent: ${style.cyan(REQUEST)}`);
    output.lines(...attemptTable(attempts, output, ({ error, result }) => error ?? result ?? ''));
    await pause();

    output.lines('', `${style.bold('Day two.')} A new session, the same request: ${style.cyan(REQUEST)}`);
    output.lines(style.dim(`  The agent has forgotten day one. yore has not.`));
    await pause();

    await runShown('yore sessions', demo, () => runSessions(demo, [], {}));
    await pause();
    await runShown('yore search redis', demo, () => runSearch(demo, ['redis'], {}));
    await pause();

    const found = recall(home, REQUEST);
    if (found) {
      output.lines('', `${style.bold('What yore recalls')} for ${style.cyan(REQUEST)}`);
      output.lines(...attemptTable([found.failure, ...found.successes], output, noteFor(found, today)));
    }
    output.lines(
      '',
      `${style.bold('Next')} ${symbols.arrow} ${style.cyan('yore')} in a project of yours ${symbols.separator} ${style.cyan('yore --help')}`,
    );
  } finally {
    home.close();
  }
}

async function runShown(
  command: string,
  { output }: CommandContext,
  run: () => Promise<number>,
): Promise<void> {
  output.lines('', `${output.style.dim('$')} ${output.style.bold(command)}`);
  await run();
}

function attemptTable(
  attempts: readonly Attempt[],
  output: Output,
  note: (attempt: Attempt) => string,
): string[] {
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
      { cells: attempts.map((attempt) => style.dim(sanitiseLine(note(attempt)))) },
    ],
    columns - 2,
    symbols.ellipsis,
  );
  return rows.map((row) => `  ${row}`);
}

function noteFor({ failure, successes }: Recall, now: number): (attempt: Attempt) => string {
  return (attempt) => {
    if (attempt === failure) return `failed ${relativeTime(failure.timestamp, now)}: ${failure.error ?? ''}`;
    if (attempt === successes[0]) return 'worked instead';
    return attempt.result ?? 'worked';
  };
}

function sayWhereItIs(folder: string, output: Output): void {
  const { style } = output;
  output.lines(
    '',
    `The home of this story is kept. Look around in it:`,
    `  cd ${join(folder, 'my-app')} && export YORE_HOME=${join(folder, 'home')}`,
    `  yore; yore search ioredis; yore doctor`,
    style.dim(`When you are done: unset YORE_HOME; rm -r ${folder}`),
  );
}
