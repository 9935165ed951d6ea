import { FAILURE_ORDERS, type PastFailure } from '../../../ask/past-failures.ts';
import type { FailureSummary, Project } from '../../../project/index.ts';
import { formatCount, formatNumber } from '../../../text/format-count.ts';
import { createProjectReport } from '../../choose-project.ts';
import type { CommandRun } from '../../command.ts';
import { choiceOption, countOption, flagOption } from '../../options.ts';
import { localTime, relativeTime } from '../../output/format.ts';
import type { Output } from '../../output/output.ts';
import { sanitiseLine } from '../../output/sanitise.ts';
import type { ListOptions } from '../../output/session-list.ts';
import { displayWidth, pad } from '../../output/width.ts';

const DEFAULT_LIMIT = 50;
/** Causes shown of one command. */
const MAX_CAUSES = 3;
/** A narrower terminal shows the facts below the failure instead of beside it. */
const MIN_TABLE_COLUMNS = 100;

/** `yore failures`. */
export const runFailures: CommandRun = createProjectReport((project, context, options) => {
  const { output } = context;
  const limit = countOption(options, 'limit') ?? DEFAULT_LIMIT;
  const order = choiceOption(options, 'sort', FAILURE_ORDERS) ?? 'frequent';
  const all = flagOption(options, 'all');
  const found = project?.memory.failures({ all }) ?? [];
  const past = project?.memory.pastFailures({ order, limit }) ?? { total: 0, calls: 0, failures: [] };
  const failures = found.slice(0, limit);
  const lines = (shown: Project): string[] => {
    const { style } = output;
    const hints = (...texts: string[]): string[] => output.wrapFacts(texts).map(style.dim);
    const more = (count: number, total: number): string[] =>
      total > count ? [`${formatNumber(count)} of ${formatNumber(total)}: --limit ${limit * 4}`] : [];
    const name = sanitiseLine(shown.info.displayName);
    const times = `${formatCount(past.calls, 'failure')} of ${formatCount(past.total, 'different call')}, however long ago`;
    const counted = failures.some(({ count }) => count > 1)
      ? ['counted by cause since it last worked, without archived ones']
      : [];
    const other = order === 'frequent' ? 'the latest first: --sort recent' : 'the most frequent first: --sort frequent';
    return [
      ...(failures.length === 0
        ? output.wrap(
            `No ${all ? 'known failures' : 'active warnings'} in ${name}${all ? '' : `: ${shown.memory.explainNoWarnings()}`}.`,
          )
        : [
            ...output.wrapFacts([style.bold(all ? 'Known failures' : 'Active warnings'), ...counted.map(style.dim)]),
            ...failureLines(failures, { output, now: context.now() }),
            '',
            ...hints(
              ...more(failures.length, found.length),
              'never warn: yore dismiss ID',
              'keep warning: yore pin ID',
            ),
          ]),
      ...(past.total === 0
        ? hints('What works: yore successes')
        : [
            '',
            ...output.wrapFacts([style.bold('Past failures'), style.dim(times)]),
            ...pastFailureLines(past.failures, output),
            '',
            ...hints(...more(past.failures.length, past.total), other, 'find one: yore search COMMAND'),
          ]),
    ];
  };
  return { json: { total: found.length, failures, past }, lines };
});

