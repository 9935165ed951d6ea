import type { FailureWarning } from '../../ask/guard/warning.ts';
import type { Knowledge } from '../../ask/knowledge.ts';
import { formatCount } from '../../text/format-count.ts';
import { localTime, relativeTime } from './format.ts';
import type { Output } from './output.ts';
import { sanitiseLine } from './sanitise.ts';

/** Best practices of a project, each with its reason and evidence. */
export function practiceLines(practices: Knowledge['bestPractices'], output: Output): string[] {
  const { style, symbols } = output;
  return practices.flatMap(({ pattern, reason, evidence }) => {
    const what = sanitiseLine(pattern);
    const notes = [reason, evidence].map(sanitiseLine).filter((note) => note !== '' && note !== what);
    return [
      ...output.clip(what, { indent: 4, marker: style.green(symbols.success) }),
      ...output.clip(output.join(...notes), { indent: 6, paint: style.dim }),
    ];
  });
}

/** Anti-patterns of a project, each with its reason, when it happened and what works instead. */
export function avoidLines(patterns: Knowledge['antiPatterns'], output: Output, now: number): string[] {
  const { style, symbols } = output;
  return patterns.flatMap(({ pattern, reason, occurredAt, count, fix }) => {
    const what = sanitiseLine(pattern);
    const why = sanitiseLine(reason);
    const when = `${count > 1 ? `${formatCount(count, 'time')}, last ` : ''}${relativeTime(occurredAt, now)}`;
    const notes = [...(why === '' || why === what ? [] : [why]), when];
    return [
      ...output.clip(what, { indent: 4, marker: style.red(symbols.failure) }),
      ...output.clip(output.join(...notes), { indent: 6, paint: style.dim }),
      ...(fix === undefined
        ? []
        : output.clip(`worked instead: ${sanitiseLine(fix)}`, { indent: 6, paint: style.green })),
    ];
  });
}

/** A warning: when the call failed, why, and what worked instead. */
export function warningLines(warning: FailureWarning, output: Output): string[] {
  const { style, symbols } = output;
  const { failedAt, failed, count, sessions, project, author, cause, fix } = warning;
  const day = localTime(failedAt).slice(0, 10);
  const place = project === undefined ? '' : ` in ${sanitiseLine(project)}`;
  const machine = author === undefined ? '' : ` on another machine (${sanitiseLine(author)})`;
  const often = count > 1 ? ` (${formatCount(count, 'time')} in ${formatCount(sessions, 'session')})` : '';
  const head = { indent: 2, maxLines: 4, marker: style.yellow(symbols.warning), paint: style.bold };
  const detail = { indent: 4, maxLines: 4, paint: style.dim };
  const solution = { indent: 4, maxLines: 4, marker: style.green(symbols.success), paint: style.green };
  return [
    ...output.clip(`This was attempted on ${day}${place}${machine} and failed${often}:`, head),
    ...output.clip(sanitiseLine(failed), { indent: 4, maxLines: 4, marker: style.red(symbols.failure) }),
    ...output.clip(sanitiseLine(warning.reason) || '(no error message)', detail),
    ...(cause === undefined ? [] : output.clip(`Same cause here: ${sanitiseLine(cause)}`, detail)),
    ...(fix === undefined ? [] : [style.bold('  Worked instead:'), ...output.clip(sanitiseLine(fix), solution)]),
  ];
}

/** A confidence as a percentage, at most 99: `90% confidence`. */
export function formatConfidence(confidence: number): string {
  return `${Math.min(99, Math.round(confidence * 100))}% confidence`;
}
