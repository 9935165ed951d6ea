import type { FailureSummary } from '../../project/index.ts';
import { clipped } from './indented.ts';
import type { Output } from './output.ts';
import { formatCount } from './quantity.ts';
import { sanitiseLine } from './sanitise.ts';
import { relativeTime } from './time.ts';
import { displayWidth, pad, truncate } from './width.ts';

/** What a list of failures is printed with. */
export interface FailureListOptions {
  readonly output: Output;
  readonly now: number;
}

/** Below this many columns the facts stand below the command instead of beside it. */
const COLUMNS_FOR_TABLE = 80;

/** Failures: id, age, how often and of which class; what failed, why, and what worked instead. */
export function failureLines(failures: readonly FailureSummary[], options: FailureListOptions): string[] {
  const { output, now } = options;
  const { style, symbols, columns } = output;
  if (columns < COLUMNS_FOR_TABLE) {
    return failures.flatMap((failure, index) => [
      ...(index > 0 ? [''] : []),
      ...narrowLines(failure, options),
    ]);
  }
  const column = (cells: readonly string[], align?: 'right'): string[] => {
    const width = Math.max(...cells.map(displayWidth));
    return cells.map((cell) => pad(cell, width, align));
  };
  const facts = [
    column(failures.map(({ id }) => style.yellow(sanitiseLine(id)))),
    column(failures.map(({ at }) => style.dim(relativeTime(at, now)))),
    column(
      failures.map(({ count }) => style.dim(`${formatCount(count)}x`)),
      'right',
    ),
    column(failures.map((failure) => style.dim(failure.class))),
  ];
  return failures.flatMap((failure, index) => {
    const sign = `${facts.map((cells) => cells[index]).join('  ')} `;
    const by = displayWidth(sign) + 1;
    const room = { by, sign, columns, ellipsis: symbols.ellipsis, paint: style.bold };
    return [...clipped(sanitiseLine(failure.what), room), ...detailLines(failure, by, options)];
  });
}

function narrowLines(failure: FailureSummary, options: FailureListOptions): string[] {
  const { output, now } = options;
  const { style, symbols, columns } = output;
  const facts = [
    style.yellow(sanitiseLine(failure.id)),
    ...[relativeTime(failure.at, now), `${formatCount(failure.count)}x`, failure.class].map(style.dim),
  ];
  return [
    ...clipped(sanitiseLine(failure.what), { by: 0, columns, ellipsis: symbols.ellipsis, paint: style.bold }),
    ...detailLines(failure, 2, options),
    truncate(`  ${facts.join(' ')}`, columns, symbols.ellipsis),
  ];
}

/** Why it failed, what worked instead, and what became of it. */
function detailLines(failure: FailureSummary, by: number, { output, now }: FailureListOptions): string[] {
  const { style, symbols, columns } = output;
  const room = { columns, ellipsis: symbols.ellipsis };
  const lines: string[] = [];
  const error = sanitiseLine(failure.error);
  if (error !== '') lines.push(...clipped(error, { ...room, by, paint: style.dim }));
  if (failure.resolution !== undefined) {
    const text = `worked instead: ${sanitiseLine(failure.resolution)}`;
    lines.push(
      ...clipped(text, { ...room, by: by + 2, sign: style.green(symbols.success), paint: style.green }),
    );
  }
  const state = stateOf(failure, now);
  if (state !== '') lines.push(...clipped(state, { ...room, by, paint: style.yellow }));
  return lines;
}

function stateOf({ endedAt, choice }: FailureSummary, now: number): string {
  const parts = [
    ...(choice === 'pin' ? ['pinned'] : choice === 'dismiss' ? ['dismissed'] : []),
    ...(endedAt === undefined ? [] : [`worked again ${relativeTime(endedAt, now)}`]),
  ];
  return parts.join(', ');
}