/** Past failures: how often something failed, why and when, and what worked instead or since. */
export function pastFailureLines(failures: readonly PastFailure[], output: Output): string[] {
  const { style } = output;
  const counts = failures.map(({ count }) => `${formatNumber(count)}x`);
  const width = Math.max(0, ...counts.map(displayWidth));
  const indent = width + 2;
  return failures.flatMap(({ what, firstAt, lastAt, causes, fix, hasWorkedSince }, index) => {
    const marker = `${style.yellow(pad(counts[index] ?? '', width, 'right'))} `;
    const days = [...new Set([firstAt, lastAt].map((at) => localTime(at).slice(0, 10)))].join(' to ');
    const reasons = causes.map(({ error, count }) => {
      const reason = sanitiseLine(error) || '(no error message)';
      return causes.length > 1 ? `${formatNumber(count)}x ${reason}` : reason;
    });
    const more = causes.length - MAX_CAUSES;
    const ending = fix === undefined ? 'worked again' : `worked instead: ${sanitiseLine(fix)}`;
    const solved = { indent: indent + 2, marker: style.green(output.symbols.success), paint: style.green };
    return [
      ...output.clip(sanitiseLine(what), { indent, marker, paint: style.bold }),
      ...[...reasons.slice(0, MAX_CAUSES), ...(more > 0 ? [formatCount(more, 'more cause')] : [])].flatMap((reason) =>
        output.clip(reason, { indent, paint: style.dim }),
      ),
      ...(fix === undefined && !hasWorkedSince ? [] : output.clip(ending, solved)),
      ...output.clip(days, { indent, paint: style.dim }),
    ];
  });
}

/** How a list of failures is printed. */
export type FailureListOptions = Pick<ListOptions, 'output' | 'now'>;

/** A list of failures: id, age, count and class; what failed, why, and what worked instead. */
export function failureLines(failures: readonly FailureSummary[], options: FailureListOptions): string[] {
  const { output, now } = options;
  const { style, columns } = output;
  if (columns < MIN_TABLE_COLUMNS) {
    return failures.flatMap((failure) => ['', ...narrowLines(failure, options)]).slice(1);
  }
  const toColumn = (toCell: (failure: FailureSummary) => string, align?: 'right'): string[] => {
    const cells = failures.map(toCell);
    const width = Math.max(...cells.map(displayWidth));
    return cells.map((cell) => pad(cell, width, align));
  };
  const facts = [
    toColumn(({ id }) => style.yellow(sanitiseLine(id))),
    toColumn(({ at }) => style.dim(relativeTime(at, now))),
    toColumn(({ count }) => style.dim(`${formatNumber(count)}x`), 'right'),
    toColumn((failure) => style.dim(failure.class)),
  ];
  return failures.flatMap((failure, index) => {
    const marker = `${facts.map((cells) => cells[index]).join('  ')} `;
    const indent = displayWidth(marker) + 1;
    return [
      ...output.clip(sanitiseLine(failure.what), { indent, marker, paint: style.bold }),
      ...detailLines(failure, indent, options),
    ];
  });
}

function narrowLines(failure: FailureSummary, options: FailureListOptions): string[] {
  const { output, now } = options;
  const { style } = output;
  const facts = [
    style.yellow(sanitiseLine(failure.id)),
    ...[relativeTime(failure.at, now), `${formatNumber(failure.count)}x`, failure.class].map(style.dim),
  ];
  return [
    ...output.clip(sanitiseLine(failure.what), { paint: style.bold }),
    ...detailLines(failure, 2, options),
    output.truncate(`  ${facts.join(' ')}`),
  ];
}

/** The error, what worked instead, and whether the failure has ended, is pinned or dismissed. */
function detailLines(failure: FailureSummary, indent: number, { output, now }: FailureListOptions): string[] {
  const { style, symbols } = output;
  const error = sanitiseLine(failure.error);
  const { fix } = failure;
  const state = formatState(failure, now);
  const solved = { indent: indent + 2, marker: style.green(symbols.success), paint: style.green };
  return [
    ...(error === '' ? [] : output.clip(error, { indent, paint: style.dim })),
    ...(fix === undefined ? [] : output.clip(`worked instead: ${sanitiseLine(fix)}`, solved)),
    ...(state === '' ? [] : output.clip(state, { indent, paint: style.yellow })),
  ];
}

function formatState({ endedAt, choice, author }: FailureSummary, now: number): string {
  const parts = [
    ...(author === undefined ? [] : [`on the machine of ${sanitiseLine(author)}`]),
    ...(choice === 'pin' ? ['pinned'] : choice === 'dismiss' ? ['dismissed'] : []),
    ...(endedAt === undefined ? [] : [`worked again ${relativeTime(endedAt, now)}`]),
  ];
  return parts.join(', ');
}
