import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openHome } from '../../../project/index.ts';
import type { Attempt } from '../../../record/index.ts';
import type { CommandContext, CommandRun } from '../../command.ts';
import { type DemoStory, readDemoData } from '../../demo/demo-data.ts';
import { playHistory, type Stage } from '../../demo/player.ts';
import { EXIT } from '../../exit-codes.ts';
import { yoreCommand } from '../../machine.ts';
import { flagOption } from '../../options.ts';
import { warningLines } from '../../output/memory-lines.ts';
import { outcomeMarker } from '../../output/outcome-mark.ts';
import type { Output } from '../../output/output.ts';
import { sanitiseLine } from '../../output/sanitise.ts';
import { attemptTitle } from '../../output/session-text.ts';
import { runSearch } from '../history/search.ts';

/** Time to read a part before the next one appears. */
const PAUSE_MS = 900;

/** `yore demo`. */
export const runDemo: CommandRun = async (context, _args, options) => {
  const keep = flagOption(options, 'keep');
  const folder = mkdtempSync(join(tmpdir(), 'yore-demo-'));
  const pacer = createPacer(context.output.out.terminal.isTerminal && !flagOption(options, 'fast'));
  const cleanUp = (): void => {
    pacer.close();
    if (!keep) rmSync(folder, { recursive: true, force: true });
  };
  const onInterrupt = (): void => {
    cleanUp();
    process.exit(EXIT.interrupted);
  };
  process.once('SIGINT', onInterrupt);
  try {
    await tellStory(folder, context, pacer.pause);
    if (keep) printWhereItIs(folder, context.output);
  } finally {
    process.off('SIGINT', onInterrupt);
    cleanUp();
  }
};

async function tellStory(folder: string, context: CommandContext, pause: () => Promise<void>): Promise<void> {
  const { output } = context;
  const { style, symbols } = output;
  const story = readDemoData<DemoStory>('two-days.json');
  const cwd = join(folder, 'my-app');
  mkdirSync(cwd);
  const now = context.now();
  const clock = { now };
  const home = openHome({ home: join(folder, 'home'), env: {}, now: () => clock.now });
  try {
    const project = home.openProject(cwd);
    const stage: Stage = { home, project, clock, now };
    playHistory({ sessions: [story.dayOne], decisions: [] }, stage);
    const { records } = project.session(story.dayOne.id);
    const attempts = records.filter((record): record is Attempt => 'outcome' in record);
    const asked = `${style.bold('Day one.')} You ask your agent: ${style.cyan(story.request)}`;
    output.lines(...output.wrap(asked), ...attemptTable(attempts, output));
    await pause();

    await tellDayTwo(story, playDayTwo(story, stage), output, pause);

    output.lines('', `${style.dim('$')} ${style.bold('yore search ioredis')}`);
    await runSearch({ ...context, cwd, now: () => now, openHome: async () => home }, ['ioredis'], {});
    await pause();
    const command = yoreCommand(context.cwd);
    const next = output.join(
      `${style.cyan(`${command} init`)} sets it up for your agents`,
      style.cyan(`${command} --help`),
    );
    output.lines('', ...output.wrap(`${style.bold('Next')} ${symbols.arrow} ${next}`));
  } finally {
    home.close();
  }
}

/** A minute ago: the same request, and the same attempt. Returns what yore says to each of them. */
function playDayTwo({ request, failingCommand }: DemoStory, { home, project, clock, now }: Stage) {
  clock.now = now - 60_000;
  const recorder = project.recorder();
  const sessionId = project.history.newSession();
  const head = { sessionId, agent: 'claude-code', timestamp: new Date(clock.now).toISOString() };
  project.maintain();
  const recollection = project.memory.recall(request, { sessionId });
  recorder.recordPrompt({ ...head, text: request });
  home.prompts.upsert(request, project.info.projectHash);
  const warned = recorder.warn({ ...head, tool: 'Bash', input: { command: failingCommand } });
  clock.now = now;
  return { recollection, warning: warned?.warning };
}

async function tellDayTwo(
  { request, failingCommand }: DemoStory,
  { recollection, warning }: ReturnType<typeof playDayTwo>,
  output: Output,
  pause: () => Promise<void>,
): Promise<void> {
  const { style, symbols } = output;
  const asked = `${style.bold('Day two.')} A new session, the same request: ${style.cyan(request)}`;
  const intro = 'The agent has forgotten day one. yore has not, and tells it:';
  output.lines('', ...output.wrap(asked), ...output.wrap(intro, 2).map(style.dim));
  for (const { text } of recollection?.lines ?? []) {
    const line = sanitiseLine(text).replaceAll(' → ', ` ${symbols.arrow} `);
    output.lines(...output.clip(line, { indent: 4, maxLines: 3 }));
  }
  await pause();
  if (!warning) return;
  const held = `If it still tries ${style.cyan(failingCommand)}, yore stops it once and explains:`;
  output.lines('', ...output.wrap(held), ...warningLines(warning, output));
  await pause();
}

function attemptTable(attempts: readonly Attempt[], output: Output): string[] {
  const { style, columns } = output;
  const toTitle = (attempt: Attempt): string => `${outcomeMarker(attempt.outcome, output)} ${attemptTitle(attempt)}`;
  return output.table(
    [
      { cells: attempts.map(toTitle), maxWidth: Math.max(20, Math.floor(columns / 2)) },
      { cells: attempts.map(({ error, result }) => style.dim(sanitiseLine(error ?? result ?? ''))) },
    ],
    2,
  );
}

function printWhereItIs(folder: string, output: Output): void {
  const project = join(folder, 'my-app');
  const command = yoreCommand(project);
  output.lines(
    '',
    "The demo's home was kept. To look around in it:",
    `  cd ${project} && export YORE_HOME=${join(folder, 'home')}`,
    `  ${['', ' check -- npm install redis-node', ' recap'].map((words) => command + words).join('; ')}`,
    output.style.dim(`When you are done: unset YORE_HOME; rm -r ${folder}`),
  );
}

/** Waits between the parts of the story when `paced`; pressing Enter skips all further waiting. */
function createPacer(paced: boolean): { readonly pause: () => Promise<void>; readonly close: () => void } {
  if (!paced) return { pause: async () => undefined, close: () => undefined };
  let isSkipped = false;
  let wake: () => void = () => undefined;
  const skip = (): void => {
    isSkipped = true;
    wake();
  };
  if (process.stdin.isTTY) process.stdin.on('data', skip);
  return {
    pause: async () => {
      if (isSkipped) return;
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        wake = resolve;
        timer = setTimeout(resolve, PAUSE_MS);
      });
      clearTimeout(timer);
    },
    close: () => {
      if (!process.stdin.isTTY) return;
      process.stdin.off('data', skip);
      process.stdin.pause();
    },
  };
}
