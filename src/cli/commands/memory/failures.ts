import type { FailureSummary, Project } from '../../../project/index.ts';
import { formatNumber } from '../../../text/format-count.ts';
import { createProjectReport } from '../../choose-project.ts';
import type { CommandRun } from '../../command.ts';
import { countOption, flagOption } from '../../options.ts';
import { relativeTime } from '../../output/format.ts';
import type { Output } from '../../output/output.ts';
import { sanitiseLine } from '../../output/sanitise.ts';
import type { ListOptions } from '../../output/session-list.ts';
import { displayWidth, pad } from '../../output/width.ts';

const DEFAULT_LIMIT = 50;
/** A narrower terminal shows the facts below the failure instead of beside it. */
const MIN_TABLE_COLUMNS = 80;

/** `yore failures`. */
export const runFailures: CommandRun = createProjectReport((project, context, options) => {
  const { output } = context;
  const limit = countOption(options, 'limit') ?? DEFAULT_LIMIT;
  const all = flagOption(options, 'all');
  const found = project?.memory.failures({ all }) ?? [];
  const failures = found.slice(0, limit);
  const lines = (shown: Project): string[] => {
    if (failures.length === 0) return noneLines(shown, all, output);
    const more = `${formatNumber(failures.length)} of ${formatNumber(found.length)}: --limit ${limit * 4}`;
    const hints = ['never warn: yore dismiss ID', 'always warn: yore pin ID'];
    return [
      ...failureLines(failures, { output, now: context.now() }),
      '',
      ...output.wrap(output.join(...(found.length > failures.length ? [more] : []), ...hints)).map(output.style.dim),
    ];
  };
  return { json: { total: found.length, failures }, lines };
});

function noneLines(project: Project, all: boolean, output: Output): string[] {
  const name = sanitiseLine(project.info.displayName);
  return [
    ...output.wrap(all ? `No known failures in ${name}.` : `No active failures in ${name}.`),
    ...output
      .wrap(all ? 'What works: yore successes' : 'Including solved and dismissed ones: yore failures --all')
      .map(output.style.dim),
  ];
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

/** The error, what worked instead, and whether the failure is solved, pinned or dismissed. */
function detailLines(failure: FailureSummary, indent: number, { output, now }: FailureListOptions): string[] {
  const { style, symbols } = output;
  const error = sanitiseLine(failure.error);
  const { resolution } = failure;
  const state = formatState(failure, now);
  const solved = { indent: indent + 2, marker: style.green(symbols.success), paint: style.green };
  return [
    ...(error === '' ? [] : output.clip(error, { indent, paint: style.dim })),
    ...(resolution === undefined ? [] : output.clip(`worked instead: ${sanitiseLine(resolution)}`, solved)),
    ...(state === '' ? [] : output.clip(state, { indent, paint: style.yellow })),
  ];
}

function formatState({ endedAt, choice }: FailureSummary, now: number): string {
  const parts = [
    ...(choice === 'pin' ? ['pinned'] : choice === 'dismiss' ? ['dismissed'] : []),
    ...(endedAt === undefined ? [] : [`worked again ${relativeTime(endedAt, now)}`]),
  ];
  return parts.join(', ');
}
