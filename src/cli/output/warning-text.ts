import type { FailureWarning } from '../../memory/index.ts';
import { clipped } from './indented.ts';
import type { Output } from './output.ts';
import { countOf } from './quantity.ts';
import { sanitiseLine } from './sanitise.ts';
import { localTime } from './time.ts';
import { wrap } from './width.ts';

/** A warning: when it was attempted, what failed, why, what worked instead, and how sure that is. */
export function warningLines(warning: FailureWarning, output: Output): string[] {
  const { style, symbols, columns } = output;
  const room = { by: 4, columns, ellipsis: symbols.ellipsis, lines: 4 };
  const day = localTime(warning.failedAt).slice(0, 10);
  const often =
    warning.count > 1
      ? ` (${countOf(warning.count, 'time')} in ${countOf(warning.sessions, 'session')})`
      : '';
  const place = warning.project === undefined ? '' : ` in ${sanitiseLine(warning.project)}`;
  const failed = `This was attempted on ${day}${place} and failed${often}:`;
  const reason = sanitiseLine(warning.reason) || 'It said nothing.';
  const lines = [
    ...wrap(failed, columns - 2).map((line, index) =>
      index === 0 ? `${style.yellow(symbols.warning)} ${style.bold(line)}` : `  ${style.bold(line)}`,
    ),
    ...clipped(sanitiseLine(warning.failed), { ...room, sign: style.red(symbols.failure) }),
    ...clipped(reason, { ...room, paint: style.dim }),
    ...(warning.cause === undefined
      ? []
      : clipped(`Same cause here: ${sanitiseLine(warning.cause)}`, { ...room, paint: style.dim })),
  ];
  if (warning.instead !== undefined) {
    lines.push(
      style.bold('  Worked instead:'),
      ...clipped(sanitiseLine(warning.instead), {
        ...room,
        sign: style.green(symbols.success),
        paint: style.green,
      }),
    );
  }
  return lines;
}

/** A probability for people: `90 % sure`. Never quite sure. */
export function sureness(confidence: number): string {
  return `${Math.min(99, Math.round(confidence * 100))} % sure`;
}
