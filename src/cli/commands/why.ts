import type { WarningHistory } from '../../project/index.ts';
import { projectInQuestion } from '../choose-project.ts';
import type { CommandContext, OptionValues } from '../command.ts';
import { nothingRecorded } from '../nothing-recorded.ts';
import { countOption, flagOption } from '../option-values.ts';
import { clipped } from '../output/indented.ts';
import type { Output } from '../output/output.ts';
import { countOf, formatCount } from '../output/quantity.ts';
import { sanitise, sanitiseLine } from '../output/sanitise.ts';
import type { Paint } from '../output/style.ts';
import { relativeTime } from '../output/time.ts';
import { sureness } from '../output/warning-text.ts';
import { wrap } from '../output/width.ts';

const DEFAULT_LIMIT = 10;

/** `yore why`. */
export async function runWhy(
  context: CommandContext,
  _args: readonly string[],
  options: OptionValues,
): Promise<void> {
  const { output } = context;
  const limit = countOption(options, 'limit') ?? DEFAULT_LIMIT;
  const home = await context.openHome();
  const project = projectInQuestion(home, options, context.cwd);
  const all = project?.memory.warnings(Number.POSITIVE_INFINITY) ?? [];
  const shown = all.slice(0, limit);
  const overrides = countOverrides(all);
  if (flagOption(options, 'json')) {
    output.json({
      project: project?.info.projectHash ?? null,
      total: all.length,
      overrides,
      warnings: shown.map(toJson),
    });
    return;
  }
  if (project === undefined) output.lines(...nothingRecorded(home, context));
  else if (shown.length === 0) {
    const name = sanitiseLine(project.info.displayName);
    output.lines(
      ...wrap(`No warning was given in ${name} yet.`, output.columns),
      ...wrap('What would be warned about: yore failures', output.columns).map(output.style.dim),
    );
  } else {
    const entries = shown.flatMap((entry, index) => [
      ...(index > 0 ? [''] : []),
      ...entryLines(entry, output, context.now()),
    ]);
    const summary = [countOf(all.length, 'warning'), overrideText(overrides)].join(
      ` ${output.symbols.separator} `,
    );
    output.lines(...entries, '', ...wrap(summary, output.columns).map(output.style.dim));
  }
}

/** Calls made in spite of a warning, and how many of them went well. */
interface Overrides {
  readonly total: number;
  readonly succeeded: number;
  /** Share of those that went well; left out when there are none. */
  readonly successRate?: number;
}

function countOverrides(all: readonly WarningHistory[]): Overrides {
  const made = all.filter(({ outcome }) => outcome !== undefined);
  const succeeded = made.filter(({ outcome }) => outcome?.succeeded).length;
  return {
    total: made.length,
    succeeded,
    ...(made.length === 0 ? {} : { successRate: Math.round((succeeded / made.length) * 1000) / 1000 }),
  };
}

function overrideText({ total, succeeded }: Overrides): string {
  if (total === 0) return 'none was overridden';
  const rate = Math.round((succeeded / total) * 100);
  return `${formatCount(total)} overridden, of which ${formatCount(succeeded)} went well (${rate} %)`;
}

type Ending = 'worked' | 'failed' | 'notRun';

function endingOf({ outcome }: WarningHistory): Ending {
  if (outcome === undefined) return 'notRun';
  return outcome.succeeded ? 'worked' : 'failed';
}

const ENDINGS: Readonly<Record<Ending, string>> = {
  worked: 'overridden, and it worked: the warning was wrong',
  failed: 'overridden, and it failed again',
  notRun: 'not run',
};

function entryLines(entry: WarningHistory, output: Output, now: number): string[] {
  const { style, symbols, columns } = output;
  const { warning, hazardId } = entry;
  const room = { columns, ellipsis: symbols.ellipsis };
  const facts = [
    relativeTime(warning.timestamp, now),
    ...(warning.agent === undefined ? [] : [sanitiseLine(warning.agent)]),
    sureness(warning.confidence),
    style.yellow(sanitiseLine(hazardId)),
    `session ${sanitiseLine(warning.sessionId)}`,
  ].join(` ${symbols.separator} `);
  const ending = endingOf(entry);
  const [sign, paint] = endingLook(ending, output);
  return [
    ...clipped(sanitiseLine(warning.what), {
      ...room,
      by: 2,
      sign: style.yellow(symbols.warning),
      paint: style.bold,
    }),
    ...sanitise(warning.text)
      .split('\n')
      .flatMap((line) => clipped(line, { ...room, by: 4, lines: 3 })),
    ...clipped(ENDINGS[ending], { ...room, by: 6, sign, paint }),
    ...wrap(facts, columns - 4).map((line) => `    ${style.dim(line)}`),
  ];
}

function endingLook(ending: Ending, { style, symbols }: Output): readonly [sign: string, paint: Paint] {
  if (ending === 'worked') return [style.green(symbols.success), style.green];
  return ending === 'failed'
    ? [style.red(symbols.failure), style.red]
    : [style.dim(symbols.neutral), style.dim];
}

function toJson(entry: WarningHistory): unknown {
  const { id, timestamp, sessionId, agent, what, text, confidence, attemptId } = entry.warning;
  return {
    id,
    failure: entry.hazardId,
    timestamp,
    sessionId,
    ...(agent === undefined ? {} : { agent }),
    what,
    text,
    confidence,
    attemptId,
    ended: endingOf(entry),
    ...(entry.outcome === undefined ? {} : { endedAt: entry.outcome.timestamp }),
  };
}
